import { IndexDamage } from "../../damage.ts";
import type { Storage, StoredFile } from "./storage.ts";

/** Storage in memory. */
export function memoryStorage(): Storage {
  const files = new Map<string, Uint8Array>();
  return {
    open(name) {
      const bytes = files.get(name);
      if (bytes === undefined) {
        throw new IndexDamage(`The index has no file ${name}.`);
      }
      return memoryFile(bytes, name);
    },
    write(name, parts) {
      // A part is valid until the next one is asked for.
      const bytes = Buffer.concat(Array.from(parts, (part) => part.slice()));
      files.set(name, bytes);
      return bytes.length;
    },
    remove(name) {
      files.delete(name);
    },
    list: () => [...files.keys()],
  };
}

/** Wraps bytes as a stored file. */
export function memoryFile(bytes: Uint8Array, name: string): StoredFile {
  return {
    sizeBytes: bytes.length,
    read(offset, length, to = new Uint8Array(length)) {
      if (offset + length > bytes.length) {
        throw new IndexDamage(`The index file ${name} is too short.`);
      }
      // A copy, whose start is aligned for any typed array.
      to.set(bytes.subarray(offset, offset + length));
      return to;
    },
    close() {},
  };
}
