// Gives out the indexes of a data directory: see index-export.ts.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { SvcError } from "../../base/errors.ts";
import type { ExportedFile, ExportedIndex, ExportedSegment } from "../../base/exported-index.ts";
import { COMPILER_NOTE } from "../compiler-facts/manifest.ts";
import type { IndexExports, SegmentPart } from "../index-export.ts";
import { FILE_ROLES } from "../types.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { CATALOG_VERSION } from "./catalog/catalog-schema.ts";
import type { StoredFileRow } from "./catalog/file-row.ts";
import { EMBEDDER_KEY, noteKey, SHARDS_KEY, STALE_COUNT_KEY } from "./catalog/meta-keys.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { RANK_VERSION_KEY } from "./pagerank/segment-ranks.ts";
import type { Storage } from "./storage/storage.ts";

/** The files of an index that are open. */
interface OpenFiles {
  readonly catalog: Catalog;
  readonly storage: Storage;
}

export class EmbeddedExports implements IndexExports {
  readonly #open: (namespace: AuthorizedNamespace) => OpenFiles | undefined;

  constructor(open: (namespace: AuthorizedNamespace) => OpenFiles | undefined) {
    this.#open = open;
  }

  readonly version: IndexExports["version"] = async (namespace) => {
    const catalog = this.#open(namespace)?.catalog;
    if (catalog === undefined || catalog.generation() === 0) return undefined;
    // PageRank is computed without a new generation.
    const ranks = catalog.meta(RANK_VERSION_KEY) ?? "0";
    return `${catalog.meta("epoch")}.${catalog.generation()}.${ranks}`;
  };

  readonly list: IndexExports["list"] = async (namespace) => {
    const catalog = this.#open(namespace)?.catalog;
    if (catalog === undefined || catalog.generation() === 0)
      throw new SvcError("INDEX_EMPTY", `"${namespace}" has no index yet.`);
    requireUsable(catalog, namespace);
    return catalog.snapshot(() => exported(catalog));
  };

  readonly part: IndexExports["part"] = async (namespace, name, { offset, length }) => {
    const opened = this.#open(namespace);
    const row = opened?.catalog.segments.all().find((segment) => segment.name === name);
    if (opened === undefined || row === undefined) return undefined;
    try {
      return read(opened, row, { offset, length });
    } catch (thrown) {
      // A writer has merged it since.
      const isGone = !opened.catalog.segments.all().some((segment) => segment.name === name);
      if (isGone) return undefined;
      throw thrown;
    }
  };
}

/** Facts of compilers are about files and not in the segments, and the next run replaces an older format. */
function requireUsable(catalog: Catalog, namespace: string): void {
  const hasFacts = (catalog.meta(noteKey(COMPILER_NOTE)) ?? "") !== "";
  if (!hasFacts && catalog.isCurrent) return;
  const why = hasFacts ? "has facts of a compiler (SCIP)" : "was written by an older svc";
  throw new SvcError(
    "INDEX_UNAVAILABLE",
    `The index of "${namespace}" ${why}, so other machines cannot start from it.`,
    {
      hint: hasFacts ? "Index the files on this machine." : "The next run on the server fixes it.",
    },
  );
}

function exported(catalog: Catalog): ExportedIndex {
  const rows = catalog.files.all().filter(isExported);
  const used = new Set(rows.map(({ segment }) => segment));
  const segments = catalog.segments.all().filter(({ id }) => used.has(id));
  const places = new Map(segments.map(({ id }, at) => [id, at]));
  return {
    format: CATALOG_VERSION,
    embedder: catalog.meta(EMBEDDER_KEY) ?? "",
    generation: catalog.generation(),
    shards: Number(catalog.meta(SHARDS_KEY) ?? 1),
    staleRanks: Number(catalog.meta(STALE_COUNT_KEY) ?? 0),
    segments: segments.map((row) => exportedSegment(catalog, row)),
    files: rows.map((row) => exportedFile(row, places)),
  };
}

/** Complete files, without documents: the texts of these are not in the segments. */
function isExported({ stage, segment, hash, problem, path }: StoredFileRow): boolean {
  const isComplete = stage === "complete" && segment !== null && hash !== "";
  return isComplete && problem === undefined && documentFormatOf(path) === undefined;
}

function exportedSegment(
  catalog: Catalog,
  { id, name, files, bytes }: SegmentRow,
): ExportedSegment {
  const ranks = catalog.segments.ranks(id);
  if (ranks === undefined) return { name, files, bytes };
  const [ofFiles = "", ofSymbols = ""] = [ranks.files, ranks.symbols].map((codes) =>
    Buffer.from(codes).toString("base64"),
  );
  return { name, files, bytes, ranks: { files: ofFiles, symbols: ofSymbols } };
}

function exportedFile(row: StoredFileRow, places: ReadonlyMap<number, number>): ExportedFile {
  const { path, hash, size, language, role, flags, chunks, symbols, segment, ordinal } = row;
  const facts = [language, FILE_ROLES.indexOf(role), flags, chunks, symbols] as const;
  return [path, hash, size, ...facts, places.get(segment ?? -1) ?? -1, ordinal ?? -1];
}

function read(
  { catalog, storage }: OpenFiles,
  { name, isRow }: SegmentRow,
  { offset, length }: { readonly offset: number; readonly length: number },
): SegmentPart | undefined {
  if (isRow) {
    const body = catalog.segments.body(name);
    return body && { bytes: body.subarray(offset, offset + length), total: body.length };
  }
  const file = storage.open(name);
  try {
    const total = file.sizeBytes;
    const count = Math.max(0, Math.min(length, total - offset));
    return { bytes: file.read(Math.min(offset, total), count), total };
  } finally {
    file.close();
  }
}
