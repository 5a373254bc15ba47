// Outlines by line patterns: for the quick first pass over a tree, for languages without a grammar, and for
// files on which the grammar fails. Indentation determines where a definition ends.
import { matcherFor, type LineMatcher } from "./line-matcher.ts";
import { closesBlock, isLeadLine, isTypeLine, leavesOpen } from "./line-tests.ts";
import type { Definition, SymbolKind, ParsedOutline } from "../languages/definition-rules.ts";
import type { LinePatternRule, LinePatterns } from "../languages/line-pattern.ts";
import { LINE_PATTERNS } from "../languages/line-patterns-by-language.ts";
import { emptyCuts, type TextLines } from "../text-lines.ts";

/** Maximum lines of comments and attributes that belong to a definition. */
const MAX_LEAD_LINES = 60;
const MAX_CUT_DEPTH = 250;
const BRACE = 123;

interface OpenDefinition {
  readonly definition: Definition;
  /** The line of the definition, below its comments and attributes. */
  readonly line: number;
  readonly indent: number;
  /** True if definitions inside it are searched. */
  readonly isContainer: boolean;
}

interface LineScan {
  readonly lines: TextLines;
  readonly matcher: LineMatcher;
  /**
   * True if the language has one-line definitions, which are also searched in places without other
   * definitions.
   */
  readonly hasInline: boolean;
  readonly split: NonNullable<LinePatterns["split"]>;
  /** How many more symbols may be added. */
  symbolsLeft: number;
  readonly top: Definition[];
  /** The definitions that contain the line, outermost first. */
  readonly open: OpenDefinition[];
  /** The last line before this one that is not blank. */
  lastLine: number;
}

/** Returns the definitions and cut points of a text. */
export function parseLineOutline(lines: TextLines, language: string): ParsedOutline {
  const scan = scanOf(lines, language);
  const { text, firsts, indents, count } = lines;
  const cuts = emptyCuts(count);
  for (let line = 1; line <= count; line += 1) {
    if (lines.isBlank(line)) continue;
    const first = firsts[line - 1] ?? 0;
    const indent = indents[line - 1] ?? 0;
    const isCloser = closesBlock(text, first);
    if (!isCloser && line > 1) {
      const isAfterBlank = scan.lastLine < line - 1;
      cuts[line - 1] = Math.min(MAX_CUT_DEPTH, indent * 2 + (isAfterBlank ? 1 : 2));
    }
    const top = scan.open.at(-1);
    if (top !== undefined && top.indent >= indent) closeDefinitions(scan, line, isCloser);
    openDefinition(scan, line);
    scan.lastLine = line;
  }
  for (const { definition } of scan.open) definition.endLine = scan.lastLine;
  return { definitions: scan.top, cuts };
}

function scanOf(lines: TextLines, language: string): LineScan {
  const patterns = LINE_PATTERNS.get(language);
  return {
    lines,
    matcher: matcherFor(language),
    hasInline: patterns?.patterns.some(({ isInline }) => isInline === true) ?? false,
    split: patterns?.split ?? splitAtColons,
    symbolsLeft: patterns?.limit ?? Number.POSITIVE_INFINITY,
    top: [],
    open: [],
    lastLine: 0,
  };
}

/**
 * Closes the definitions that do not contain the line. A closing brace is the last line of its definition.
 */
