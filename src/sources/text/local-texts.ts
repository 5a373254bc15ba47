// The texts of files on this machine.

import { hash } from "node:crypto";
import { closeSync, fstatSync, type Stats } from "node:fs";

import { documentFormatOf, MAX_DOCUMENT_BYTES } from "../../base/documents/document-formats.ts";
import { SvcError } from "../../base/errors.ts";
import { MIN_STABLE_AGE_MS, readFully } from "../../base/files.ts";
import { FolderReader } from "../folder-reader.ts";
import type { Source } from "../registry/records.ts";
import { RootChanged } from "../source-root.ts";
import { decodeText } from "./decode-text.ts";
import { DocumentHashes, documentNotRead, textOfDocument } from "./document-text.ts";
import { documentsInMemory, type DocumentStore } from "./document-store.ts";
import {
  MAX_TEXT_BYTES,
  type ReadNow,
  type TextProblem,
  type TextReader,
  type TextResult,
  type TextStore,
} from "./port.ts";
import { sourceOfPath } from "./source-of-path.ts";
import { type KnownFile, SourceText } from "./source-text.ts";

const MIN_BUFFER_BYTES = 64 << 10;

/**
 * Returns the texts of files on this machine. Reads them below the roots of their sources, and refuses symbolic links that
 * lead out. `documents`: the texts of documents.
 */
export function localTexts(documents: DocumentStore = documentsInMemory()): TextStore {
  return {
    open: (namespace, sources) => new LocalTexts({ namespace, sources, documents }),
    archiveOf: documents.archiveOf,
  };
}

interface LocalTextsOf {
  readonly namespace: string;
  readonly sources: readonly Source[];
  readonly documents: DocumentStore;
}

const hashes = new DocumentHashes();

class LocalTexts implements TextReader {
  readonly #of: LocalTextsOf;
  readonly #sources: readonly Source[];
  /** Root -> its folder, or why it cannot be read. */
  readonly #folders = new Map<string, FolderReader | SvcError>();
  /** Reused by each read: most files are small, and a query may read thousands. */
  #buffer = Buffer.allocUnsafe(0);

  constructor(of: LocalTextsOf) {
    this.#of = of;
    this.#sources = of.sources;
  }

  readonly read = async (path: string, known?: KnownFile): Promise<TextResult> =>
    this.#read(path, known);

  /** Every file of this machine can be read at once. Each time its folder is opened again: it may be a link by then. */
  readonly prefetch = async (): Promise<ReadNow> => (path) => new LocalTexts(this.#of).#read(path);

  #read(path: string, known?: KnownFile): TextResult {
    const place = sourceOfPath(this.#sources, path);
    if (place === undefined) return GONE;
    let file: number;
    try {
      file = this.#folderOf(place.source).open(place.relative);
    } catch (thrown) {
      return problemOf(thrown);
    }
    try {
      return this.#readOpen(file, path, { source: place.source, known });
    } catch (thrown) {
      // It cannot be read with the rights of this process, or the disk fails.
      if (thrown instanceof Error && "code" in thrown) return GONE;
      throw thrown;
    } finally {
      closeSync(file);
    }
  }

  readonly stampOf = async (path: string): Promise<string> => {
    const place = sourceOfPath(this.#sources, path);
    if (place === undefined) return "";
    let file: number;
    try {
      // Opened, because a folder of the path may now be a link that leads out.
      file = this.#folderOf(place.source).open(place.relative);
    } catch {
      return "";
    }
    try {
      return stampOfFile(fstatSync(file));
    } finally {
      closeSync(file);
    }
  };

  /** Throws PATH_NOT_FOUND if the root cannot be read, and RootChanged. */
  #folderOf(source: Source): FolderReader {
    let folder = this.#folders.get(source.root);
    if (folder === undefined) {
      try {
        folder = new FolderReader(source);
      } catch (thrown) {
        if (!(thrown instanceof SvcError)) throw thrown;
        folder = thrown;
      }
      this.#folders.set(source.root, folder);
    }
    if (folder instanceof SvcError) throw folder;
    return folder;
  }

  #readOpen(
    file: number,
    path: string,
    { source, known }: { readonly source: Source; readonly known: KnownFile | undefined },
  ): TextResult {
    const stat = fstatSync(file);
    const stamp = stampOfFile(stat);
    if (!stat.isFile()) return { problem: "gone", stamp };
    if (documentFormatOf(path) !== undefined)
      return this.#readDocument(file, path, { stat, source, known });
    if (stat.size > MAX_TEXT_BYTES) return tooLarge(path, stat.size, stamp);
    const bytes = this.#bytesOf(file, stat);
    if (bytes.length > MAX_TEXT_BYTES) return tooLarge(path, bytes.length, stamp);
    const { text, isAscii, isBinary } = decodeText(bytes);
    return new SourceText({
      bytes,
      text,
      isAscii,
      isBinary,
      sizeBytes: bytes.length,
      mtimeMs: stat.mtimeMs,
      ctimeMs: stat.ctimeMs,
      stamp,
      isChanged: known !== undefined && hasChanged(known, stat, bytes),
      isContentOf: (row) => isUntouched(row, stat),
      showsSecrets: source.showsSecrets === true,
    });
  }

