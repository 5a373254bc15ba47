// Translates the system calls of a program into operations of the disk model.
import type { Operation } from "./disk-model.ts";
import { bytesOf, pathOf, type SystemCall } from "./system-calls.ts";

export type Step = Operation | { readonly kind: "print"; readonly text: string };

/** The operation of each call that succeeded. */
const STEPS: Readonly<Record<string, (call: SystemCall, path: string) => Step | undefined>> = {
  openat({ args }) {
    const [, path, flags] = args;
    return flags?.includes("O_CREAT")
      ? { kind: "create", path: bytesOf(path).toString() }
      : undefined;
  },
  write({ args }, path) {
    const bytes = bytesOf(args[1]);
    const isPrinted = args[0]?.startsWith("1<");
    return isPrinted ? { kind: "print", text: bytes.toString() } : { kind: "write", path, bytes };
  },
  writev: ({ args }, path) => ({ kind: "write", path, bytes: vectorOf(args) }),
  pwrite64: ({ args }, path) => ({
    kind: "write",
    path,
    offset: Number(args[3]),
    bytes: bytesOf(args[1]),
  }),
  ftruncate: ({ args }, path) => ({ kind: "truncate", path, size: Number(args[1]) }),
  fsync: (_, path) => ({ kind: "sync", path }),
  fdatasync: (_, path) => ({ kind: "sync", path }),
  unlink: (_, path) => ({ kind: "remove", path }),
  rename: ({ args }, path) => ({ kind: "rename", path, to: bytesOf(args[1]).toString() }),
  link: ({ args }, path) => ({ kind: "link", path, to: bytesOf(args[1]).toString() }),
  // Directories exist before, and modes have no lasting effect here.
  mkdir: () => undefined,
  fchmod: () => undefined,
};

function stepOf(call: SystemCall): Step | undefined {
  const [first] = call.args;
  const read = STEPS[call.name];
  if (read === undefined) throw new Error(`The model of the disk does not know ${call.name}.`);
  return call.result < 0 ? undefined : read(call, pathOf(first) ?? bytesOf(first).toString());
}

/** Returns the bytes of `[{iov_base="\\x..", iov_len=1}, ...]`. */
function vectorOf(args: readonly string[]): Buffer {
  const parts = args.join(", ").matchAll(/iov_base=("[^"]*")/g);
  return Buffer.concat([...parts].map(([, part]) => bytesOf(part)));
}

/**
 * Returns the steps of a trace that print, or that change files below `root`, given the files that existed before.
 */
export function diskSteps(
  calls: readonly SystemCall[],
  root: string,
  there: ReadonlySet<string> = new Set(),
): readonly Step[] {
  const known = new Set(there);
  const found: Step[] = [];
  for (const call of calls) {
    const step = stepOf(call);
    if (step === undefined) continue;
    if (step.kind !== "print") {
      // Shared memory is never read again after a restart.
      if (!step.path.startsWith(root) || step.path.endsWith("-shm")) continue;
      // Opening with O_CREAT created the file only if it did not exist.
      if (step.kind === "create" && known.has(step.path)) continue;
      if (step.kind === "create") known.add(step.path);
      if (step.kind === "remove" || step.kind === "rename") known.delete(step.path);
      if (step.kind === "link" || step.kind === "rename") known.add(step.to);
    }
    found.push(step);
  }
  return found;
}
