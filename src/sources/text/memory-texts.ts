import { hash } from "node:crypto";

import { decodeText } from "./decode-text.ts";
import { MAX_TEXT_BYTES, type TextReader, type TextResult, type TextStore } from "./port.ts";
import { type KnownFile, SourceText } from "./source-text.ts";

/** Path in the namespace -> the content of a file, and the time of its last change in milliseconds since 1970. */
export type MemoryFiles = ReadonlyMap<string, { readonly bytes: Buffer; readonly mtimeMs: number }>;

/** The texts of namespaces in memory, for tests. `filesOf` returns the current files of a namespace. */
export function memoryTexts(filesOf: (namespace: string) => MemoryFiles): TextStore {
  return { open: (namespace) => readerOf(() => filesOf(namespace)) };
}

function readerOf(files: () => MemoryFiles): TextReader {
  const readNow = (path: string, known?: KnownFile): TextResult => {
    const file = files().get(path);
    if (file === undefined) return { problem: "gone", stamp: "" };
    const { bytes, mtimeMs } = file;
    const contentHash = hash("sha256", bytes);
    const stamp = `${contentHash} ${mtimeMs}`;
    if (bytes.length > MAX_TEXT_BYTES) return { problem: "too-large", stamp };
    return new SourceText({
      ...decodeText(bytes),
      bytes,
      sizeBytes: bytes.length,
      mtimeMs,
      ctimeMs: mtimeMs,
      stamp,
      isChanged: known !== undefined && known.hash !== contentHash.slice(0, 32),
      isContentOf: (row) => row.hash === contentHash.slice(0, 32),
      showsSecrets: false,
    });
  };
  return {
    read: async (path, known) => readNow(path, known),
    prefetch: async () => (path) => readNow(path),
    stampOf: async (path) => {
      const result = readNow(path);
      return result.stamp;
    },
  };
}
