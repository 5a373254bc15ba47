// The headings of POD, the documentation format of Perl.
import type { TextLines } from "../text-lines.ts";
import { MAX_TITLE_CHARS, tidyTitle, type FoundParts, type Heading } from "./section-parts.ts";

const COMMAND = /^=(head([1-6])|begin|end)[ \t]*(.*)$/;
/** Stand for angle brackets while the codes around them are removed. */
const LESS = "\uE000";
const GREATER = "\uE001";
const ESCAPED: Readonly<Record<string, string>> = {
  lt: LESS,
  gt: GREATER,
  verbar: "|",
  sol: "/",
  amp: "&",
  quot: '"',
};
/** Codes may be nested. Deeper ones keep their letter. */
const MAX_NESTED_CODES = 4;

/** Finds the headings of POD. */
export function podParts(lines: TextLines): FoundParts {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: Heading[] = [];
  let isRaw = false;
  for (let line = 1; line <= lines.count; line += 1) {
    if (isRaw) verbatim[line] = 1;
    // Indented paragraphs are code.
    if (!lines.isBlank(line) && (lines.indents[line - 1] ?? 0) > 0) markCode(lines, line, verbatim);
    const [, command, level, title = ""] = commandAt(lines, line);
    // A format that begins with a colon holds POD.
    if (command === "begin") isRaw = !title.startsWith(":");
    if (command === "end") isRaw = false;
    if (level === undefined || isRaw) continue;
    const clean = titleOf(title);
    if (clean !== "") headings.push({ startLine: line, line, level: Number(level), title: clean });
  }
  return { headings, verbatim };
}

function commandAt(lines: TextLines, line: number): readonly (string | undefined)[] {
  const start = lines.starts[line - 1] ?? 0;
  if (lines.text.charAt(start) !== "=" || lines.endOf(line) - start > MAX_TITLE_CHARS) return [];
  return COMMAND.exec(lines.at(line)) ?? [];
}

function markCode(lines: TextLines, line: number, verbatim: Uint8Array): void {
  verbatim[line] = 1;
  if (line > 2 && lines.isBlank(line - 1) && verbatim[line - 2] === 1) verbatim[line - 1] = 1;
}

/** Returns a title without formatting codes: `C<x>`, `L<text|page>`, `B<< x >>`, `E<gt>`. */
function titleOf(title: string): string {
  let text = title.replace(/E<(\w{1,10})>/g, (code, name: string) => ESCAPED[name] ?? code);
  for (let depth = 0; depth < MAX_NESTED_CODES; depth += 1) {
    const inner = text
      .replace(/[A-Z]<<+ (.*?) >>+/g, "$1")
      .replace(/[XZ]<[^<>]*>/g, "")
      .replace(/L<([^<>|]*)\|[^<>]*>/g, "$1")
      .replace(/[A-Z]<([^<>]*)>/g, "$1");
    if (inner === text) break;
    text = inner;
  }
  return tidyTitle(text).replaceAll(LESS, "<").replaceAll(GREATER, ">");
}