  /** Reads the stored text of a document. */
  #readDocument(
    file: number,
    path: string,
    {
      stat,
      source,
      known,
    }: {
      readonly stat: Stats;
      readonly source: Source;
      readonly known: KnownFile | undefined;
    },
  ): TextResult {
    const stamp = stampOfFile(stat);
    if (stat.size > MAX_DOCUMENT_BYTES) return tooLarge(path, stat.size, stamp, MAX_DOCUMENT_BYTES);
    const isKnown = known !== undefined && isUntouched(known, stat);
    const contentHash = isKnown ? known.hash : hashes.hashOf(file, stat, stamp);
    const document = this.#of.documents.read(this.#of.namespace, contentHash);
    if (document === undefined) return documentNotRead(path, stamp);
    return textOfDocument(document, {
      sizeBytes: stat.size,
      mtimeMs: stat.mtimeMs,
      ctimeMs: stat.ctimeMs,
      stamp,
      isChanged: known !== undefined && known.hash !== contentHash,
      isContentOf: (row) => isUntouched(row, stat),
      showsSecrets: source.showsSecrets === true,
    });
  }

  /** Returns all bytes of the file, up to one more than the limit. */
  #bytesOf(file: number, stat: Stats): Buffer {
    // Files with size 0 may have content, such as those in /proc.
    const length = stat.size === 0 ? MIN_BUFFER_BYTES : stat.size;
    this.#ensureBuffer(length);
    let end = readFully(file, this.#buffer.subarray(0, length));
    if (stat.size === 0 && end === length) {
      const start = Buffer.from(this.#buffer.subarray(0, end));
      this.#ensureBuffer(MAX_TEXT_BYTES + 1);
      start.copy(this.#buffer);
      end += readFully(file, this.#buffer.subarray(end, MAX_TEXT_BYTES + 1));
    }
    return this.#buffer.subarray(0, end);
  }

  #ensureBuffer(length: number): void {
    if (this.#buffer.length >= length) return;
    this.#buffer = Buffer.allocUnsafe(Math.max(MIN_BUFFER_BYTES, length));
  }
}

const GONE: TextProblem = { problem: "gone", stamp: "" };

function problemOf(thrown: unknown): TextProblem {
  if (thrown instanceof RootChanged) return { problem: "root-changed", error: thrown, stamp: "" };
  if (thrown instanceof SvcError && thrown.code === "PATH_OUTSIDE_SOURCE") {
    return { problem: "outside", error: thrown, stamp: "" };
  }
  return GONE;
}

function tooLarge(path: string, bytes: number, stamp: string, limit = MAX_TEXT_BYTES): TextProblem {
  const [size, most] = [bytes, limit].map((count) => `${Math.round(count / (1 << 20))} MiB`);
  const error = new SvcError(
    "PATH_NOT_FOUND",
    `${path} has ${size}; files above ${most} are not read.`,
    { hint: "Read a part of it with another tool." },
  );
  return { problem: "too-large", error, stamp };
}

/** The ctime reveals writes after which the mtime was set back: only the system can set it. */
function stampOfFile({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

/** Whether nothing has changed the file since it was indexed. A program can set mtime back, but not ctime. */
function isUntouched(known: KnownFile, { ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  return (
    ino === known.inode &&
    size === known.size &&
    mtimeMs === known.mtimeMs &&
    ctimeMs + MIN_STABLE_AGE_MS < known.indexedMs
  );
}

/** A file with another time may still have the same content. */
function hasChanged(known: KnownFile, { size, mtimeMs }: Stats, bytes: Buffer): boolean {
  if (size !== known.size) return true;
  return mtimeMs !== known.mtimeMs && hash("sha256", bytes).slice(0, 32) !== known.hash;
}
