// Sections of prose: headings, labels and documented definitions. They are found line by line, without a grammar.
import { paragraphCuts, type TextLines } from "../parse/text-lines.ts";
import type { ParsedOutline } from "../parse/languages/definition-rules.ts";
import { asciidocParts } from "../parse/sections/asciidoc.ts";
import { bibtexParts } from "../parse/sections/bibtex.ts";
import { latexParts } from "../parse/sections/latex.ts";
import { markdownParts } from "../parse/sections/markdown.ts";
import { manualParts } from "../parse/sections/manual-page.ts";
import { orgParts } from "../parse/sections/org.ts";
import { podParts } from "../parse/sections/pod.ts";
import { restructuredTextParts } from "../parse/sections/restructured-text.ts";
import { nestParts, type FoundParts } from "../parse/sections/section-parts.ts";

const SCANNERS: ReadonlyMap<string, (lines: TextLines) => FoundParts> = new Map([
  ["markdown", markdownParts],
  ["rst", restructuredTextParts],
  ["asciidoc", asciidocParts],
  ["org", orgParts],
  ["tex", latexParts],
  ["pod", podParts],
  ["bibtex", bibtexParts],
  ["man", manualParts],
]);

/** Returns the sections of a text as nested definitions. */
export function parseSections(lines: TextLines, language: string): ParsedOutline {
  const found = parseProse(lines, language);
  return { definitions: nestParts(found, lines), cuts: proseCuts(lines, found.verbatim) };
}

/** Returns the headings of a text, and which of its lines are code. */
export function parseProse(lines: TextLines, language: string): FoundParts {
  return (SCANNERS.get(language) ?? markdownParts)(lines);
}

/** Returns whether `parseSections` supports the language. */
export function isProse(language: string | undefined): language is string {
  return language !== undefined && SCANNERS.has(language);
}

/** Returns the cuts between paragraphs. Cuts inside a code block cost the most. */
function proseCuts(lines: TextLines, verbatim: Uint8Array): Uint8Array {
  const cuts = paragraphCuts(lines);
  for (let line = 1; line <= lines.count; line += 1) {
    const isInside = verbatim[line] === 1 && verbatim[line - 1] === 1;
    if (isInside && cuts[line - 1] !== 0) cuts[line - 1] = 9;
  }
  return cuts;
}