function closeDefinitions(scan: LineScan, line: number, isCloser: boolean): void {
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

function openDefinition(scan: LineScan, line: number): void {
  const { matcher, hasInline } = scan;
  const around = scan.open.at(-1);
  const isClosed = around?.isContainer === false && !matcher.untilNext;
  if (isClosed && !(hasInline && around.definition.kind === "section")) return;
  const isMember = isClass(around?.definition.kind) && (hasInline || !matcher.untilNext);
  const pattern = matcher.match(scan.lines, line, isMember);
  if (pattern === undefined) return;
  if (pattern.isInline === true) addInline(scan, line, pattern);
  else if (!isClosed) pushDefinition(scan, line, pattern);
}

function addInline(scan: LineScan, line: number, pattern: LinePatternRule): void {
  const isOutside = pattern.kind === "field" && !isClass(scan.open.at(-1)?.definition.kind);
  const kind = isOutside ? "constant" : pattern.kind;
  const place = { startLine: line, endLine: line, nameLine: line };
  const isSymbol = countSymbol(scan, pattern);
  const definition = definitionOf(nameOf(scan, kind), { kind, isSymbol, isInline: true, ...place });
  (scan.open.at(-1)?.definition.members ?? scan.top).push(definition);
}

function pushDefinition(scan: LineScan, line: number, pattern: LinePatternRule): void {
  const { lines, matcher, top } = scan;
  const around = scan.open.at(-1);
  const startLine = leadStart(scan, line, pattern);
  const owner = matcher.untilNext ? undefined : around?.definition;
  if (matcher.untilNext && around !== undefined) {
    scan.open.pop();
    around.definition.endLine = lastNonBlankLine(lines, Math.min(scan.lastLine, startLine - 1));
  }
  const kind = pattern.kind === "function" && isClass(owner?.kind) ? "method" : pattern.kind;
  const place = { startLine, endLine: line, nameLine: line };
  const isSymbol = countSymbol(scan, pattern);
  const definition = definitionOf(nameOf(scan, kind), {
    kind,
    isSymbol,
    isInline: false,
    ...place,
  });
  (owner === undefined ? top : owner.members).push(definition);
  const isContainer = isClass(kind) || kind === "module";
  scan.open.push({ definition, line, indent: lines.indents[line - 1] ?? 0, isContainer });
}

function countSymbol(scan: LineScan, { isSymbol }: LinePatternRule): boolean {
  if (isSymbol === false || scan.symbolsLeft === 0) return false;
  scan.symbolsLeft -= 1;
  return true;
}

function isClass(kind: SymbolKind | undefined): boolean {
  return kind === "class" || kind === "type";
}

interface QualifiedName {
  readonly name: string;
  readonly owner: string | undefined;
}

/** Returns the name of the match, split into owner and name. A module keeps its qualified name. */
function nameOf({ matcher, split }: LineScan, kind: SymbolKind): QualifiedName {
  const { name } = matcher;
  if (split !== splitAtColons) return kind === "text" ? { name, owner: undefined } : split(name);
  return kind === "function" || kind === "method"
    ? splitAtColons(name)
    : { name, owner: undefined };
}

function splitAtColons(text: string): QualifiedName {
  const at = text.lastIndexOf("::");
  if (at < 1) return { name: text, owner: undefined };
  return { name: text.slice(at + 2), owner: text.slice(0, at).replaceAll("::", ".") };
}

function definitionOf(
  { name, owner }: QualifiedName,
  facts: Pick<Definition, "kind" | "isSymbol" | "isInline" | "startLine" | "endLine" | "nameLine">,
): Definition {
  return {
    name,
    owner,
    kind: facts.kind,
    startLine: facts.startLine,
    endLine: facts.endLine,
    nameLine: facts.nameLine,
    nameIndex: -1,
    access: "internal",
    // Left empty to save time: nobody reads the signature of a definition found by line patterns.
    signature: "",
    docLine: undefined,
    isSymbol: facts.isSymbol,
    isTitle: false,
    isInline: facts.isInline,
    isScope: true,
    members: [],
  };
}

function lastNonBlankLine(lines: TextLines, line: number): number {
  let last = line;
  while (last > 1 && lines.isBlank(last)) last -= 1;
  return last;
}

/**
 * Returns the first of the comment and attribute lines directly above that do not belong to another
 * definition.
 */
function leadStart({ lines, open, top }: LineScan, line: number, pattern: LinePatternRule): number {
  const around = open.at(-1);
  const before = around === undefined ? top.at(-1) : around.definition.members.at(-1);
  const floor = Math.max(
    around === undefined ? 0 : around.line,
    before === undefined || before.endLine >= line ? 0 : before.endLine,
    line - MAX_LEAD_LINES,
  );
  let start = line;
  if (pattern.isTypeAbove === true && line - 1 > floor && isTypeLine(lines, line - 1)) start -= 1;
  while (start - 1 > floor && !lines.isBlank(start - 1) && isLeadLine(lines, start - 1)) start -= 1;
  return start;
}
