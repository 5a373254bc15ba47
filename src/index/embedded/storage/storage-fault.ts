import { damagedFile, writeRefused } from "../../damage.ts";
import type { Storage } from "./storage.ts";

type Operation = "open" | "read" | "write" | "remove" | "list";

/** A failing operation: the `nth` of its kind, from 1; every one by default. */
interface FaultPoint {
  readonly on: Operation | "any";
  readonly nth?: number;
}

/** The kind of failure. */
type Effect =
  /** The operation does nothing and fails with this disk error. */
  | { readonly fails: "ENOSPC" | "EIO" | "EACCES" }
  /** A write stores this many bytes under a temporary name, then fails with ENOSPC. */
  | { readonly tearsAfter: number }
  /** A read returns the byte at this offset XORed with `mask`. */
  | { readonly flips: number; readonly mask: number }
  /** The file reads as if it ended after this many bytes; if the operation is `open`, all later reads do. */
  | { readonly cutsTo: number }
  /** The process is killed (SIGKILL). `after` also applies to a failed operation. */
  | { readonly kills: "before" | "after" };

export type Fault = FaultPoint & Effect;

/**
 * Storage that fails at chosen operations, for tests of an index on a full or broken disk, after a power cut
 * and with damaged files. Without faults it behaves like `inner`. Operations are counted from 1, each kind
 * separately and all together; the same calls always meet the same faults. Nested wrappers combine; the outer
 * one counts first.
 */
export function faultyStorage(inner: Storage, faults: readonly Fault[]): Storage {
  const counts = new Map<Operation | "any", number>();

  function due(on: Operation): readonly Fault[] {
    for (const kind of [on, "any"] as const) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return faults.filter(
      (fault) =>
        (fault.on === on || fault.on === "any") &&
        (fault.nth === undefined || fault.nth === counts.get(fault.on)),
    );
  }

  /** Runs one operation; `run` gets the faults that change its data. */
  function operate<T>(on: Operation, what: string, run: (met: readonly Fault[]) => T): T {
    const met = due(on);
    const kills = (when: "before" | "after"): boolean =>
      met.some((fault) => "kills" in fault && fault.kills === when);
    if (kills("before")) die();
    try {
      for (const fault of met) if ("fails" in fault) throw failure(what, fault.fails);
      return run(met);
    } finally {
      if (kills("after")) die();
    }
  }

  return {
    open: (name) =>
      operate("open", `The index file ${name} cannot be opened`, (met) => {
        const file = inner.open(name);
        const sizeBytes = Math.min(file.sizeBytes, ...cuts(met));
        return {
          sizeBytes,
          read: (offset, length, to) =>
            operate("read", `The index file ${name} cannot be read`, (metByRead) => {
              if (offset + length > Math.min(sizeBytes, ...cuts(metByRead)))
                throw damagedFile(name);
              return flipped(file.read(offset, length, to), metByRead, offset);
            }),
          close: file.close,
        };
      }),
    write: (name, parts) =>
      operate("write", `The index file ${name} cannot be written`, (met) => {
        for (const fault of met) {
          if (!("tearsAfter" in fault)) continue;
          inner.write(`${name}.torn.tmp`, firstOf(parts, fault.tearsAfter));
          throw failure(`The index file ${name} cannot be written`, "ENOSPC");
        }
        return inner.write(name, parts);
      }),
    remove: (name) =>
      operate("remove", `The index file ${name} cannot be removed`, () => inner.remove(name)),
    list: () => operate("list", "The files of the index cannot be listed", () => inner.list()),
  };
}

function cuts(faults: readonly Fault[]): readonly number[] {
  return faults.flatMap((fault) => ("cutsTo" in fault ? [fault.cutsTo] : []));
}

/** Returns the first bytes of the parts. */
function* firstOf(parts: Iterable<Uint8Array>, bytes: number): Generator<Uint8Array, void> {
  let left = bytes;
  for (const part of parts) {
    yield part.subarray(0, left);
    left -= part.length;
    if (left <= 0) return;
  }
}

/** Damages bytes of a file, which begin at `offset`. */
function flipped(
  bytes: Uint8Array<ArrayBuffer>,
  faults: readonly Fault[],
  offset: number,
): Uint8Array<ArrayBuffer> {
  for (const fault of faults) {
    if (!("flips" in fault)) continue;
    const at = fault.flips - offset;
    const byte = bytes[at];
    if (byte !== undefined) bytes[at] = byte ^ fault.mask;
  }
  return bytes;
}

function failure(what: string, code: string): Error {
  return writeRefused(what, Object.assign(new Error(`${code}: made by a test`), { code }));
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  // Block until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
