// A segment on disk. docs/index-format.md has the picture.
//
//   magic | section | ... | page sums | directory (JSON) | directory length u32 | directory crc u32 | magic
//
// A section is found through the directory. What lies before the page sums is verified page by page. Numbers are little endian; a section begins at a multiple
// of 8 bytes, so that typed arrays can lie on it.

/** The format that is written. What a change of the terms, the chunks or the layout must raise. */
export const FORMAT_VERSION = 6;
//  1  0.8.0  body, names and path fields; chunk and file columns
//  2  0.8.0  one list of postings a term, outlines a file instead of columns a chunk, symbols, trigrams
//  3  0.9.0  vectors
//  4  0.9.0  what files use of each other; access and name lines of symbols
//  5  0.9.0  checksums of pages
//  6  0.9.0  fields are a kind of their own

/** Segments of these formats can be read … */
export const MIN_READABLE_VERSION = 6;
/** … those from here on may get new segments beside them, written in FORMAT_VERSION … */
export const MIN_WRITABLE_VERSION = 6;
/** … and an index below this is dropped and built anew from its sources. */
export const REBUILD_BELOW = 6;

export const MAGIC = 0x31585653; // "SVX1"
export const TERMS_PER_BLOCK = 32;

/**
 * What a term of the dictionary may stand in. Documents are chunks in `body` (the text) and `names`
 * (what the chunk defines), files in `path`, symbols in `symbols`, and files in `uses`. Terms of the last two
 * are whole names in lower case; in `uses` also the last parts of imported modules, behind a "/".
 */
export const TERM_FIELDS = ["body", "names", "path", "symbols", "uses"] as const;
export type Field = (typeof TERM_FIELDS)[number];

export const FILE_ROLES = ["code", "tests", "docs", "config"] as const;
export type Role = (typeof FILE_ROLES)[number];

export const CHUNK_KINDS = [
  "text",
  "section",
  "function",
  "method",
  "class",
  "type",
  "constant",
  "module",
  "field",
] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** From where a symbol can be used (see parse/languages/definition-rules.ts). */
export const ACCESS_LEVELS = ["exported", "internal", "private"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** Facts about a file that ranking reads, as bits. */
export const FileFlag = { generated: 1, example: 2, vendored: 4 } as const;

export const SECTIONS = [
  "postings",
  "terms",
  "blocks",
  "lengths",
  "fileColumns",
  "pathOrder",
  "filePaths",
  "outlines",
  "references",
  "trigramKeys",
  "trigramPostings",
  "vectors",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/**
 * Columns of `fileColumns`, u32 each, all values of one before those of the next. `firstVector` is the place
 * of the vector of the file's first chunk plus 1, and 0 for a file without vectors.
 */
export const FILE_COLUMNS = [
  "firstChunk",
  "firstSymbol",
  "outline",
  "references",
  "length",
  "facts",
  "firstVector",
] as const;
export type FileColumn = (typeof FILE_COLUMNS)[number];

/** Offset in the segment, length in bytes, CRC-32. */
export type SectionPlace = readonly [number, number, number];

export interface Directory {
  readonly version: number;
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly terms: number;
  /** Sum of the lengths, in terms, over all chunks: averages come from these. */
  readonly totals: Readonly<Record<"body" | "names", number>>;
  readonly languages: readonly string[];
  /** Which table the vectors were made with; "" when there are none. */
  readonly embedder: string;
  readonly vectorCount: number;
  readonly sections: Readonly<Record<SectionName, SectionPlace>>;
  /** Where the checksums of the pages before them begin, u32 each, and the CRC-32 of them all. */
  readonly pageSums: readonly [number, number];
}

/** Steps of a length code: a doubling of the length is so many codes. */
const CODES_PER_DOUBLING = 16;

/**
 * A length in terms as one byte, to within 2.2 %, up to 61,000: BM25 needs it no finer, and a table of
 * 256 norms fits the first cache where a column of numbers does not. 0 stays 0.
 */
export function lengthCode(length: number): number {
  return length === 0 ? 0 : Math.min(255, 1 + Math.round(Math.log2(length) * CODES_PER_DOUBLING));
}

/** The length that a code stands for. */
export function codedLength(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - 1) / CODES_PER_DOUBLING);
}

/** What a file is, packed into its `facts` column. */
export function packFacts(language: number, role: Role, flags: number): number {
  return language | (FILE_ROLES.indexOf(role) << 16) | (flags << 20);
}

/** Whether the packed facts are those of code or tests. */
export function isCode(facts: number): boolean {
  // The first two of ROLES.
  return ((facts >>> 16) & 0xf) < 2;
}

export function unpackFacts(facts: number): { language: number; role: Role; flags: number } {
  return {
    language: facts & 0xffff,
    role: FILE_ROLES[(facts >>> 16) & 0xf] ?? "code",
    flags: facts >>> 20,
  };
}
