// The text and structure that svc extracts from a document: a file that is not lines of text, such as a PDF. The index,
// the store of texts and the answers know documents only in this form.

/**
 * What the parts of a document are called. Pages and slides are counted, sheets have names, cells are those of a
 * notebook, and sections are named after their headings.
 */
export const PLACE_UNITS = ["page", "slide", "sheet", "cell", "section"] as const;
export type PlaceUnit = (typeof PLACE_UNITS)[number];

/** The beginning of a part of a document. */
export interface PlaceStart {
  /** Its first line in the text, 1-based. */
  readonly line: number;
  /** Number of the page, slide or cell ("12"), name of the sheet, or the heading as in a link ("first-steps"). */
  readonly name: string;
  /** Number of that line in its part, if lines of the part have numbers of their own: in cells and sheets. */
  readonly firstNumber?: number;
}

export interface DocumentHeading {
  /** Line in the text, 1-based. */
  readonly line: number;
  /** 1 for the outermost level. */
  readonly level: number;
  readonly title: string;
}

/** Lines of program code. 1-based and inclusive. */
export interface DocumentCode {
  readonly startLine: number;
  readonly endLine: number;
  /** As in the table of languages; "" if unknown. */
  readonly language: string;
}

/** The text of a document and where its parts are in it. */
export interface DocumentText {
  /** Lines that end with a line feed. */
  readonly text: string;
  /** Undefined if the document has no parts. */
  readonly unit: PlaceUnit | undefined;
  /** In the order of the text. */
  readonly places: readonly PlaceStart[];
  /** In the order of the text. */
  readonly headings: readonly DocumentHeading[];
  /** In the order of the text. */
  readonly code: readonly DocumentCode[];
  /** What was left out, as a sentence for people ("Pages after 5,000 were left out."); undefined if nothing was. */
  readonly omission?: string | undefined;
}

/** Why a document has no text. `SKIP_REASONS` has a sentence for each. */
export const DOCUMENT_FAILURES = [
  "document-encrypted",
  "document-images-only",
  "document-damaged",
  "document-too-large",
  "document-too-slow",
  "document-empty",
] as const;
export type DocumentFailure = (typeof DOCUMENT_FAILURES)[number];

/** Thrown by extractors for a document from which no text can be taken. */
export class DocumentError extends Error {
  readonly failure: DocumentFailure;

  constructor(failure: DocumentFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}
