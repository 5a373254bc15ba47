import type { DocumentText } from "../../base/documents/document.ts";
import { DocumentParts } from "../archive/document-parts.ts";
import { DocumentWriter } from "../document-writer.ts";
import { writeHtml } from "../html/write-html.ts";
import { readChapterTitles } from "./chapter-titles.ts";
import { readBook } from "./epub-package.ts";

const MAX_CHAPTER_BYTES = 16 << 20;
const PAGES = /html|dtbook/u;

/**
 * Returns the text of an EPUB book, chapter by chapter in the order of reading, without its table of contents. Its places
 * are sections; a chapter without headings begins with its title in the table of contents. Throws DocumentError.
 */
export function extractEpub(bytes: Uint8Array): DocumentText {
  const parts = new DocumentParts(bytes);
  const writer = new DocumentWriter("section");
  const book = readBook(parts);
  const titles = readChapterTitles(parts, book.contents);
  for (const chapter of book.chapters) {
    if (writer.isFull) break;
    if (chapter === book.contents || !PAGES.test(chapter.mediaType)) continue;
    const page = parts.readText(chapter.part, MAX_CHAPTER_BYTES);
    const isRead = page !== undefined && writeChapter(page, titles.get(chapter.part), writer);
    if (!isRead) parts.markDamaged();
  }
  return parts.finish(writer);
}

function writeChapter(page: string, title: string | undefined, writer: DocumentWriter): boolean {
  if (title !== undefined && !/<h[1-6][\s>]/iu.test(page)) writer.heading(1, title);
  return writeHtml(page, writer);
}
