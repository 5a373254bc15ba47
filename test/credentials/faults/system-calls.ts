// strace shows what a program asks of the system, and kills it at any of that.
import { readFileSync } from "node:fs";

/** Whatever changes a file, a directory, or what of them outlives a power cut. */
const WRITES = [
  "write",
  "writev",
  "pwrite64",
  "fsync",
  "fdatasync",
  "ftruncate",
  "fallocate",
].concat(
  ["mkdir", "link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat"],
  ["chmod", "fchmod", "fchmodat"],
);

// The main thread alone: the store works in it, and what other threads do varies from run to run.
const STRACE = ["strace", "-qqq", "-e", "signal=none"];

/** Runs a command and writes its calls that write to `file`; with `opens` those that open files, too. */
export function traced(file: string, { opens = false } = {}): readonly string[] {
  const calls = [...WRITES, ...(opens ? ["openat"] : [])];
  return [...STRACE, "-y", "-xx", "-s", "4194304", "-e", `trace=${calls.join()}`, "-o", file];
}

/** Runs a command that is killed at a call, or told that the call failed, before the call does anything. */
export function faulty(
  { name, nth }: { readonly name: string; readonly nth: number },
  fault: "signal=SIGKILL" | "error=EIO",
): readonly string[] {
  const filter = ["-e", `trace=${name}`, "-e", `inject=${name}:${fault}:when=${nth}`];
  return [...STRACE, ...filter, "-o", "/dev/null"];
}

export interface SystemCall {
  readonly name: string;
  /** As strace prints them; texts are decoded by `textOf`. */
  readonly args: readonly string[];
  readonly result: number;
}

export function readTrace(file: string): SystemCall[] {
  const calls: SystemCall[] = [];
  for (const line of readFileSync(file, "latin1").split("\n")) {
    const [, name, args, result] = /^(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? [];
    if (name === undefined || args === undefined) continue;
    calls.push({ name, args: args.split(", "), result: Number(result) });
  }
  return calls;
}

/** Bytes of an argument such as `"\x73\x76"`. */
export function bytesOf(argument = ""): Buffer {
  return Buffer.from(argument.replaceAll(/^"|"(?:\.\.\.)?$/g, "").replaceAll("\\x", ""), "hex");
}

/** Path of an argument such as `21<\x2f\x61>`; undefined when it is not a file. */
export function pathOf(argument = ""): string | undefined {
  const [, path] = /^(?:\d+|AT_FDCWD)<(.*?)>$/.exec(argument) ?? [];
  return path?.startsWith("\\x") ? bytesOf(path).toString() : path;
}
