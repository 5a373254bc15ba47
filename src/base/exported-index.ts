// The form in which a server offers an index to other machines: its list of files and segments. Nothing of the change log,
// of monitors and of documents' texts is in it.

/** One file whose content is complete. */
export type ExportedFile = readonly [
  path: string,
  /** The first 128 bits of the content's SHA-256, in hex. */
  hash: string,
  sizeBytes: number,
  language: string,
  /** Index in FILE_ROLES. */
  role: number,
  flags: number,
  chunks: number,
  symbols: number,
  /** Index of its segment in the list of segments. */
  segment: number,
  /** Index of the file in the segment. */
  ordinal: number,
];

export interface ExportedSegment {
  readonly name: string;
  /** Number of files, including those that are not exported. */
  readonly files: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** The PageRanks of its files and of its symbols, in base64; missing if they have not been computed. */
  readonly ranks?: { readonly files: string; readonly symbols: string } | undefined;
}

/** A version of an index without the content of its segments. */
export interface ExportedIndex {
  /** Version of the tables and segments. */
  readonly format: number;
  /** Id of the embedding table; "" without vectors. */
  readonly embedder: string;
  readonly generation: number;
  readonly shards: number;
  /** Number of files that have changed since PageRank was computed. */
  readonly staleRanks: number;
  readonly segments: readonly ExportedSegment[];
  readonly files: readonly ExportedFile[];
}

/** The names that segments have: no path can be written with them. */
export const SEGMENT_NAME = /^[0-9a-z]{1,16}-[0-9a-f]{8}(?:-\d{1,4}of\d{1,4})?$/;

/** A server sends up to this many bytes of a segment at once. */
export const MAX_PART_BYTES = 4 << 20;

/** Where a server offers the index of a namespace; its segments are below that. */
export function exportPath(namespace: string): string {
  return `/v1/namespaces/${namespace}/index`;
}
