import { SvcError } from "../base/errors.ts";
import type { Storage, StoredFile } from "./storage.ts";

/** Storage that is gone with the process. */
export function memoryStorage(): Storage {
  const files = new Map<string, Uint8Array>();
  return {
    open(name) {
      const bytes = files.get(name);
      if (bytes === undefined) {
        throw new SvcError("INDEX_UNAVAILABLE", `The index has no file ${name}.`, {
          hint: "Run `svc index --rebuild`.",
        });
      }
      return memoryFile(bytes, name);
    },
    write(name, parts) {
      files.set(name, Buffer.concat(parts));
    },
    remove(name) {
      files.delete(name);
    },
    list: () => [...files.keys()],
  };
}

/** Bytes in memory as a stored file. */
export function memoryFile(bytes: Uint8Array, name: string): StoredFile {
  return {
    sizeBytes: bytes.length,
    read(offset, length) {
      if (offset + length > bytes.length) {
        throw new SvcError("INDEX_UNAVAILABLE", `The index file ${name} is too short.`, {
          hint: "Run `svc index --rebuild`.",
        });
      }
      // A copy, whose beginning can carry any typed array.
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
    close() {},
  };
}
