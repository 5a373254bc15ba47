// The texts of files in the database of a shared backend, for nodes that have no copy of the sources.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { zstdCompress, zstdDecompress } from "../../base/compression.ts";
import { decodeDocument } from "../../base/documents/encode-document.ts";
import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { SvcError } from "../../base/errors.ts";
import type { Database } from "../../postgres/database.ts";
import type { Source } from "../registry/records.ts";
import { decodeText } from "./decode-text.ts";
import { documentNotRead, textOfDocument } from "./document-text.ts";
import {
  MAX_TEXT_BYTES,
  type TextArchive,
  type TextProblem,
  type TextReader,
  type TextResult,
  type TextStore,
} from "./port.ts";
import { sourceOfPath } from "./source-of-path.ts";
import { type KnownFile, SourceText, type SourceTextParts } from "./source-text.ts";

/** Returns what the index knows of a file; undefined if it does not list it. */
type FileLookup = (namespace: AuthorizedNamespace, path: string) => Promise<KnownFile | undefined>;

/** Contents that a process keeps, in bytes. */
const MAX_KEPT_BYTES = 64 << 20;
/** Size of the contents that one statement stores, compressed. */
const MAX_BATCH_BYTES = 4 << 20;
/** A statement has up to 65,535 values; each row takes two. */
const MAX_BATCH_ROWS = 1000;
/** Contents that no file has stay for so long: a query may be reading them. */
const MIN_UNUSED_MS = 10 * 60_000;

interface CompressedContent {
  readonly hash: string;
  readonly body: Buffer;
}

/** Contents by namespace and hash. They never change. */
export class PostgresTexts implements TextStore {
  readonly #database: Database;
  readonly #fileOf: FileLookup;
  /** The most recently used ones are last. */
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;

  constructor(database: Database, fileOf: FileLookup) {
    this.#database = database;
    this.#fileOf = fileOf;
  }

  readonly open: TextStore["open"] = (namespace, sources) => {
    const files = new Map<string, KnownFile | undefined>();
    const fileOf = async (path: string): Promise<KnownFile | undefined> => {
      if (!files.has(path)) files.set(path, await this.#fileOf(namespace, path));
      return files.get(path);
    };
    const load = (of: readonly (KnownFile | undefined)[]): Promise<ReadonlyMap<string, Buffer>> =>
      this.#load(
        namespace,
        of.flatMap((file) => (file === undefined ? [] : [file.hash])),
      );
    const textOf = (
      path: string,
      contents: ReadonlyMap<string, Buffer>,
      {
        file,
        known,
      }: { readonly file: KnownFile | undefined; readonly known?: KnownFile | undefined },
    ): TextResult => {
      if (file === undefined || file.hash === "") return GONE;
      const isDocument = documentFormatOf(path) !== undefined;
      if (file.size > MAX_TEXT_BYTES && !isDocument) {
        return { problem: "too-large", stamp: file.hash };
      }
      const bytes = contents.get(file.hash);
      if (bytes === undefined) return notStored(path, file);
      const facts = textFacts({ file, known, source: sourceOfPath(sources, path)?.source });
      if (!isDocument) return new SourceText({ ...decodeText(bytes), ...facts, bytes });
      const document = decodeDocument(bytes);
      return document === undefined
        ? documentNotRead(path, file.hash)
        : textOfDocument(document, facts);
    };
    const reader: TextReader = {
      read: async (path, known) => {
        const file = await fileOf(path);
        return textOf(path, await load([file]), { file, known });
      },
      prefetch: async (paths) => {
        // All contents are read now, because they may have been deleted later.
        const contents = await load(await Promise.all(paths.map(fileOf)));
        return (path) => textOf(path, contents, { file: files.get(path) });
      },
      stampOf: async (path) => {
        const file = await fileOf(path);
        return file?.hash ?? "";
      },
    };
    return reader;
  };

