import { SvcError } from "../base/errors.ts";
import type { Storage } from "./storage.ts";

/** Storage that is gone with the process. */
export function memoryStorage(): Storage {
  const files = new Map<string, Uint8Array>();
  return {
    open(name) {
      const bytes = files.get(name);
      if (bytes === undefined) {
        throw new SvcError("INDEX_UNAVAILABLE", `The index has no file ${name}.`);
      }
      return {
        sizeBytes: bytes.length,
        read(offset, length) {
          if (offset + length > bytes.length) {
            throw new SvcError("INDEX_UNAVAILABLE", `The index file ${name} is too short.`);
          }
          return new Uint8Array(bytes.subarray(offset, offset + length));
        },
        close() {},
      };
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
