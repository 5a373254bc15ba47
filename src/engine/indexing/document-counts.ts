// The note of a run about documents whose text is missing in the index, for answers that may lack something.

import { documentFormatOf } from "../../base/documents/document-formats.ts";

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

/** Counts during a run, beginning with those of the last run. */
export class DocumentTally {
  readonly #writer: NoteWriter;
  #unreadable: number;
  #unread = 0;

  constructor(writer: NoteWriter) {
    this.#writer = writer;
    this.#unreadable = countsIn(writer.note(DOCUMENTS_NOTE)).unreadable;
  }

  /** Notes how many documents the run, or a later one, still has to read. */
  setUnread(unread: number): void {
    if (unread === this.#unread) return;
    this.#unread = unread;
    this.#write();
  }

  /** Notes that the reason for which a file is skipped has changed; undefined for a file that is not listed. */
  change(path: string, before: string | null | undefined, after: string | null | undefined): void {
    if (documentFormatOf(path) === undefined) return;
    const change = Number(isUnreadable(after)) - Number(isUnreadable(before));
    if (change === 0) return;
    this.#unreadable = Math.max(0, this.#unreadable + change);
    this.#write();
  }

  #write(): void {
    this.#writer.setNote(DOCUMENTS_NOTE, `${this.#unread} ${this.#unreadable}`);
  }
}

function isUnreadable(reason: string | null | undefined): boolean {
  return typeof reason === "string" && reason !== "document-unread" && reason !== "secret";
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
