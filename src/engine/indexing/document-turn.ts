// Documents take long to read. Background runs take turns to read them, so an edited file is indexed at once in the
// meantime.

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import type { FoundFile } from "./source-scan.ts";

/** Bytes of the documents of one turn: seconds of processor time. One document may have more. */
export const DOCUMENT_TURN_BYTES = 2 << 20;

interface DividedFiles {
  /** Files that are not documents. */
  readonly others: readonly FoundFile[];
  /** Documents that this run reads, in their order. */
  readonly documents: readonly FoundFile[];
  /** Documents that another run reads. */
  readonly later: readonly FoundFile[];
}

/** `maxBytes`: 0 for a run that reads no documents; else at least one is read, so that turns come to an end. */
export function divideDocuments(
  files: readonly FoundFile[],
  maxBytes = Number.POSITIVE_INFINITY,
): DividedFiles {
  const all = files.filter(({ path }) => documentFormatOf(path) !== undefined);
  if (all.length === 0) return { others: files, documents: [], later: [] };
  const others = files.filter(({ path }) => documentFormatOf(path) === undefined);
  let [bytes, count] = [0, 0];
  for (const { record } of all) {
    bytes += record.sizeBytes;
    if (bytes > maxBytes && (count > 0 || maxBytes === 0)) break;
    count += 1;
  }
  return { others, documents: all.slice(0, count), later: all.slice(count) };
}
