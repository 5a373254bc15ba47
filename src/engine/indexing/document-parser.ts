// Reads one document after the other and produces its index entry. The text of a document is stored, so it is extracted
// only once: see `TextArchive`.

import { hash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";

import {
  documentFormatOf,
  MAX_DOCUMENT_BYTES,
  type DocumentFormat,
} from "../../base/documents/document-formats.ts";
import type { DocumentText } from "../../base/documents/document.ts";
import { decodeDocument } from "../../base/documents/encode-document.ts";
import { readFully } from "../../base/files.ts";
import type { Grammars } from "../../parse/syntax.ts";
import { skipReasonOf } from "../../scan/read-text-file.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { FolderReader } from "../../sources/folder-reader.ts";
import type { SourceRoot } from "../../sources/source-root.ts";
import type { TextArchive } from "../../sources/text/port.ts";
import type { FileResult, FileTask } from "./file-parser.ts";
import { DocumentThread } from "./document-thread.ts";
import { indexEntry } from "./index-entry.ts";

interface DocumentParserOptions {
  /** By id. */
  readonly sources: ReadonlyMap<number, SourceRoot>;
  readonly grammars: () => Promise<Grammars>;
  readonly texts: TextArchive;
  readonly hasLowPriority: boolean;
}

/** A document as the archive stores its text. */
interface ReadDocument {
  readonly document: DocumentText;
  readonly encoded: Buffer;
}

export class DocumentParser {
  readonly #options: DocumentParserOptions;
  readonly #thread: DocumentThread;

  constructor(options: DocumentParserOptions) {
    this.#options = options;
    this.#thread = new DocumentThread(options.hasLowPriority);
  }

  async parse(task: FileTask): Promise<FileResult> {
    const { source, path, pathInSource, size, mtimeMs, inode, unchangedHash } = task;
    const indexedMs = Date.now();
    const bytes = this.#bytesOf(task);
    if ("skip" in bytes) return { skip: bytes.skip, indexedMs };
    const contentHash = hash("sha256", bytes).slice(0, 32);
    const stored = await this.#stored(contentHash);
    if (contentHash === unchangedHash && stored !== undefined) {
      return { isUnchanged: true, indexedMs };
    }
    const read = stored ?? (await this.#extract(pathInSource, bytes));
    if ("skip" in read) return { skip: read.skip, indexedMs };
    const { document, encoded } = read;
    const { text } = document;
    const file = { source, path, pathInSource, text, bytes: Buffer.from(text), document };
    const times = { size, mtimeMs, inode, indexedMs };
    const chunking = await import("../../chunk/chunk.ts");
    const grammars = await this.#options.grammars();
    const entry = indexEntry(
      { ...file, hash: contentHash, generated: false, times },
      chunking,
      grammars,
    );
    const { chunked } = entry;
    const omitted = document.omission === undefined ? undefined : "document-partial";
    const monitored = { path, text, chunked };
    const problem = chunked.problem ?? omitted;
    const rawBytes = stored === undefined ? encoded : undefined;
    return { parsed: { ...entry, rawBytes, problem, monitored }, indexedMs };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** The bytes are in memory of their own, which can be given to a thread. */
  #bytesOf({
    source,
    pathInSource,
  }: FileTask): Buffer<ArrayBuffer> | { readonly skip: SkipReason } {
    const root = this.#options.sources.get(source);
    if (root === undefined) throw new RangeError(`no source ${source}`);
    let file: number;
    try {
      // A folder may have become a link that leads out since the scan.
      file = new FolderReader(root).open(pathInSource);
    } catch (thrown) {
      return { skip: skipReasonOf(thrown) };
    }
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return { skip: "not-a-file" };
      if (stat.size > MAX_DOCUMENT_BYTES) return { skip: "too-large" };
      const bytes = Buffer.from(new ArrayBuffer(stat.size));
      return bytes.subarray(0, readFully(file, bytes));
    } catch (thrown) {
      return { skip: skipReasonOf(thrown) };
    } finally {
      closeSync(file);
    }
  }

  async #stored(contentHash: string): Promise<ReadDocument | undefined> {
    const encoded = await this.#options.texts.find(contentHash);
    const document = encoded && decodeDocument(encoded);
    return document && { document, encoded };
  }

  async #extract(
    path: string,
    bytes: Buffer<ArrayBuffer>,
  ): Promise<ReadDocument | { readonly skip: SkipReason }> {
    const reply = await this.#thread.extract(formatOf(path), bytes);
    if ("failure" in reply) return { skip: reply.failure };
    const { buffer, byteOffset, byteLength } = reply.encoded;
    const encoded = Buffer.from(buffer, byteOffset, byteLength);
    const document = decodeDocument(encoded);
    return document === undefined ? { skip: "document-damaged" } : { document, encoded };
  }
}

function formatOf(path: string): DocumentFormat {
  const format = documentFormatOf(path);
  if (format === undefined) throw new RangeError("this is no document");
  return format;
}
