import { crc32 } from "node:zlib";

import type { BlockGroups } from "../../coding/block-groups.ts";
import type { Dictionary } from "./dictionary-writer.ts";
import {
  FILE_COLUMNS,
  FORMAT_VERSION,
  MAGIC,
  type Directory,
  type FileColumn,
  type SectionName,
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
  readonly outlines: Uint8Array;
  readonly references: BlockGroups;
  readonly fingerprints: BlockGroups;
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
  const parts: Uint8Array[] = [bytesOf(new Uint32Array([MAGIC, FORMAT_VERSION]))];
  let offset = 8;
  const place = (...pieces: readonly Uint8Array[]): SectionPlace => {
    const start = offset;
    let sum = 0;
    for (const piece of pieces) {
      sum = crc32(piece, sum);
      offset += piece.length;
      parts.push(piece);
    }
    const length = offset - start;
    const padding = (8 - (length % 8)) % 8;
    offset += padding;
    parts.push(new Uint8Array(padding));
    return [start, length, sum];
  };
  const sections: Readonly<Record<SectionName, SectionPlace>> = {
    postings: place(dictionary.postings),
    terms: place(dictionary.terms),
    blocks: place(dictionary.blocks),
    lengths: place(content.bodyCodes, content.namesCodes),
    fileColumns: place(...FILE_COLUMNS.map((column) => bytesOf(columns[column]))),
    pathOrder: place(bytesOf(paths.order())),
    filePaths: place(paths.finish()),
    outlines: place(content.outlines),
    references: place(content.references.groups),
    referenceGroups: place(bytesOf(content.references.places)),
    fingerprints: place(content.fingerprints.groups),
    fingerprintGroups: place(bytesOf(content.fingerprints.places)),
    trigramKeys: place(content.trigramKeys),
    trigramPostings: place(content.trigramPostings),
    vectors: place(content.vectors),
    names: place(encodeNames(content.names)),
  };
  const pages = new PageChecksummer();
  for (const part of parts) pages.add(part);
  const sums = bytesOf(pages.finish());
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
  parts.push(json, bytesOf(new Uint32Array([json.length, crc32(json), MAGIC])));
  return { files, chunks, symbols, sizeBytes: offset + sums.length + json.length + 12, parts };
}

function bytesOf(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