  /** Its methods throw BACKEND_UNAVAILABLE and STORAGE_FULL. */
  readonly archiveOf = (namespace: string): TextArchive => {
    const kept = new Set<string>();
    let pending: CompressedContent[] = [];
    let pendingBytes = 0;
    return {
      keepsFiles: true,
      get isFull() {
        return pendingBytes >= MAX_BATCH_BYTES;
      },
      keep: (hash, bytes) => {
        if (kept.has(hash)) return;
        kept.add(hash);
        const body = zstdCompress(bytes);
        pending.push({ hash, body });
        pendingBytes += body.length;
      },
      find: async (hash) => {
        const contents = await this.#load(namespace, [hash]);
        return contents.get(hash);
      },
      flush: async () => {
        const contents = pending;
        pending = [];
        pendingBytes = 0;
        for (const batch of batchesOf(contents)) {
          // oxlint-disable-next-line no-await-in-loop -- one batch in memory of the connection at a time
          await this.#store(namespace, batch);
        }
      },
      collect: async (hashesOf) => {
        const hashes = await hashesOf();
        await this.#database.query(
          "DELETE FROM file_content WHERE namespace = $1 AND NOT hash = ANY ($2) " +
            "AND stored_at < clock_timestamp() - $3 * interval '1 ms'",
          [namespace, [...hashes], MIN_UNUSED_MS],
        );
      },
    };
  };

  async #store(namespace: string, batch: readonly CompressedContent[]): Promise<void> {
    const rows = batch.map((_, at) => `($1, $${2 * at + 2}, $${2 * at + 3}::bytea)`);
    await this.#database.query(
      `INSERT INTO file_content (namespace, hash, body) VALUES ${rows.join(", ")} ` +
        "ON CONFLICT (namespace, hash) DO UPDATE SET stored_at = clock_timestamp()",
      [namespace, ...batch.flatMap(({ hash, body }) => [hash, body])],
    );
  }

  /** Returns contents by hash, of which this process may keep some. Those that the database does not have are missing. */
  async #load(namespace: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const contents = new Map<string, Buffer>();
    for (const hash of hashes) {
      const kept = this.#keptContent(namespace, hash);
      if (kept !== undefined) contents.set(hash, kept);
    }
    const missing = hashes.filter((hash) => !contents.has(hash));
    if (missing.length === 0) return contents;
    const rows = await this.#database.query(
      "SELECT hash, body FROM file_content WHERE namespace = $1 AND hash = ANY ($2)",
      [namespace, missing],
    );
    for (const { hash, body } of rows) {
      if (!Buffer.isBuffer(body)) continue;
      const content = zstdDecompress(body);
      contents.set(String(hash), content);
      this.#keep(keyOf(namespace, String(hash)), content);
    }
    return contents;
  }

  #keptContent(namespace: string, hash: string): Buffer | undefined {
    const key = keyOf(namespace, hash);
    const content = this.#kept.get(key);
    if (content === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, content);
    return content;
  }

  #keep(key: string, content: Buffer): void {
    this.#kept.set(key, content);
    this.#keptBytes += content.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES || oldest === key) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
  }
}

function batchesOf(contents: readonly CompressedContent[]): readonly CompressedContent[][] {
  const batches: CompressedContent[][] = [];
  let bytes = Infinity;
  for (const content of contents) {
    if (bytes >= MAX_BATCH_BYTES || (batches.at(-1)?.length ?? 0) >= MAX_BATCH_ROWS) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(content);
    bytes += content.body.length;
  }
  return batches;
}

const GONE: TextProblem = { problem: "gone", stamp: "" };

function keyOf(namespace: string, hash: string): string {
  return `${namespace} ${hash}`;
}

function notStored(path: string, { hash }: KnownFile): TextProblem {
  const error = new SvcError("PATH_NOT_FOUND", `The shared backend has no text of "${path}".`, {
    hint: "It has the texts of indexed files only; `svc status --skipped` lists the others.",
  });
  return { problem: "gone", error, stamp: hash };
}

function textFacts({
  file,
  known,
  source,
}: {
  readonly file: KnownFile;
  readonly known: KnownFile | undefined;
  readonly source: Source | undefined;
}): Omit<SourceTextParts, "bytes" | "text" | "isAscii" | "isBinary"> {
  return {
    sizeBytes: file.size,
    mtimeMs: file.mtimeMs,
    ctimeMs: file.mtimeMs,
    stamp: file.hash,
    isChanged: known !== undefined && known.hash !== file.hash,
    isContentOf: (row) => row.hash === file.hash,
    showsSecrets: source?.showsSecrets === true,
  };
}
