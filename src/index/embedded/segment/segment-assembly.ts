import { crc32 } from "node:zlib";

import type { BlockGroups } from "../../coding/block-groups.ts";
import { bytesOfNumbers } from "../../coding/compressed.ts";
import type { Dictionary } from "./dictionary-writer.ts";
import { encodeFiles } from "./files-section.ts";
import {
  FORMAT_VERSION,
  MAGIC,
  type Directory,
  type FileColumn,
  type SectionPlace,
} from "./format.ts";
import type { NameTable } from "../../names/name-table.ts";
import { encodeNames } from "./names-section.ts";
import { PageChecksummer } from "./page-checksums.ts";
import type { StringColumn } from "./string-column.ts";

/** The complete content of a segment. */
interface SegmentContent extends Omit<Directory, "sections" | "pageSums" | "version" | "terms"> {
  readonly dictionary: Dictionary;
  readonly bodyCodes: Uint8Array;
  readonly namesCodes: Uint8Array;
  readonly columns: Readonly<Record<FileColumn, Uint32Array>>;
  readonly paths: StringColumn;
  readonly outlines: BlockGroups;
  readonly references: BlockGroups;
  readonly fingerprints: Uint8Array;
  readonly trigramKeys: Uint8Array;
  readonly trigramPostings: Uint8Array;
  readonly vectors: Uint8Array;
  readonly names: NameTable;
}

/** A segment that is ready to be written. */
export interface FinishedSegment {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly sizeBytes: number;
  /** Write these in order. */
  readonly parts: readonly Uint8Array[];
}

/** Lays out the sections and adds a directory with their locations and checksums. */
export function assembleSegment(content: SegmentContent): FinishedSegment {
  const { files, chunks, symbols, totals, languages, dictionary, columns, paths } = content;
  const parts: Uint8Array[] = [bytesOfNumbers(new Uint32Array([MAGIC, FORMAT_VERSION]))];
  let offset = 8;
  const place = (bytes: Uint8Array): SectionPlace => {
    const start = offset;
    const padding = (8 - (bytes.length % 8)) % 8;
    offset += bytes.length + padding;
    parts.push(bytes, new Uint8Array(padding));
    return [start, bytes.length, crc32(bytes)];
  };
  const sections: Directory["sections"] = {
    postings: place(dictionary.postings),
    terms: place(dictionary.terms),
    blocks: place(dictionary.blocks),
    files: place(encodeFiles(columns, paths, [content.bodyCodes, content.namesCodes])),
    outlines: place(content.outlines.groups),
    outlineGroups: place(bytesOfNumbers(content.outlines.places)),
    references: place(content.references.groups),
    referenceGroups: place(bytesOfNumbers(content.references.places)),
    fingerprints: place(content.fingerprints),
    trigramKeys: place(content.trigramKeys),
    trigramPostings: place(content.trigramPostings),
    vectors: place(content.vectors),
    names: place(encodeNames(content.names)),
  };
  const pages = new PageChecksummer();
  for (const part of parts) pages.add(part);
  const sums = bytesOfNumbers(pages.finish());
  parts.push(sums);
  const facts = { files, chunks, symbols, terms: dictionary.size, totals, languages };
  const { embedder, vectorCount } = content;
  const directory: Directory = {
    version: FORMAT_VERSION,
    ...facts,
    embedder,
    vectorCount,
    sections,
    pageSums: [offset, crc32(sums)],
  };
  const json = Buffer.from(JSON.stringify(directory));
  parts.push(json, bytesOfNumbers(new Uint32Array([json.length, crc32(json), MAGIC])));
  return { files, chunks, symbols, sizeBytes: offset + sums.length + json.length + 12, parts };
}
