import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

import { replaceFile, syncDirectory } from "../../../base/files.ts";
import { IndexDamage, writeRefused } from "../../damage.ts";
import type { Storage } from "./storage.ts";

/** Storage in a directory, which is created (0700) if it does not exist. */
export function diskStorage(directory: string): Storage {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    open: (name) => openFile(directory, name),
    write: (name, parts) =>
      explainingErrors(`The index file ${name} cannot be written`, () =>
        writeDurably(directory, name, parts),
      ),
    remove: (name) =>
      explainingErrors(`The index file ${name} cannot be removed`, () =>
        rmSync(join(directory, name), { force: true }),
      ),
    list: () =>
      explainingErrors("The files of the index cannot be listed", () => readdirSync(directory)),
  };
}

function explainingErrors<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw writeRefused(what, thrown);
  }
}

function openFile(directory: string, name: string): ReturnType<Storage["open"]> {
  let fd: number;
  try {
    fd = openSync(join(directory, name), "r");
  } catch (cause) {
    const what = `The index file ${name} cannot be opened`;
    throw codeOf(cause) === "ENOENT"
      ? new IndexDamage(`${what}.`, cause)
      : writeRefused(what, cause);
  }
  return {
    sizeBytes: fstatSync(fd).size,
    read(offset, length, to) {
      const bytes = to ?? new Uint8Array(length);
      let done = 0;
      while (done < length) {
        // A view costs as much as reading a page; one read is mostly enough.
        const rest = done === 0 ? bytes : bytes.subarray(done);
        const got = readInto(rest, { fd, name, offset: offset + done });
        if (got === 0) {
          throw new IndexDamage(`The index file ${name} is too short.`);
        }
        done += got;
      }
      return bytes;
    },
    close: () => closeSync(fd),
  };
}

function readInto(
  bytes: Uint8Array,
  { fd, name, offset }: { readonly fd: number; readonly name: string; readonly offset: number },
): number {
  try {
    return readSync(fd, bytes, 0, bytes.length, offset);
  } catch (thrown) {
    const what = `The index file ${name} cannot be read`;
    // The disk cannot read this part any more: the file is lost.
    throw codeOf(thrown) === "EIO"
      ? new IndexDamage(`${what}.`, thrown)
      : writeRefused(what, thrown);
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/**
 * Writes a temporary file, syncs it, renames it and syncs the directory: after a power cut the file is complete
 * or absent.
 */
function writeDurably(directory: string, name: string, parts: Iterable<Uint8Array>): number {
  const temporary = join(directory, `${name}.${process.pid}.tmp`);
  let bytes = 0;
  try {
    const fd = openSync(temporary, "wx", 0o600);
    try {
      for (const part of parts) {
        writeAll(fd, part);
        bytes += part.length;
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    replaceFile(temporary, join(directory, name));
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
  syncDirectory(directory);
  return bytes;
}

function writeAll(fd: number, part: Uint8Array): void {
  // The kernel may write less than requested.
  for (let done = 0; done < part.length;) done += writeSync(fd, part, done);
}
