import { Parser } from "htmlparser2";

import type { DocumentWriter } from "../document-writer.ts";
import { HtmlBody } from "./html-body.ts";
import type { PageTitles } from "./page-titles.ts";

/** Browsers stop at 512. Only files made to exhaust a reader nest more deeply. */
const MAX_DEPTH = 2000;
/** Characters that are parsed at a time. */
const STEP_CHARS = 64 << 10;
/** Elements whose content is not parsed: one that closes itself would swallow the rest of an XHTML file. */
const CLOSED_RAW =
  /<(script|style|title|textarea|iframe|xmp|noembed|noframes|plaintext)\b([^<>]*)\/>/giu;

/** Returns the page with an end tag for each element of raw text that closes itself, as XHTML may write it. */
export function withRawEnds(html: string): string {
  return html.replace(CLOSED_RAW, "<$1$2></$1>");
}

/**
 * Writes the text of an HTML or XHTML page: headings, paragraphs, lists, tables, code, and what describes images; no
 * scripts, styles, navigation, or hidden elements. `titles`: of a page of a book, see `HtmlBody`. Returns false if it is
 * nested too deeply to be read to its end.
 */
export function writeHtml(html: string, writer: DocumentWriter, titles?: PageTitles): boolean {
  const body = new HtmlBody(writer, titles);
  let depth = 0;
  let isTooDeep = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        isTooDeep ||= depth > MAX_DEPTH;
        if (!isTooDeep) body.open(name, attributes);
      },
      ontext(text) {
        if (!isTooDeep) body.text(text);
      },
      onclosetag(name) {
        depth -= 1;
        if (!isTooDeep) body.close(name);
      },
    },
    { decodeEntities: true, recognizeSelfClosing: true, recognizeCDATA: true },
  );
  const page = withRawEnds(html);
  const isDone = (): boolean => isTooDeep || writer.isFull;
  for (let at = 0; at < page.length && !isDone(); at += STEP_CHARS) {
    parser.write(page.slice(at, at + STEP_CHARS));
  }
  if (!isTooDeep) parser.end();
  body.end();
  return !isTooDeep;
}
