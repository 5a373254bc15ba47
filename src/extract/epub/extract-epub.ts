import type { DocumentText } from "../../base/documents/document.ts";
import { DocumentParts } from "../archive/document-parts.ts";
import { DocumentWriter } from "../document-writer.ts";
import { PageTitles, titleLetters, type PageTitle } from "../html/page-titles.ts";
import { writeHtml } from "../html/write-html.ts";
import { readChapterTitles } from "./chapter-titles.ts";
import { isContentsPage } from "./contents-page.ts";
import { readBook } from "./epub-package.ts";

const MAX_CHAPTER_BYTES = 16 << 20;
const PAGES = /html|dtbook/u;

/**
 * Returns the text of an EPUB book, chapter by chapter in the order of reading, without its table of contents. Its places
 * are sections. Titles of the table of contents are headings where they are on the page; a chapter without headings begins
 * with its first one. Throws DocumentError.
 */
export function extractEpub(bytes: Uint8Array): DocumentText {
  const parts = new DocumentParts(bytes);
  const writer = new DocumentWriter("section");
  const book = readBook(parts);
  const titles = readChapterTitles(parts, book.contents);
  const shapes = new Set([...titles.values()].flat().map(({ title }) => titleLetters(title)));
  for (const chapter of book.chapters) {
    if (writer.isFull) break;
    if (chapter === book.contents || !PAGES.test(chapter.mediaType)) continue;
    const page = parts.readText(chapter.part, MAX_CHAPTER_BYTES);
    if (page !== undefined && isContentsPage(page)) continue;
    const known = titles.get(chapter.part) ?? [];
    const isRead = page !== undefined && writeChapter(page, known, { shapes, writer });
    if (!isRead) parts.markDamaged();
  }
  return parts.finish(writer);
}

function writeChapter(
  page: string,
  titles: readonly PageTitle[],
  { shapes, writer }: { readonly shapes: ReadonlySet<string>; readonly writer: DocumentWriter },
): boolean {
  const [first] = titles;
  const known = new PageTitles(titles, shapes);
  if (first !== undefined && !/<h[1-6][\s>]/iu.test(page)) {
    writer.heading(1, first.title);
    known.see(first.title, 1);
  }
  return writeHtml(page, writer, known);
}
