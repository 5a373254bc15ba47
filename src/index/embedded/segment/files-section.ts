// The files of a segment as bytes, compressed with zstd: columns of u32, their paths, and the length codes of the chunks.

import {
  bytesOfNumbers,
  compressSection,
  decompressSection,
  differences,
  summed,
} from "../../coding/compressed.ts";
import { damagedSection } from "../../damage.ts";
import { FILE_COLUMNS, type FileColumn } from "./format.ts";
import { StringTable, type StringColumn } from "./string-column.ts";

/** The basic facts about the files of a segment. */
export interface SegmentFiles {
  /** In the order of FILE_COLUMNS, with one number per file. */
  readonly columns: readonly Uint32Array[];
  /** The numbers of the files in the order of their paths. */
  readonly order: Uint32Array;
  readonly paths: StringTable;
  /** Length codes of the texts of all chunks, then of their names. */
  readonly lengths: Uint8Array;
}

/** Returns the bytes of the section. */
export function encodeFiles(
  columns: Readonly<Record<FileColumn, Uint32Array>>,
  paths: StringColumn,
  lengths: readonly Uint8Array[],
): Uint8Array {
  return compressSection([
    ...FILE_COLUMNS.map((name) => bytesOfNumbers(differences(columns[name]))),
    bytesOfNumbers(differences(paths.order())),
    paths.finish(),
    ...lengths,
  ]);
}

/** Reads the output of `encodeFiles`. Throws INDEX_UNAVAILABLE for other bytes. */
export function decodeFiles(section: Uint8Array, files: number, chunks: number): SegmentFiles {
  const bytes = decompressSection("files", section);
  const columnBytes = files * 4;
  const pathsAt = (FILE_COLUMNS.length + 1) * columnBytes;
  const lengthsAt = bytes.length - chunks * 2;
  if (pathsAt + columnBytes + 4 > lengthsAt) throw damagedSection("files");
  const column = (at: number): Uint32Array =>
    summed(new Uint32Array(bytes.buffer, bytes.byteOffset + at * columnBytes, files));
  return {
    columns: FILE_COLUMNS.map((_, at) => column(at)),
    order: column(FILE_COLUMNS.length),
    paths: new StringTable(bytes.subarray(pathsAt, lengthsAt), files),
    lengths: bytes.subarray(lengthsAt),
  };
}
