// Headings of Markdown, AsciiDoc and reStructuredText, found line by line without a grammar.
import type { DocumentHeading } from "../base/documents/document.ts";
import type { TextLines } from "./text-lines.ts";

/** A longer line is not a heading. The limit also bounds the time of the patterns below. */
const MAX_TITLE_CHARS = 400;

/**
 * The first characters of lines that can be structure (headings, underlines, fences). Most lines begin with
 * none of them.
 */
const MARKS = "#=-`~.";

/** Returns the headings of a text in a language for which `isProse` is true. */
export function proseHeadings(lines: TextLines, language: string): FoundHeadings {
  return language === "rst" ? rstHeadings(lines) : markedHeadings(lines, language);
}

export interface FoundHeadings {
  readonly headings: DocumentHeading[];
  /** By line: 1 in code blocks and front matter, which contain no headings. */
  readonly verbatim: Uint8Array;
}

function markedHeadings(lines: TextLines, language: string): FoundHeadings {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: DocumentHeading[] = [];
  let fence: string | undefined;
  const afterFrontMatter = skipFrontMatter(lines, verbatim);
  const marker = language === "asciidoc" ? "=" : "#";
  for (let line = afterFrontMatter; line <= lines.count; line += 1) {
    if (!MARKS.includes(lines.text.charAt(lines.firsts[line - 1] ?? 0))) {
      if (fence !== undefined) verbatim[line] = 1;
      continue;
    }
    const text = lines.at(line);
    const wasFenced = fence !== undefined;
    fence = fenceAfter(text, fence, language);
    if (wasFenced || fence !== undefined) {
      verbatim[line] = 1;
      continue;
    }
    const heading = headingAt(text, marker) ?? underlinedHeading(lines, line, language);
    if (heading !== undefined) headings.push(heading.line === 0 ? { ...heading, line } : heading);
  }
  return { headings, verbatim };
}

/** Returns the fence that is open after a line: the same one, none, or the one that the line opens. */
function fenceAfter(text: string, open: string | undefined, language: string): string | undefined {
  const pattern =
    language === "asciidoc" ? /^(-{4,}|\.{4,}|={4,})\s*$/ : /^ {0,3}(`{3,}|~{3,})(.*)$/;
  const match = pattern.exec(text);
  const [, fence, info = ""] = match ?? [];
  if (fence === undefined) return open;
  if (open === undefined) return fence.startsWith("`") && info.includes("`") ? undefined : fence;
  const closes = fence[0] === open[0] && fence.length >= open.length && info.trim() === "";
  return closes ? undefined : open;
}

function headingAt(text: string, marker: "#" | "="): DocumentHeading | undefined {
  if (text.length > MAX_TITLE_CHARS) return undefined;
  const match = (marker === "#" ? /^ {0,3}(#{1,6})[ \t]+(.*)$/ : /^(={1,6})[ \t]+(.*)$/).exec(text);
  const [, marks, title] = match ?? [];
  if (marks === undefined || title === undefined) return undefined;
  // The lookbehind makes the match linear: it does not start again at each blank of a long run.
  const clean = cleanTitle(title.trimEnd().replace(/(?<![ \t])[ \t]+[#=]+$/, ""));
  return clean === "" ? undefined : { line: 0, level: marks.length, title: clean };
}

/** Returns the heading in line `line` - 1 if `line` underlines it. */
function underlinedHeading(
  lines: TextLines,
  line: number,
  language: string,
): DocumentHeading | undefined {
  if (language === "asciidoc" || line < 2) return undefined;
  const match = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines.at(line));
  const title = lines.at(line - 1);
  if (match?.[1] === undefined || lines.isBlank(line - 1)) return undefined;
  if (title.length > MAX_TITLE_CHARS) return undefined;
  // A list item, quote, table or second line of a paragraph above `---` is not a heading.
  if (/^(?: {4}|\t| {0,3}(?:[-*+>|#=]|\d+[.)]\s|<))/.test(title)) return undefined;
  if (line > 2 && !lines.isBlank(line - 2)) return undefined;
  return { line: line - 1, level: match[1].startsWith("=") ? 1 : 2, title: cleanTitle(title) };
}

function skipFrontMatter(lines: TextLines, verbatim: Uint8Array): number {
  const fence = lines.at(1);
  if (!/^(?:---|\+\+\+)\s*$/.test(fence)) return 1;
  for (let line = 2; line <= Math.min(lines.count, 200); line += 1) {
    if (lines.at(line).trimEnd() !== fence.trimEnd()) continue;
    verbatim.fill(1, 1, line + 1);
    return line + 1;
  }
  return 1;
}

/**
 * In reStructuredText the first underline style of the file is the outermost level, the second the next, and
 * so on.
 */
function rstHeadings(lines: TextLines): FoundHeadings {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: DocumentHeading[] = [];
  const styles: string[] = [];
  for (let line = 2; line <= lines.count; line += 1) {
    const underline = /^([=\-~^"'`#*+.:_])\1{2,}\s*$/.exec(lines.at(line));
    const title = lines.at(line - 1);
    if (underline?.[1] === undefined || !/^\s?\S/.test(title)) continue;
    if (title.length > MAX_TITLE_CHARS) continue;
    if (/^([^\w\s])\1+\s*$/.test(title)) continue;
    if (lines.at(line).trimEnd().length < Math.min(title.trim().length, 4)) continue;
    const isOverlined = line > 2 && lines.at(line - 2).trimEnd() === lines.at(line).trimEnd();
    if (!isOverlined && line > 2 && !lines.isBlank(line - 2)) continue;
    const style = `${underline[1]}${isOverlined ? "over" : ""}`;
    if (!styles.includes(style)) styles.push(style);
    const start = isOverlined ? line - 2 : line - 1;
    headings.push({ line: start, level: styles.indexOf(style) + 1, title: cleanTitle(title) });
  }
  return { headings, verbatim };
}

/**
 * Returns the text of a heading without the markup of links, emphasis, code and anchors. No pattern crosses a
 * second bracket of the same kind, so matching takes linear time.
 */
function cleanTitle(title: string): string {
  return title
    .replace(/(?:\s#+)?\s*\{(?::?\s*[#.][^{}]*|\/\*[^{}]*\*\/)\}\s*$/, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/<[^<>]*>/g, "")
    .replace(/\*\*|__|`+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120);
}
