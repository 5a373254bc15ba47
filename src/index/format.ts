// The words segment on disk. docs/index-format.md has the picture.
//
//   magic | section | section | ... | directory (JSON) | directory length u32 | directory crc u32 | magic
//
// A section is found through the directory. Numbers are little endian; typed-array sections begin at
// a multiple of 8 bytes.

/** What a change of the terms, the chunks or the layout must raise; other versions are rebuilt. */
export const FORMAT_VERSION = 1;
//  1  first format: body, names and path fields; chunk and file columns

export const MAGIC = 0x31585653; // "SVX1"
export const TERMS_PER_BLOCK = 32;

/** Searchable fields of a chunk. `path` is indexed once per file, the others once per chunk. */
export const FIELDS = ["body", "names", "path"] as const;
export type Field = (typeof FIELDS)[number];

export const ROLES = ["code", "tests", "docs", "config"] as const;
export type Role = (typeof ROLES)[number];

export const KINDS = [
  "text",
  "section",
  "function",
  "method",
  "class",
  "type",
  "constant",
  "module",
] as const;
export type ChunkKind = (typeof KINDS)[number];

/** Facts about a file that ranking reads, as bits. */
export const FileFlag = { generated: 1, example: 2, vendored: 4 } as const;

export const SECTIONS = [
  ...FIELDS,
  "terms",
  "blocks",
  "chunkColumns",
  "chunkStrings",
  "fileColumns",
  "filePaths",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Offset in the segment, length in bytes, CRC-32. */
export type SectionPlace = readonly [number, number, number];

export interface Directory {
  readonly version: number;
  readonly files: number;
  readonly chunks: number;
  readonly terms: number;
  /** Sum of the lengths, in terms, over all chunks (files for `path`): averages come from these. */
  readonly totals: Readonly<Record<Field, number>>;
  readonly languages: readonly string[];
  readonly sections: Readonly<Record<SectionName, SectionPlace>>;
}
