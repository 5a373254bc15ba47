// Text of PDF documents.

import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import {
  MAX_DOCUMENT_PAGES,
  MAX_DOCUMENT_TEXT_CHARS,
} from "../../base/documents/document-formats.ts";
import { DocumentWriter } from "../document-writer.ts";
import { builtInCmap } from "./pdf-cmaps.ts";
import { PdfConnection } from "./pdf-connection.ts";
import { FontWidths } from "./pdf-fonts.ts";
import { repeatedLines } from "./pdf-furniture.ts";
import { headingsByStyle } from "./pdf-heading-style.ts";
import { placeTitles, titlesOf, type PdfTitle } from "./pdf-headings.ts";
import { writePage } from "./pdf-layout.ts";
import { pdfLinesOf, type PdfLine } from "./pdf-lines.ts";
import { DividedWords } from "./divided-words.ts";

/** The fonts of so many pages are kept; each is read once. */
const PAGES_PER_CLEANUP = 250;
/** A document of which so many pages in a row cannot be read has no more. */
const MAX_UNREADABLE_PAGES = 100;
/** Each part that is too large takes half a second. */
const MAX_TOO_LARGE_PARTS = 8;

/** What was read of a document. */
export interface PdfContent {
  readonly pages: readonly (readonly PdfLine[])[];
  readonly titles: readonly PdfTitle[];
  readonly fonts: FontWidths;
  readonly pageCount: number;
  /** Pages that pdf.js could not read. */
  readonly unreadable: number;
  /** Whether a page had more text than was read. */
  readonly isCut: boolean;
  /** Whether a part was too large to be read. */
  readonly isTooLarge: boolean;
}

/**
 * Returns the text of a PDF document, by page. Throws DocumentError for a document that needs a password, has no text or
 * cannot be read.
 */
export async function extractPdf(bytes: Uint8Array): Promise<DocumentText> {
  const content = await readPdf(bytes);
  const { titles, fonts } = content;
  if (content.pages.every(({ length }) => length === 0)) throw withoutText(bytes, content);

  const dropped = repeatedLines(content.pages);
  const pages = content.pages.map((lines) => lines.filter((line) => !dropped.has(line)));
  const dividedWords = new DividedWords();
  for (const line of pages.flat()) dividedWords.add(line);
  const context = { isFixed: (font: string) => fonts.isFixed(font), dividedWords };
  const byStyle = titles.length > 0 ? [] : headingsByStyle(pages, context.isFixed);
  const titlesByPage = Map.groupBy(titles, ({ page }) => page);

  const writer = new DocumentWriter("page");
  noteOmissions(writer, bytes, content);
  for (const [index, lines] of pages.entries()) {
    writer.place(String(index + 1));
    const placed = placeTitles(titlesByPage.get(index) ?? [], lines);
    writePage(writer, lines, byStyle[index] ?? placed, context);
  }
  return writer.finish();
}

/** Reads the lines and the outline of a document. Throws DocumentError for one that cannot be opened. */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  const { connection, pageCount } = await PdfConnection.open(bytes, builtInCmap).catch(
    (error: unknown) => {
      throw new DocumentError(failureOf(error), error);
    },
  );
  try {
    const references = new Map<string, number>();
    const read = await readPages(connection, pageCount, references);
    const titles = await titlesOf(connection, (reference) => references.get(reference)).catch(
      () => [],
    );
    return { ...read, titles, pageCount };
  } finally {
    await connection.close();
  }
}

async function readPages(
  connection: PdfConnection,
  pageCount: number,
  references: Map<string, number>,
): Promise<Omit<PdfContent, "titles" | "pageCount">> {
  const fonts = new FontWidths();
  const pages: (readonly PdfLine[])[] = [];
  const refusals = connection.refusals;
  const wanted = Math.min(pageCount, MAX_DOCUMENT_PAGES);
  let [chars, unreadable, inARow] = [0, 0, 0];
  let isCut = false;
  while (pages.length < wanted && chars <= MAX_DOCUMENT_TEXT_CHARS) {
    const page = await readPage(connection, pages.length, references).catch(() => undefined);
    const lines = page === undefined ? [] : pdfLinesOf(page);
    pages.push(lines);
    isCut ||= page?.isCut === true;
    inARow = page === undefined ? inARow + 1 : 0;
    unreadable += page === undefined ? 1 : 0;
    fonts.mark(page?.fixed ?? new Set());
    for (const line of lines) {
      fonts.add(line);
      chars += line.text.length + 1;
    }
    const isHopeless = inARow >= MAX_UNREADABLE_PAGES;
    if (isHopeless || connection.refusals - refusals >= MAX_TOO_LARGE_PARTS) {
      unreadable += wanted - pages.length;
      break;
    }
    if (pages.length % PAGES_PER_CLEANUP === 0) await connection.freeFonts();
  }
  return { pages, fonts, unreadable, isCut, isTooLarge: connection.refusals > refusals };
}

async function readPage(
  connection: PdfConnection,
  index: number,
  references: Map<string, number>,
): ReturnType<PdfConnection["text"]> {
  const reference = await connection.pageReference(index);
  if (reference !== undefined) references.set(reference, index);
  return connection.text(index);
}

function failureOf(error: unknown): "document-encrypted" | "document-damaged" {
  const name: unknown = Reflect.get(Object(error), "name");
  return name === "PasswordException" ? "document-encrypted" : "document-damaged";
}

function withoutText(bytes: Uint8Array, content: PdfContent): DocumentError {
  const { unreadable, isTooLarge, pageCount } = content;
  if (isTooLarge) return new DocumentError("document-too-large");
  if (hasImages(bytes)) return new DocumentError("document-images-only");
  return new DocumentError(
    unreadable > 0 || pageCount === 0 ? "document-damaged" : "document-empty",
  );
}

/** Whether the document has images. Their descriptions are never compressed or encrypted. */
function hasImages(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = "/Subtype";
  for (let at = file.indexOf(key); at >= 0; at = file.indexOf(key, at + key.length)) {
    const start = at + key.length;
    if (/^\s*\/Image(?![\w.-])/.test(file.toString("latin1", start, start + 20))) return true;
  }
  return false;
}

function noteOmissions(writer: DocumentWriter, bytes: Uint8Array, content: PdfContent): void {
  const { pages, pageCount, unreadable, isCut, isTooLarge } = content;
  const unread = Math.min(pageCount, MAX_DOCUMENT_PAGES) - pages.length;
  const empty = pages.filter(({ length }) => length === 0).length - (unreadable - unread);
  const notes: string[] = [];
  if (pageCount > MAX_DOCUMENT_PAGES && pages.length === MAX_DOCUMENT_PAGES)
    notes.push(`Pages after ${MAX_DOCUMENT_PAGES.toLocaleString("en-US")} were left out.`);
  if (unreadable > 0) notes.push(`Pages that could not be read: ${unreadable} of ${pageCount}.`);
  if (empty > 0 && hasImages(bytes))
    notes.push(`Pages without text, which may be images: ${empty} of ${pageCount}.`);
  if (isCut || isTooLarge) notes.push("Parts of pages that are too large were left out.");
  if (notes.length > 0) writer.omit(notes.join(" "));
}
