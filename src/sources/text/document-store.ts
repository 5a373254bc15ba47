// The texts of documents, by the hash of the document. They cannot be read from the documents in a moment.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { zstdCompress, zstdDecompress } from "../../base/compression.ts";
import { decodeDocument } from "../../base/documents/encode-document.ts";
import type { DocumentText } from "../../base/documents/document.ts";
import { createPrivateDirectory, readRegularFile, writeFileAtomic } from "../../base/files.ts";
import type { TextArchive } from "./port.ts";

/** Where the texts of documents are kept that this machine has read. */
export interface DocumentStore {
  /** Returns the text of a document of a namespace; undefined if it is not stored, or damaged. */
  readonly read: (namespace: string, hash: string) => DocumentText | undefined;
  readonly archiveOf: (namespace: string) => TextArchive;
}

/** Decoded texts that a process keeps, in characters: a query reads the same document for each of its results. */
const MAX_KEPT_CHARS = 4 << 20;
/** More than any text of MAX_DOCUMENT_TEXT_CHARS takes. */
const MAX_STORED_BYTES = 64 << 20;

/** Keeps the texts as files with the rights of an index. `folderOf`: the folder of a namespace. */
export function documentFiles(folderOf: (namespace: string) => string): DocumentStore {
  const recent = new RecentDocuments();
  return {
    read: (namespace, hash) => {
      const file = join(folderOf(namespace), hash);
      return recent.get(file, () => {
        const bytes = contentOf(file);
        return bytes && decodeDocument(bytes);
      });
    },
    archiveOf: (namespace) => folderArchive(folderOf(namespace)),
  };
}

/** Keeps the texts in memory, for tests. */
export function documentsInMemory(): DocumentStore {
  const contents = new Map<string, Buffer>();
  return {
    read: (namespace, hash) => {
      const bytes = contents.get(`${namespace} ${hash}`);
      return bytes && decodeDocument(bytes);
    },
    archiveOf: (namespace) => ({
      keepsFiles: false,
      isFull: false,
      keep: (hash, bytes) => void contents.set(`${namespace} ${hash}`, Buffer.from(bytes)),
      find: async (hash) => contents.get(`${namespace} ${hash}`),
      flush: async () => undefined,
      collect: async (hashesOf) => {
        if (contents.size === 0) return;
        const hashes = await hashesOf();
        for (const key of contents.keys()) {
          const [owner, hash = ""] = key.split(" ");
          if (owner === namespace && !hashes.has(hash)) contents.delete(key);
        }
      },
    }),
  };
}

/** Its `keep` throws STORAGE_FULL and INDEX_UNAVAILABLE. */
function folderArchive(folder: string): TextArchive {
  return {
    keepsFiles: false,
    isFull: false,
    keep: (hash, bytes) => {
      createPrivateDirectory(folder);
      writeFileAtomic(join(folder, hash), zstdCompress(bytes));
    },
    find: async (hash) => contentOf(join(folder, hash)),
    flush: async () => undefined,
    collect: async (hashesOf) => {
      const names = namesIn(folder);
      if (names.length === 0) return;
      const hashes = await hashesOf();
      for (const name of names) {
        if (!hashes.has(name)) rmSync(join(folder, name), { force: true });
      }
    },
  };
}

function contentOf(file: string): Buffer | undefined {
  const bytes = readRegularFile(file, MAX_STORED_BYTES);
  try {
    return bytes && zstdDecompress(bytes);
  } catch {
    // It is damaged. The next run over the document reads it again.
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No document was ever stored.
    return [];
  }
}

/** The most recently read documents. What has a hash never changes. */
class RecentDocuments {
  /** The most recently used ones are last. */
  readonly #documents = new Map<string, DocumentText>();
  #chars = 0;

  get(key: string, read: () => DocumentText | undefined): DocumentText | undefined {
    const known = this.#documents.get(key);
    const document = known ?? read();
    if (document === undefined) return undefined;
    if (known !== undefined) this.#documents.delete(key);
    else this.#chars += document.text.length;
    this.#documents.set(key, document);
    for (const [oldest, { text }] of this.#documents) {
      if (this.#chars <= MAX_KEPT_CHARS || oldest === key) break;
      this.#documents.delete(oldest);
      this.#chars -= text.length;
    }
    return document;
  }
}
