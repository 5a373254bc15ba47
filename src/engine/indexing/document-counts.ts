// The note of a run about documents whose text is missing in the index, for answers that may lack something.

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import type { FileRow } from "../../index/types.ts";

/** Key of the note in the index. */
const DOCUMENTS_NOTE = "documents";

export interface DocumentCounts {
  /** Documents that the run has not read yet. */
  readonly unread: number;
  /** Documents without text, because they are encrypted, scanned, damaged or over a limit. */
  readonly unreadable: number;
}

interface NoteWriter {
  readonly note: (name: string) => string | undefined;
  readonly setNote: (name: string, value: string) => void;
}

/** Notes how many documents the run still has to read. */
export function noteUnread(writer: NoteWriter, unread: number): void {
  const { unreadable } = countsIn(writer.note(DOCUMENTS_NOTE));
  writer.setNote(DOCUMENTS_NOTE, `${unread} ${unreadable}`);
}

/** Notes the documents without text among all files of the index, at the end of a run. */
export function noteDocuments(
  writer: NoteWriter,
  files: Iterable<Pick<FileRow, "path" | "skipped">>,
  unread: number,
): void {
  let unreadable = 0;
  for (const { path, skipped } of files) {
    const isOf = skipped !== null && skipped !== "document-unread" && skipped !== "secret";
    if (isOf && documentFormatOf(path) !== undefined) unreadable += 1;
  }
  writer.setNote(DOCUMENTS_NOTE, `${unread} ${unreadable}`);
}

/** Returns a sentence about the documents of an index in which nothing can be found; none if there are none. */
export async function documentGaps(reader: {
  readonly note: (name: string) => Promise<string | undefined>;
}): Promise<readonly string[]> {
  const { unread, unreadable } = countsIn(await reader.note(DOCUMENTS_NOTE));
  const parts = [
    ...(unread === 0 ? [] : [`${counted(unread)} not read yet`]),
    ...(unreadable === 0
      ? []
      : [`${counted(unreadable)} without text (encrypted, scanned or damaged)`]),
  ];
  return parts.length === 0 ? [] : [`Not searched: ${parts.join(", ")}; see the status.`];
}

function counted(count: number): string {
  return count === 1 ? "1 document" : `${count} documents`;
}

/** The note of an index, or those of several, a line each. */
function countsIn(note = ""): DocumentCounts {
  const counts = { unread: 0, unreadable: 0 };
  for (const line of note.split("\n")) {
    const [unread = "", unreadable = ""] = line.split(" ");
    counts.unread += Number(unread);
    counts.unreadable += Number(unreadable);
  }
  return counts;
}
