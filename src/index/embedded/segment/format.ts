// The format of a segment on disk. docs/index-format.md has a diagram.
//
//   magic | section | ... | page sums | directory (JSON) | directory length u32 | directory crc u32 | magic
//
// The directory contains the location of each section. Everything before the page sums is verified page by
// page. Numbers are little endian. A section begins at a multiple of 8 bytes, so that typed arrays can view it.

/** The format that is written. Raise it when terms, chunks or the layout change. */
export const FORMAT_VERSION = 14;
//   1  0.8.0  body, names and path fields; chunk and file columns
//   2  0.8.0  one posting list per term, outlines per file instead of columns per chunk, symbols, trigrams
//   3  0.9.0  vectors
//   4  0.9.0  references between files; access levels and name lines of symbols
//   5  0.9.0  checksums of pages
//   6  0.9.0  fields are a kind of their own
//   7  0.9.0  no words of secrets
//   8  0.9.0  the table of names
//   9  0.9.0  names of C and C++ behind macros; prototypes are not chunks
//  10  0.9.0  documents; sections of more languages; words of all scripts
//  11  0.9.0  names that programs share; signatures and arguments; more references of nine languages; chunks of
//             documents do not go on across pages
//  12  0.9.0  references are compressed; fingerprints of definitions, which the change log had
//  13  0.9.0  the same in fewer bytes: packed lists; outlines, and what is known of files, are compressed
//  14  0.9.0  names in sorted blocks; the includes of all files

/** Lowest format that can be read. */
export const MIN_READABLE_VERSION = 8;
/** All files of an index with a lower format are read again. Until then, what it has answers queries. */
export const REREAD_BELOW = 11;

/** Format from which on the segments have fingerprints, and references are compressed. */
export const FINGERPRINTS_SINCE = 12;
/** Format from which on they have what follows in its present form: see older-formats.ts. */
export const PACKED_SINCE = 13;
/** Format from which on names are in blocks (see older-names.ts), and includes are a section. */
export const NAME_BLOCKS_SINCE = 14;

export const MAGIC = 0x31585653; // "SVX1"
export const TERMS_PER_BLOCK = 32;
/** Two bits of a term have the bytes of a list beyond the least for its documents; from this number on, they follow. */
export const MORE_FOLLOWS = 3;

/**
 * The fields of a term. Documents are chunks in `body` (the text) and `names` (the definitions in the chunk),
 * files in `path`, symbols in `symbols`, and files in `uses`. Terms of the last two are whole names in lower
 * case; `uses` also has the last parts of imported modules, after a "/".
 */
export const TERM_FIELDS = ["body", "names", "path", "symbols", "uses"] as const;
export type Field = (typeof TERM_FIELDS)[number];

export const SECTIONS = [
  "postings",
  "terms",
  "blocks",
  "files",
  "outlines",
  "outlineGroups",
  "references",
  "referenceGroups",
  "fingerprints",
  "trigramKeys",
  "trigramPostings",
  "vectors",
  "names",
  "includes",
] as const;
/** Of formats 8 to 12. */
type OlderSection = "lengths" | "fileColumns" | "pathOrder" | "filePaths" | "fingerprintGroups";
export type SectionName = (typeof SECTIONS)[number] | OlderSection;

/**
 * Columns of `files`, u32 each, stored column by column. `firstVector` is the index of the vector of the
 * file's first chunk plus 1; 0 for a file without vectors.
 */
export const FILE_COLUMNS = [
  "firstChunk",
  "firstSymbol",
  "outline",
  "references",
  "length",
  "facts",
  "firstVector",
  "fingerprints",
] as const;
export type FileColumn = (typeof FILE_COLUMNS)[number];

/** Offset in the segment, length in bytes, CRC-32. */
export type SectionPlace = readonly [number, number, number];

/** The directory at the end of a segment. */
export interface Directory {
  /** FORMAT_VERSION of the writer. */
  readonly version: number;
  /** Number of files; `chunks`, `symbols` and `terms` are counts too. */
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly terms: number;
  /** Sum of the lengths of all chunks, in terms. Only earlier versions read that of the names. */
  readonly totals: Readonly<Record<"body" | "names", number>>;
  /** Sum of the lengths of the names of all chunks, as their codes have them. Earlier versions left it out. */
  readonly codedNames?: number;
  /** Languages by the number in `facts`. */
  readonly languages: readonly string[];
  /** Id of the embedding table of the vectors; "" if there are none. */
  readonly embedder: string;
  /** Number of vectors. */
  readonly vectorCount: number;
  /** A segment of an older format has the sections of that format. */
  readonly sections: Readonly<Record<(typeof SECTIONS)[number], SectionPlace>> &
    Readonly<Partial<Record<OlderSection, SectionPlace>>>;
  /** Offset of the page checksums, u32 each, and their CRC-32. */
  readonly pageSums: readonly [number, number];
}
