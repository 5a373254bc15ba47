// The headings of Markdown.
import type { TextLines } from "../text-lines.ts";
import { MAX_TITLE_CHARS, tidyTitle, type FoundParts, type Heading } from "./section-parts.ts";

/**
 * The first characters of lines that can be structure (headings, underlines, fences). Most lines begin with
 * none of them.
 */
const MARKS = "#=-`~.";

/** Finds the headings of Markdown. */
export function markdownParts(lines: TextLines): FoundParts {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: Heading[] = [];
  let fence: string | undefined;
  const afterFrontMatter = skipFrontMatter(lines, verbatim);
  for (let line = afterFrontMatter; line <= lines.count; line += 1) {
    if (!MARKS.includes(lines.text.charAt(lines.firsts[line - 1] ?? 0))) {
      if (fence !== undefined) verbatim[line] = 1;
      continue;
    }
    const text = lines.at(line);
    const wasFenced = fence !== undefined;
    fence = fenceAfter(text, fence);
    if (wasFenced || fence !== undefined) {
      verbatim[line] = 1;
      continue;
    }
    const heading = headingAt(text, line) ?? underlinedHeading(lines, line);
    if (heading !== undefined) headings.push(heading);
  }
  return { headings, verbatim };
}

/** Returns the fence that is open after a line: the same one, none, or the one that the line opens. */
function fenceAfter(text: string, open: string | undefined): string | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text);
  const [, fence, info = ""] = match ?? [];
  if (fence === undefined) return open;
  if (open === undefined) return fence.startsWith("`") && info.includes("`") ? undefined : fence;
  const closes = fence[0] === open[0] && fence.length >= open.length && info.trim() === "";
  return closes ? undefined : open;
}

function headingAt(text: string, line: number): Heading | undefined {
  if (text.length > MAX_TITLE_CHARS) return undefined;
  const [, marks, title] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(text) ?? [];
  if (marks === undefined || title === undefined) return undefined;
  // The lookbehind makes the match linear: it does not start again at each blank of a long run.
  const clean = cleanTitle(title.trimEnd().replace(/(?<![ \t])[ \t]+[#=]+$/, ""));
  return clean === "" ? undefined : { startLine: line, line, level: marks.length, title: clean };
}

/** Returns the heading in line `line` - 1 if `line` underlines it. */
function underlinedHeading(lines: TextLines, line: number): Heading | undefined {
  if (line < 2) return undefined;
  const match = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines.at(line));
  const title = lines.at(line - 1);
  if (match?.[1] === undefined || lines.isBlank(line - 1)) return undefined;
  if (title.length > MAX_TITLE_CHARS) return undefined;
  // A list item, quote, table or second line of a paragraph above `---` is not a heading.
  if (/^(?: {4}|\t| {0,3}(?:[-*+>|#=]|\d+[.)]\s|<))/.test(title)) return undefined;
  if (line > 2 && !lines.isBlank(line - 2)) return undefined;
  const level = match[1].startsWith("=") ? 1 : 2;
  return { startLine: line - 1, line: line - 1, level, title: cleanTitle(title) };
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
 * Returns the text of a heading without the markup of links, emphasis, code and anchors. No pattern crosses a
 * second bracket of the same kind, so matching takes linear time.
 */
function cleanTitle(title: string): string {
  return tidyTitle(
    title
      .replace(/(?:\s#+)?\s*\{(?::?\s*[#.][^{}]*|\/\*[^{}]*\*\/)\}\s*$/, "")
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
      .replace(/<[^<>]*>/g, "")
      .replace(/\*\*|__|`+/g, ""),
  );
}
