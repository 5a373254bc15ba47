// Definitions found by the look of lines, for a first look at a whole tree, for languages without
// a grammar and for files their grammar cannot cope with. Indentation says where a definition ends.
import { matcherFor, type LineMatcher } from "./line-matcher.ts";
import { closesBlock, isLead, isTypeLine, leavesOpen } from "./line-looks.ts";
import type { Definition, Kind, Outline } from "./languages/language.ts";
import type { LinePattern } from "./languages/line-pattern.ts";
import { emptyCuts, type Lines } from "./plain.ts";

/** More lines of comments and attributes than this are not looked through above a definition. */
const LEAD_LIMIT = 60;
const DEEPEST_CUT = 250;
const BRACE = 123;

interface Open {
  readonly definition: Definition;
  /** Where it was found: below its comments and attributes. */
  readonly line: number;
  readonly indent: number;
  /** True when definitions may be looked for in it. */
  readonly isContainer: boolean;
}

interface Scan {
  readonly lines: Lines;
  readonly matcher: LineMatcher;
  readonly top: Definition[];
  /** What the line belongs to, outermost first. */
  readonly open: Open[];
  /** The last line before that is not blank. */
  lastLine: number;
}

export function readStructure(lines: Lines, language: string): Outline {
  const scan: Scan = { lines, matcher: matcherFor(language), top: [], open: [], lastLine: 0 };
  const { text, firsts, indents, count } = lines;
  const cuts = emptyCuts(count);
  for (let line = 1; line <= count; line += 1) {
    if (lines.isBlank(line)) continue;
    const first = firsts[line - 1] ?? 0;
    const indent = indents[line - 1] ?? 0;
    const isCloser = closesBlock(text, first);
    if (!isCloser && line > 1) {
      const isAfterBlank = scan.lastLine < line - 1;
      cuts[line - 1] = Math.min(DEEPEST_CUT, indent * 2 + (isAfterBlank ? 1 : 2));
    }
    const top = scan.open.at(-1);
    if (top !== undefined && top.indent >= indent) closeDefinitions(scan, line, isCloser);
    openDefinition(scan, line);
    scan.lastLine = line;
  }
  for (const { definition } of scan.open) definition.endLine = scan.lastLine;
  return { definitions: scan.top, cuts };
}

/** Ends what the line no longer belongs to. A closing brace still does, and ends it. */
function closeDefinitions(scan: Scan, line: number, isCloser: boolean): void {
  const { lines, open } = scan;
  if (scan.matcher.untilNext) return;
  const indent = lines.indents[line - 1] ?? 0;
  for (let top = open.at(-1); top !== undefined && top.indent >= indent; top = open.at(-1)) {
    if (top.indent === indent) {
      if (lines.text.charCodeAt(lines.firsts[line - 1] ?? 0) === BRACE) return;
      if (isCloser) {
        if (leavesOpen(lines, line)) return;
        open.pop();
        top.definition.endLine = line;
        return;
      }
    }
    open.pop();
    top.definition.endLine = scan.lastLine;
  }
}

function openDefinition(scan: Scan, line: number): void {
  const { lines, matcher, open, top } = scan;
  const around = open.at(-1);
  if (around?.isContainer === false && !matcher.untilNext) return;
  const owner = matcher.untilNext ? undefined : around?.definition;
  const isMember = isClass(owner?.kind);
  const pattern = matcher.match(lines, line, isMember);
  if (pattern === undefined) return;
  const startLine = leadStart(scan, line, pattern);
  if (matcher.untilNext && around !== undefined) {
    open.pop();
    around.definition.endLine = lastFilled(lines, Math.min(scan.lastLine, startLine - 1));
  }
  const kind = pattern.kind === "function" && isMember ? "method" : pattern.kind;
  const isSymbol = pattern.isSymbol !== false;
  const definition = definitionOf(matcher.name, { kind, isSymbol, startLine, endLine: line });
  (owner === undefined ? top : owner.members).push(definition);
  const isContainer = isClass(kind) || kind === "module";
  open.push({ definition, line, indent: lines.indents[line - 1] ?? 0, isContainer });
}

function isClass(kind: Kind | undefined): boolean {
  return kind === "class" || kind === "type";
}

function definitionOf(
  name: string,
  facts: Pick<Definition, "kind" | "isSymbol" | "startLine" | "endLine">,
): Definition {
  const split = facts.kind === "function" ? name.lastIndexOf("::") : -1;
  return {
    name: split < 1 ? name : name.slice(split + 2),
    owner: split < 1 ? undefined : name.slice(0, split).replaceAll("::", "."),
    kind: facts.kind,
    startLine: facts.startLine,
    endLine: facts.endLine,
    // What nobody asks for is not worth a look at every definition of a tree.
    signature: "",
    docLine: undefined,
    isSymbol: facts.isSymbol,
    isTitle: false,
    isInline: false,
    isScope: true,
    members: [],
  };
}

function lastFilled(lines: Lines, line: number): number {
  let last = line;
  while (last > 1 && lines.isBlank(last)) last -= 1;
  return last;
}

/** First of the comment and attribute lines directly above, down to what is no part of another. */
function leadStart({ lines, open, top }: Scan, line: number, pattern: LinePattern): number {
  const around = open.at(-1);
  const before = around === undefined ? top.at(-1) : around.definition.members.at(-1);
  const floor = Math.max(
    around === undefined ? 0 : around.line,
    before === undefined || before.endLine >= line ? 0 : before.endLine,
    line - LEAD_LIMIT,
  );
  let start = line;
  if (pattern.isTypeAbove === true && line - 1 > floor && isTypeLine(lines, line - 1)) start -= 1;
  while (start - 1 > floor && !lines.isBlank(start - 1) && isLead(lines, start - 1)) start -= 1;
  return start;
}
