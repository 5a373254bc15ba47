// The headings and anchors of AsciiDoc.
import type { TextLines } from "../text-lines.ts";
import {
  labelEntry,
  MAX_TITLE_CHARS,
  tidyTitle,
  type Entry,
  type FoundParts,
  type Heading,
} from "./section-parts.ts";

/** Lines that open and close a block: listings, literals, examples, tables, comments … Headings are outside. */
const DELIMITER =
  /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|`{3,}\w*|[|,:!]={3,})[ \t]*$/;
const DELIMITER_MARKS = "-.=*_+/`|,:!";
const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^(?:={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})[ \t]*$/;
/** The styles of underlines, from the outermost level on. */
const UNDERLINES = "=-~^+";
/** `[[id]]`, `[[id,text]]`, `[#id]`, `[appendix#id.role]`, `[id=x]`, at the start of a line. */
const BLOCK_ANCHOR =
  /^\[(?:\[([^[\],\s]+)(?:,[^\]]*)?\]|[\w-]*#([^\s.,%\]]+)[^\]]*|id=["']?([^\s"',\]]+)[^\]]*)\]/;
const INLINE_ANCHOR =
  /(?:\[\[([^[\],\s]{1,100})(?:,[^[\]]{0,100})?\]\]|\banchor:([^\s[\]]{1,100})\[)/g;
const ATTRIBUTES = /^\[[^\]]*\][ \t]*$|^\[\[[^\]]*\]\][ \t]*$/;

/** Finds the headings and anchors of AsciiDoc. */
export function asciidocParts(lines: TextLines): FoundParts {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: Heading[] = [];
  const entries: Entry[] = [];
  let fence: string | undefined;
  const closers = lastDelimiters(lines);
  for (let line = 1; line <= lines.count; line += 1) {
    if (lines.endOf(line) - (lines.starts[line - 1] ?? 0) > MAX_TITLE_CHARS) {
      if (fence !== undefined) verbatim[line] = 1;
      continue;
    }
    const text = lines.at(line).trimEnd();
    if (fence !== undefined) {
      verbatim[line] = 1;
      if (text === fence) fence = undefined;
      continue;
    }
    const underlined = underlinedHeading(lines, line, text);
    if (underlined !== undefined) {
      headings.push(withAttributes(lines, underlined));
      continue;
    }
    const opened = DELIMITER.test(text) ? closerOf(text) : undefined;
    if (opened !== undefined && (closers.get(opened) ?? 0) > line) {
      verbatim[line] = 1;
      fence = opened;
      continue;
    }
    for (const name of anchorsIn(text)) entries.push(labelEntry(line, name));
    const heading = headingAt(text, line);
    if (heading !== undefined) headings.push(withAttributes(lines, heading));
  }
  return { headings, verbatim, entries };
}

function closerOf(delimiter: string): string {
  return delimiter.startsWith("```") ? "```" : delimiter;
}

/** Returns the last line of each delimiter. One that is never closed opens no block. */
function lastDelimiters(lines: TextLines): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (let line = 1; line <= lines.count; line += 1) {
    if (!DELIMITER_MARKS.includes(lines.text.charAt(lines.starts[line - 1] ?? 0))) continue;
    if (lines.endOf(line) - (lines.starts[line - 1] ?? 0) > MAX_TITLE_CHARS) continue;
    const text = lines.at(line).trimEnd();
    if (DELIMITER.test(text)) last.set(text, line);
  }
  return last;
}

function headingAt(text: string, line: number): Heading | undefined {
  const [, marks, title] = HEADING.exec(text) ?? [];
  if (marks === undefined || title === undefined) return undefined;
  const clean = titleOf(title.replace(/(?<![ \t])[ \t]+[#=]+$/, ""));
  return clean === "" ? undefined : { startLine: line, line, level: marks.length, title: clean };
}

/**
 * Returns the heading in line `line` - 1 if `line` underlines it. The underline is as long as the title, give or
 * take a character; this distinguishes it from the start of a listing.
 */
function underlinedHeading(lines: TextLines, line: number, text: string): Heading | undefined {
  if (line < 2 || !UNDERLINE.test(text)) return undefined;
  const title = lines.at(line - 1).trimEnd();
  if (!/^[\p{L}\p{N}`"'({\\]/u.test(title) || Math.abs(title.length - text.length) > 1) {
    return undefined;
  }
  if (line > 2 && !lines.isBlank(line - 2) && !ATTRIBUTES.test(lines.at(line - 2)))
    return undefined;
  const level = UNDERLINES.indexOf(text.charAt(0)) + 1;
  return { startLine: line - 1, line: line - 1, level, title: titleOf(title) };
}

/** Returns the heading with the lines of attributes and anchors directly above it. */
function withAttributes(lines: TextLines, heading: Heading): Heading {
  let { startLine } = heading;
  while (startLine > 1 && startLine > heading.line - 10 && isAttributes(lines, startLine - 1)) {
    startLine -= 1;
  }
  return { ...heading, startLine };
}

function isAttributes(lines: TextLines, line: number): boolean {
  return (
    lines.text.charAt(lines.starts[line - 1] ?? 0) === "[" &&
    lines.endOf(line) - (lines.starts[line - 1] ?? 0) <= MAX_TITLE_CHARS &&
    ATTRIBUTES.test(lines.at(line))
  );
}

function anchorsIn(text: string): string[] {
  if (!text.includes("[")) return [];
  const [, double, hash, named] = BLOCK_ANCHOR.exec(text) ?? [];
  const block = double ?? hash ?? named;
  const names = block === undefined ? [] : [block];
  for (const [, bracketed, macro] of text.matchAll(INLINE_ANCHOR)) {
    const name = bracketed ?? macro;
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  return names;
}

function titleOf(text: string): string {
  return tidyTitle(
    text
      .replace(INLINE_ANCHOR, (anchor) => (anchor.endsWith("[") ? "[" : ""))
      .replace(/^\[\]\s*/, "")
      .replace(/(?:link:|https?:\/\/)[^\s[\]]*\[([^[\]]*)\]/g, "$1")
      .replace(/<<[^<>,]*,?([^<>]*)>>/g, "$1")
      .replace(/`+|\*\*|(?<=^|\s)\+(?=\S)|(?<=\S)\+(?=\s|$)/g, "")
      .replace(/(?<![\p{L}\p{N}])([_*])(\S[^_*]*)\1(?![\p{L}\p{N}])/gu, "$2"),
  );
}
