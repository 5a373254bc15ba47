import { damagedFile, writeRefused } from "../damage.ts";
import type { Storage, StoredFile } from "./storage.ts";

type Operation = "open" | "read" | "write" | "remove" | "list";

/** An operation that goes wrong: the `nth` of its kind, from 1; every one when that is left out. */
interface FaultPoint {
  readonly on: Operation | "any";
  readonly nth?: number;
}

/** What goes wrong. */
type Effect =
  /** The operation does nothing and fails as a disk's does that answers with this code. */
  | { readonly fails: "ENOSPC" | "EIO" | "EACCES" }
  /** So many bytes of a write arrive, under a temporary name; then it fails as for want of space. */
  | { readonly tearsAfter: number }
  /** The byte at this place of the file is read as XORed with `mask`. */
  | { readonly flips: number; readonly mask: number }
  /** The file is read as if it ended after so many bytes; from its opening on, if that is the operation. */
  | { readonly cutsTo: number }
  /** The process is killed (SIGKILL). `after` holds for a failed operation as well. */
  | { readonly kills: "before" | "after" };

export type Fault = FaultPoint & Effect;

/**
 * Storage that goes wrong at chosen moments, so that tests see what an index does on a full or broken
 * disk, after a power cut and with damaged files. Without faults it is `inner`. Operations are counted
 * from 1, each kind for itself and all together; the same calls meet the same faults. Several wrappers
 * around each other add up: the outer one counts first.
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

  /** Runs one operation; `run` sees the faults that change its data. */
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
          read: (offset, length) =>
            operate("read", `The index file ${name} cannot be read`, (metByRead) => {
              if (offset + length > Math.min(sizeBytes, ...cuts(metByRead)))
                throw damagedFile(name);
              return flipped(file, metByRead, { offset, length });
            }),
          close: file.close,
        };
      }),
    write: (name, parts) =>
      operate("write", `The index file ${name} cannot be written`, (met) => {
        for (const fault of met) {
          if (!("tearsAfter" in fault)) continue;
          inner.write(`${name}.torn.tmp`, [Buffer.concat(parts).subarray(0, fault.tearsAfter)]);
          throw failure(`The index file ${name} cannot be written`, "ENOSPC");
        }
        inner.write(name, parts);
      }),
    remove: (name) =>
      operate("remove", `The index file ${name} cannot be removed`, () => inner.remove(name)),
    list: () => operate("list", "The files of the index cannot be listed", () => inner.list()),
  };
}

function cuts(faults: readonly Fault[]): readonly number[] {
  return faults.flatMap((fault) => ("cutsTo" in fault ? [fault.cutsTo] : []));
}

function flipped(
  file: StoredFile,
  faults: readonly Fault[],
  { offset, length }: { offset: number; length: number },
): ReturnType<StoredFile["read"]> {
  const bytes = file.read(offset, length);
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
  // Nothing may happen until the signal has arrived.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
