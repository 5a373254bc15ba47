// Pages of a book that only lead to others: tables of contents that are paragraphs, and lists of figures.

import { Parser } from "htmlparser2";

import { isToOtherPage, onlyLeadsElsewhere } from "../html/page-links.ts";
import { withRawEnds } from "../html/write-html.ts";

/** A page with fewer links is text that mentions others. */
const MIN_LINKS = 10;
/** Characters of such a page, with its markup; those of a page with text need not be read. */
const MAX_CHARS_PER_LINK = 600;
const LINK = /<a\s/giu;

/** Returns whether nearly all words of a page are links to other pages of the book. */
export function isContentsPage(page: string): boolean {
  const links = page.match(LINK)?.length ?? 0;
  if (links < MIN_LINKS || page.length > links * MAX_CHARS_PER_LINK) return false;
  let [letters, linked] = [0, 0];
  let isInLink = false;
  let isInHead = false;
  const parser = new Parser({
    onopentag(name, { href = "" }) {
      if (name === "head") isInHead = true;
      if (name === "a") isInLink = isToOtherPage(href);
    },
    ontext(text) {
      if (isInHead) return;
      const length = text.match(/\p{L}/gu)?.length ?? 0;
      letters += length;
      if (isInLink) linked += length;
    },
    onclosetag(name) {
      if (name === "head") isInHead = false;
      if (name === "a") isInLink = false;
    },
  });
  parser.end(withRawEnds(page));
  return onlyLeadsElsewhere(linked, letters);
}
