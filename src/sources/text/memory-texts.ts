import { hash } from "node:crypto";

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { decodeText } from "./decode-text.ts";
import { documentNotRead, textOfDocument } from "./document-text.ts";
import { documentsInMemory, type DocumentStore } from "./document-store.ts";
import { MAX_TEXT_BYTES, type TextReader, type TextResult, type TextStore } from "./port.ts";
import { type KnownFile, SourceText } from "./source-text.ts";

/** Path in the namespace -> the content of a file, and the time of its last change in milliseconds since 1970. */
export type MemoryFiles = ReadonlyMap<string, { readonly bytes: Buffer; readonly mtimeMs: number }>;

/** The texts of namespaces in memory, for tests. `filesOf` returns the current files of a namespace. */
export function memoryTexts(filesOf: (namespace: string) => MemoryFiles): TextStore {
  const documents = documentsInMemory();
  return {
    open: (namespace) =>
      readerOf(
        () => filesOf(namespace),
        (contentHash) => documents.read(namespace, contentHash),
      ),
    archiveOf: documents.archiveOf,
  };
}

function readerOf(
  files: () => MemoryFiles,
  documentOf: (contentHash: string) => ReturnType<DocumentStore["read"]>,
): TextReader {
  const readNow = (path: string, known?: KnownFile): TextResult => {
    const file = files().get(path);
    if (file === undefined) return { problem: "gone", stamp: "" };
    const { bytes, mtimeMs } = file;
    const contentHash = hash("sha256", bytes);
    const stamp = `${contentHash} ${mtimeMs}`;
    const facts = {
      sizeBytes: bytes.length,
      mtimeMs,
      ctimeMs: mtimeMs,
      stamp,
      isChanged: known !== undefined && known.hash !== contentHash.slice(0, 32),
      isContentOf: (row: KnownFile) => row.hash === contentHash.slice(0, 32),
      showsSecrets: false,
    };
    if (documentFormatOf(path) !== undefined) {
      const document = documentOf(contentHash.slice(0, 32));
      return document === undefined
        ? documentNotRead(path, stamp)
        : textOfDocument(document, facts);
    }
    if (bytes.length > MAX_TEXT_BYTES) return { problem: "too-large", stamp };
    return new SourceText({ ...decodeText(bytes), ...facts, bytes });
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
