// Traces the system calls of a program with strace, and kills the program at any of them.
import { readFileSync } from "node:fs";

/** All calls that change a file or a directory, or what of them survives a power cut. */
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

// Only the main thread: the store runs in it, and other threads vary from run to run.
const STRACE = ["strace", "-qqq", "-e", "signal=none"];

/** Returns a command prefix that logs write calls to `file`; with `opens`, open calls too. */
export function traced(file: string, { opens = false } = {}): readonly string[] {
  const calls = [...WRITES, ...(opens ? ["openat"] : [])];
  return [...STRACE, "-y", "-xx", "-s", "4194304", "-e", `trace=${calls.join()}`, "-o", file];
}

/** Returns a command prefix that kills the program at a call, or makes the call fail, before it has any effect. */
export function faulty(
  { name, nth }: { readonly name: string; readonly nth: number },
  fault: "signal=SIGKILL" | "error=EIO",
): readonly string[] {
  const filter = ["-e", `trace=${name}`, "-e", `inject=${name}:${fault}:when=${nth}`];
  return [...STRACE, ...filter, "-o", "/dev/null"];
}

export interface SystemCall {
  readonly name: string;
  /** Arguments as strace prints them; `bytesOf` and `pathOf` decode them. */
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

/** Returns the bytes of an argument such as `"\x73\x76"`. */
export function bytesOf(argument = ""): Buffer {
  return Buffer.from(argument.replaceAll(/^"|"(?:\.\.\.)?$/g, "").replaceAll("\\x", ""), "hex");
}

/** Returns the path of an argument such as `21<\x2f\x61>`; undefined when it is not a file. */
export function pathOf(argument = ""): string | undefined {
  const [, path] = /^(?:\d+|AT_FDCWD)<(.*?)>$/.exec(argument) ?? [];
  return path?.startsWith("\\x") ? bytesOf(path).toString() : path;
}
