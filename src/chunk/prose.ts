// Sections of prose: from one heading to the next of its level or of one above it.
import type { DocumentHeading } from "../base/documents/document.ts";
import type { Definition, ParsedOutline } from "../parse/languages/definition-rules.ts";
import { proseHeadings } from "../parse/prose-headings.ts";
import { paragraphCuts, type TextLines } from "../parse/text-lines.ts";

/** Returns the sections of a text as nested definitions. */
export function parseSections(lines: TextLines, language: string): ParsedOutline {
  const found = proseHeadings(lines, language);
  return {
    definitions: nestSections(found.headings, lines),
    cuts: proseCuts(lines, found.verbatim),
  };
}

/** Returns whether `parseSections` supports the language. */
export function isProse(language: string | undefined): language is string {
  return language === "markdown" || language === "rst" || language === "asciidoc";
}

/** Deeper sections are beside those of this level: documents of machines have any levels. */
const MAX_LEVEL = 12;

/** Returns the sections that headings begin, nested by their levels. */
export function nestSections(headings: readonly DocumentHeading[], lines: TextLines): Definition[] {
  const top: Definition[] = [];
  const open: { level: number; definition: Definition }[] = [];
  const closeFrom = (level: number, nextLine: number): void => {
    let endLine = nextLine - 1;
    while (endLine > 1 && lines.isBlank(endLine)) endLine -= 1;
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
      last.definition.endLine = endLine;
      open.pop();
    }
  };
  for (const heading of headings) {
    const level = Math.min(heading.level, MAX_LEVEL);
    closeFrom(level, heading.line);
    const definition = section(heading);
    (open.at(-1)?.definition.members ?? top).push(definition);
    open.push({ level, definition });
  }
  closeFrom(0, lines.count + 1);
  return top;
}

function section(heading: DocumentHeading): Definition {
  return {
    name: heading.title === "" ? "-" : heading.title,
    owner: undefined,
    kind: "section",
    startLine: heading.line,
    nameLine: heading.line,
    nameIndex: -1,
    access: "exported",
    endLine: heading.line,
    signature: heading.title,
    docLine: undefined,
    isSymbol: true,
    isTitle: true,
    isInline: false,
    isScope: true,
    members: [],
  };
}

/** Returns the cuts between paragraphs. Cuts inside of a code block cost the most. */
function proseCuts(lines: TextLines, verbatim: Uint8Array): Uint8Array {
  const cuts = paragraphCuts(lines);
  for (let line = 1; line <= lines.count; line += 1) {
    const isInside = verbatim[line] === 1 && verbatim[line - 1] === 1;
    if (isInside && cuts[line - 1] !== 0) cuts[line - 1] = 9;
  }
  return cuts;
}
