// The states of files in a run before their content is read.

import { DOCUMENT_FAILURES } from "../../base/documents/document.ts";
import { MIN_STABLE_AGE_MS } from "../../base/files.ts";
import type { FileRow, FileState } from "../../index/types.ts";
import type { Source } from "../../sources/registry/records.ts";
import { fileFacts } from "./file-facts.ts";
import type { FileTimes } from "./index-entry.ts";
import type { FoundFile } from "./source-scan.ts";

/** Skip reasons from the content of a file, valid until it changes. */
export const CONTENT_REASONS: ReadonlySet<string> = new Set([
  "binary",
  "encoding",
  "minified",
  ...DOCUMENT_FAILURES,
]);

/** Matches no file, so that the next run checks it again. */
export const UNKNOWN_TIMES: FileTimes = { size: 0, mtimeMs: 0, inode: 0, indexedMs: 0 };

/** The state of a file that a scan has found. */
export function listedState(source: Source, path: string): FileState {
  const { language, role, flags } = fileFacts(path, { text: "", generated: false });
  const facts = { language: language ?? "", role, flags, chunks: 0, symbols: 0, hash: "" };
  return { path, source: source.id, ...UNKNOWN_TIMES, ...facts, stage: "listed", skipped: null };
}

/** Returns whether a file may have other content than its row. */
export function hasOtherTimes(record: FoundFile["record"], known: FileRow): boolean {
  const isSame =
    known.size === record.sizeBytes &&
    known.mtimeMs === record.mtimeMs &&
    known.inode === record.inode;
  // Like git's "racily clean" entries: a file as young as its entry may have been written again.
  return !isSame || known.indexedMs - known.mtimeMs < MIN_STABLE_AGE_MS;
}
