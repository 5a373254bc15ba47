// Definitions found by the look of lines, for languages without a grammar and for files their
// grammar cannot cope with. Indentation says where a definition ends.
import { LINE_PATTERNS, type LinePattern, type LinePatterns } from "./languages/line-patterns.ts";
import type { Definition, Outline } from "./languages/language.ts";
import { docLineOf, signatureOf } from "./languages/summary.ts";
import { indentOf, type Lines } from "./plain.ts";

/** Lines longer than this are data or minified: no definition is looked for in them. */
const LINE_LIMIT = 400;
const LEAD_LIMIT = 60;
const CLOSER = /^\s*(?:[}\])]|end\b|\*\/|<\/|EOF\b|--\])/;
const OPENS_MORE = /(?:[{(:=,]|=>|->|\bdo|\bthen)\s*$/;
const LEAD = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|--|;;|%%|@|\[[A-Z]|<!--|\(\*)/;

interface Open {
  readonly definition: Definition;
  readonly indent: number;
}

interface Scan {
  readonly lines: Lines;
  readonly patterns: LinePatterns;
  readonly top: Definition[];
  readonly open: Open[];
  lastLine: number;
}

export function readStructure(lines: Lines, language: string): Outline {
  const patterns = LINE_PATTERNS.get(language) ?? LINE_PATTERNS.get("") ?? { patterns: [] };
  const scan: Scan = { lines, patterns, top: [], open: [], lastLine: 0 };
  const cuts = new Uint8Array(lines.count + 1);
  let wasBlank = false;
  for (let line = 1; line <= lines.count; line += 1) {
    if (lines.isBlank(line)) {
      wasBlank = true;
      continue;
    }
    const text = lines.at(line);
    const indent = indentOf(text);
    const isCloser = CLOSER.test(text);
    if (line > 1 && !isCloser) cuts[line - 1] = Math.min(250, indent * 2 + (wasBlank ? 1 : 2));
    wasBlank = false;
    closeDefinitions(scan, text, { indent, isCloser });
    openDefinition(scan, line, { text, indent });
    extendOpen(scan, line);
  }
  return { definitions: scan.top, cuts };
}

/** Ends what the line no longer belongs to. A closing brace still does, and ends it. */
function closeDefinitions(
  scan: Scan,
  text: string,
  at: { indent: number; isCloser: boolean },
): void {
  if (scan.patterns.untilNext === true) return;
  for (
    let top = scan.open.at(-1);
    top !== undefined && top.indent >= at.indent;
    top = scan.open.at(-1)
  ) {
    const isSameIndent = top.indent === at.indent;
    if (isSameIndent && /^\s*\{/.test(text)) return;
    if (isSameIndent && at.isCloser) {
      top.definition.endLine = scan.lastLine + 1;
      if (!OPENS_MORE.test(text)) closeAt(scan, top);
      return;
    }
    scan.open.pop();
  }
}

function closeAt(scan: Scan, top: Open): void {
  // The closer itself is the last line: `extendOpen` must not be asked for it again.
  scan.open.pop();
  for (const outer of scan.open) outer.definition.endLine = top.definition.endLine;
}

function extendOpen(scan: Scan, line: number): void {
  for (const { definition } of scan.open) definition.endLine = line;
  scan.lastLine = line;
}

function openDefinition(scan: Scan, line: number, at: { text: string; indent: number }): void {
  if (at.text.length > LINE_LIMIT) return;
  const { patterns, untilNext = false } = scan.patterns;
  const parent = scan.open.at(-1)?.definition;
  if (parent !== undefined && !isContainer(parent) && !untilNext) return;
  const match = firstMatch(patterns, at.text);
  if (match === undefined) return;
  if (untilNext) scan.open.pop();
  const owner = untilNext ? undefined : parent;
  const definition = definitionAt(scan, line, { text: at.text, owner, ...match });
  (owner?.members ?? scan.top).push(definition);
  scan.open.push({ definition, indent: at.indent });
}

function definitionAt(
  scan: Scan,
  line: number,
  found: { text: string; owner: Definition | undefined; pattern: LinePattern; name: string },
): Definition {
  const { name, pattern, owner, text } = found;
  const startLine = leadStart(scan, line);
  return {
    name,
    owner: undefined,
    kind: pattern.kind === "function" && isClass(owner) ? "method" : pattern.kind,
    startLine,
    endLine: line,
    signature: signatureOf(text.trim(), 0, LINE_LIMIT),
    docLine: startLine < line ? docLineOf(leadText(scan.lines, startLine, line)) : undefined,
    isSymbol: pattern.isSymbol ?? true,
    isTitle: false,
    isInline: false,
    isScope: true,
    members: [],
  };
}

function firstMatch(
  patterns: readonly LinePattern[],
  text: string,
): { pattern: LinePattern; name: string } | undefined {
  for (const pattern of patterns) {
    const name = pattern.regex.exec(text)?.groups?.["name"]?.trim();
    if (name !== undefined && name !== "") return { pattern, name: name.slice(0, 120) };
  }
  return undefined;
}

/** First of the comment and attribute lines directly above. */
function leadStart({ lines, top, open }: Scan, line: number): number {
  const before = open.at(-1)?.definition.members.at(-1) ?? top.at(-1);
  const floor = Math.max(
    before !== undefined && before.endLine < line ? before.endLine : 0,
    line - LEAD_LIMIT,
  );
  let start = line;
  while (start - 1 > floor && !lines.isBlank(start - 1) && LEAD.test(lines.at(start - 1)))
    start -= 1;
  return start;
}

function leadText(lines: Lines, from: number, to: number): string {
  return lines.text.slice(lines.starts[from - 1], lines.starts[to - 1]);
}

function isClass(definition: Definition | undefined): boolean {
  return definition?.kind === "class" || definition?.kind === "type";
}

function isContainer({ kind }: Definition): boolean {
  return kind === "class" || kind === "type" || kind === "module";
}
