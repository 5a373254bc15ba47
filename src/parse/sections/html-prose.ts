// The words of a page of HTML without its markup, for the words and vectors of documentation: names of tags and
// attributes are not part of the text of a page.
import { decodeEntities } from "./html-text.ts";
import { PageNavigation } from "./page-navigation.ts";

const MAX_TAG_CHARS = 8000;
const MAX_TITLE_CHARS = 1000;
const HEADING = /<h[1-6][\s>]/iu;
/** Elements whose content no reader sees. */
const HIDDEN: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "template"].map((name) => [name, new RegExp(`</${name}[^>]{0,100}>`, "giu")]),
);
const COMMENT_END = /-->/gu;
/** Tags that may be inside a word. */
const INLINE = new Set(
  (
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike " +
    "strong sub sup tt u var wbr"
  ).split(" "),
);
const TAG_NAME = /^<\/?([a-z][a-z0-9-]{0,30})/iu;
/** Texts in attributes that people see. */
const SHOWN_ATTRIBUTE = /\s(?:alt|title|aria-label|placeholder)\s*=\s*(?:"([^"]*)"|'([^']*)')/giu;

/**
 * Returns the text of a page with as many lines, each with the words that people see of it. Menus are left out, and so is the title
 * of the window if the page has a heading: it repeats the heading, and each page of a manual has the rest of it.
 */
export function proseOfHtml(page: string): string {
  const parts: string[] = [];
  const navigation = new PageNavigation(page);
  const heading = page.search(HEADING);
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf("<", at);
    if (open === -1) break;
    parts.push(textOf(page.slice(at, open)));
    const end = endOfMarkup(page, open);
    const name = TAG_NAME.exec(page.slice(open, open + 34))?.[1]?.toLowerCase() ?? "";
    const close =
      name === "title" && open < heading && page[open + 1] !== "/"
        ? endOfTitle(page, end)
        : navigation.endOfPart({ name, start: open, end });
    at = close ?? end;
    parts.push(
      close === undefined
        ? inPlaceOf(page.slice(open, at))
        : ` ${lineEndsOf(page.slice(open, at))}`,
    );
  }
  parts.push(textOf(page.slice(at)));
  return parts.join("");
}

function endOfTitle(page: string, from: number): number {
  const close = page.slice(from, from + MAX_TITLE_CHARS).search(/<\/title/iu);
  return close === -1 ? from : from + close;
}

function lineEndsOf(markup: string): string {
  return "\n".repeat(markup.split("\n").length - 1);
}

/** Returns the offset after the tag, comment or hidden element that begins at `open`. */
function endOfMarkup(page: string, open: number): number {
  if (page.startsWith("<!--", open)) return after(page, COMMENT_END, open + 4);
  const name = TAG_NAME.exec(page.slice(open, open + 34))?.[1]?.toLowerCase();
  // A sign of less, or a tag of a template.
  if (name === undefined && !page.startsWith("<!", open)) return open + 1;
  const close = page.indexOf(">", open);
  if (close === -1 || close - open > MAX_TAG_CHARS) return open + 1;
  const end = page[open + 1] === "/" ? undefined : HIDDEN.get(name ?? "");
  return end === undefined ? close + 1 : after(page, end, close);
}

function after(page: string, end: RegExp, from: number): number {
  end.lastIndex = from;
  return end.test(page) ? end.lastIndex : page.length;
}

/** Returns what remains of markup: its line ends, the texts in it that people see, and whether a word ends there. */
function inPlaceOf(markup: string): string {
  if (markup === "<") return markup;
  const lineEnds = lineEndsOf(markup);
  const name = TAG_NAME.exec(markup)?.[1]?.toLowerCase() ?? "";
  const shown = HIDDEN.has(name)
    ? []
    : Array.from(markup.matchAll(SHOWN_ATTRIBUTE), ([, one, other]) => one ?? other ?? "");
  if (shown.length > 0) return ` ${textOf(shown.join(" ").replaceAll("\n", " "))} ${lineEnds}`;
  return lineEnds === "" && INLINE.has(name) ? "" : ` ${lineEnds}`;
}

/** Entities of line ends are blanks: each line stays where it is. */
function textOf(text: string): string {
  if (!text.includes("&")) return text;
  return text
    .split("\n")
    .map((line) => decodeEntities(line).replaceAll(/[\n\r]/gu, " "))
    .join("\n");
}
