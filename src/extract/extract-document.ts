import type { DocumentFormat } from "../base/documents/document-formats.ts";
import { DocumentError, type DocumentText } from "../base/documents/document.ts";

/**
 * Returns the text of a document. Loads the code for a format with its first document. Throws DocumentError, and for a
 * damaged document any other error.
 */
export async function extractDocument(
  format: DocumentFormat,
  bytes: Uint8Array,
): Promise<DocumentText> {
  const extract = await EXTRACTORS[format]();
  const document = await extract(bytes);
  if (document.text.trim() === "") throw new DocumentError("document-empty");
  return document;
}

type Extract = (bytes: Uint8Array) => DocumentText | Promise<DocumentText>;

const EXTRACTORS: Readonly<Record<DocumentFormat, () => Promise<Extract>>> = {
  pdf: async () => (await import("./pdf/extract-pdf.ts")).extractPdf,
  word: async () => (await import("./word/extract-word.ts")).extractWord,
  slides: async () => (await import("./slides/extract-slides.ts")).extractSlides,
  spreadsheet: async () =>
    (await import("./spreadsheet/extract-spreadsheet.ts")).extractSpreadsheet,
  epub: async () => (await import("./epub/extract-epub.ts")).extractEpub,
  notebook: async () => (await import("./notebook/extract-notebook.ts")).extractNotebook,
  email: async () => (await import("./email/extract-email.ts")).extractEmail,
};
