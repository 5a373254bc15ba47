// Cuts one file into chunks, each an answer of its own, and lists the symbols it defines.
// An outline of the file says where things begin and end; here it is decided what goes together.
import type { Definition, Kind, Outline } from "./languages/language.ts";
import { readOutline } from "./languages/outline.ts";
import { RULES } from "./languages/rules.ts";
import { isProse, readSections } from "./markdown.ts";
import {
  paragraphCuts,
  readLines,
  sizeOf,
  splitRange,
  type LineRange,
  type Lines,
} from "./plain.ts";
import { readStructure } from "./structure.ts";
import type { Grammars } from "./syntax.ts";

export interface Chunk {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the first definition (`Session.receive`), or the path of headings (`Guide > Install`); "" when there is none. */
  readonly symbol: string;
  /** Names defined in the chunk, after those of what they are defined in; fields are left out. */
  readonly names: readonly string[];
  readonly kind: Kind;
}

export interface SymbolDefinition {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: Kind;
  readonly startLine: number;
  readonly endLine: number;
  /** One line of at most 200 characters. */
  readonly signature: string;
  /** First line of the documentation. */
  readonly docLine?: string;
}

export interface ChunkedFile {
  /** In the order of the file; every line that is not blank is in exactly one. */
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
  readonly problems: readonly string[];
}

interface Sizes {
  /** A definition with members is one chunk up to this size, else one chunk per member. */
  readonly whole: number;
  /** Anything else is one chunk up to this size, else it is split. */
  readonly leaf: number;
  /** Size of the pieces of what is split. */
  readonly piece: number;
  /** Neighbours smaller than this are too little to answer anything and are put together … */
  readonly tiny: number;
  /** … up to this size. */
  readonly merged: number;
}

/**
 * In lines; long lines count several times. A chunk is to be read at a glance and to be about one
 * thing, as the length normalisation of the ranking punishes chunks that are about several.
 */
const CODE: Sizes = { whole: 60, leaf: 80, piece: 50, tiny: 6, merged: 40 };
/** Sections are shorter than functions, and one paragraph alone rarely answers a question. */
const PROSE: Sizes = { whole: 40, leaf: 60, piece: 40, tiny: 20, merged: 40 };
/** Lines between definitions that are too few for a chunk: they go with the definition after them. */
const REMNANT = 4;
/** More names than this in one chunk are a table, not a description. */
const MAX_NAMES = 64;

/**
 * Characters of a file that is worth a syntax tree. Longer ones are tables and generated parsers nearly
 * always: in webpack five files of 895 take a fifth of all parsing. They are cut by structure.
 */
const SYNTAX_LIMIT = 256 * 1024;

interface SourceFile {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
}

/** Never fails: what cannot be parsed is cut by its indentation and noted as a problem. */
export function chunkFile(file: SourceFile, grammars?: Grammars): ChunkedFile {
  const lines = readLines(file.text);
  const { outline, sizes, gapKind, problems } = outlineOf(file, lines, grammars);
  const cutter: Cutter = { lines, cuts: outline.cuts, sizes, gapKind };
  const units = tile(cutter, outline.definitions, { start: 1, end: lines.count });
  return { chunks: units.map(toChunk), symbols: listSymbols(outline.definitions), problems };
}

interface Reading {
  readonly outline: Outline;
  readonly sizes: Sizes;
  /** What text outside of definitions is. */
  readonly gapKind: Kind;
  readonly problems: readonly string[];
}

function outlineOf(file: SourceFile, lines: Lines, grammars: Grammars | undefined): Reading {
  const { language } = file;
  if (isProse(language)) {
    const outline = readSections(lines, language);
    return { outline, sizes: PROSE, gapKind: "text", problems: [] };
  }
  if (language === undefined || language === "text") {
    const outline: Outline = { definitions: [], cuts: paragraphCuts(lines) };
    return { outline, sizes: PROSE, gapKind: "text", problems: [] };
  }
  const grammar = grammarFor(file);
  const rules = file.text.length > SYNTAX_LIMIT ? undefined : RULES.get(grammar);
  const parsed =
    rules &&
    grammars?.parse(grammar, rules.prepare?.(file.text) ?? file.text, (root) =>
      readOutline(root, { text: file.text, lineCount: lines.count, rules }),
    );
  if (parsed !== undefined && "value" in parsed) {
    return { outline: parsed.value, sizes: CODE, gapKind: "module", problems: [] };
  }
  const problems = parsed === undefined ? [] : [`${file.path}: ${parsed.problem}`];
  return { outline: readStructure(lines, language), sizes: CODE, gapKind: "module", problems };
}

/** Headers are called C, but those of C++ need its grammar. */
function grammarFor({ path, language, text }: SourceFile): string {
  const isCpp =
    language === "c" &&
    /\.h$/i.test(path) &&
    /^[ \t]*(?:class\s+\w+|namespace\b[^;{]{0,200}\{|template\s*<|(?:public|private|protected):)/m.test(
      text,
    );
  return isCpp ? "cpp" : (language ?? "");
}

/** What will be a chunk, or a part of one. */
interface Unit {
  readonly start: number;
  end: number;
  symbol: string;
  kind: Kind;
  readonly names: Set<string>;
  /** How it may be put together with its neighbours. */
  role: "definition" | "header" | "gap" | "closed";
  /** True while everything in it is tiny. */
  isTiny: boolean;
}

interface Cutter {
  readonly lines: Lines;
  readonly cuts: Uint8Array;
  readonly sizes: Sizes;
  readonly gapKind: Kind;
}

/** The definition that a range belongs to. */
interface Owner {
  readonly qualifiedName: string;
  readonly path: readonly string[];
  readonly kind: Kind;
  readonly isTitle: boolean;
}

function tile(
  cutter: Cutter,
  members: readonly Definition[],
  range: LineRange,
  owner?: Owner,
): Unit[] {
  const units: Unit[] = [];
  let line = range.start;
  for (const definition of members) {
    if (definition.isInline) continue;
    const start = Math.max(definition.startLine, line);
    const end = Math.min(definition.endLine, range.end);
    if (start > end) {
      // It lies on a line that is taken, as in minified code.
      const last = units.at(-1);
      if (last !== undefined) addNames(last.names, definition);
      continue;
    }
    units.push(...gapUnits(cutter, { start: line, end: start - 1 }, owner));
    units.push(...definitionUnits(cutter, definition, { start, end }, owner));
    line = end + 1;
  }
  units.push(...gapUnits(cutter, { start: line, end: range.end }, owner));
  return merge(cutter, units);
}

function gapUnits(cutter: Cutter, range: LineRange, owner: Owner | undefined): Unit[] {
  const trimmed = trimBlank(cutter.lines, range);
  if (trimmed === undefined) return [];
  const isFirst = range.start === 1 || owner !== undefined;
  return pieces(cutter, trimmed).map(({ start, end }, index) => ({
    start,
    end,
    symbol: owner?.qualifiedName ?? "",
    kind: owner?.kind ?? cutter.gapKind,
    names: new Set(owner?.path),
    role: isFirst && index === 0 ? "header" : "gap",
    isTiny: sizeOf(cutter.lines, start, end) < cutter.sizes.tiny,
  }));
}

function definitionUnits(
  cutter: Cutter,
  definition: Definition,
  range: LineRange,
  outer: Owner | undefined,
): Unit[] {
  const { lines, sizes } = cutter;
  const trimmed = trimBlank(lines, range);
  if (trimmed === undefined) return [];
  const owner = ownerOf(definition, outer);
  const size = sizeOf(lines, trimmed.start, trimmed.end);
  const parts = definition.members.filter((member) => !member.isInline);
  const isContainer =
    parts.length > 0 && definition.kind !== "function" && definition.kind !== "method";
  if (size > (isContainer ? sizes.whole : sizes.leaf) && parts.length > 0) {
    return tile(cutter, definition.members, trimmed, owner).map((unit) => ({
      ...unit,
      role: "closed",
    }));
  }
  return pieces(cutter, trimmed).map(({ start, end }) => {
    const names = new Set(owner.path);
    for (const member of definition.members) {
      if (!member.isInline || !definition.isScope) addNames(names, member);
    }
    const { qualifiedName: symbol, kind } = owner;
    return { start, end, symbol, kind, names, role: "definition", isTiny: size < sizes.tiny };
  });
}

function pieces({ lines, cuts, sizes }: Cutter, range: LineRange): LineRange[] {
  if (sizeOf(lines, range.start, range.end) <= sizes.leaf) return [range];
  return splitRange(lines, cuts, range, sizes.piece).flatMap(
    (piece) => trimBlank(lines, piece) ?? [],
  );
}

/** Puts together neighbours that are too small to stand alone. */
function merge(cutter: Cutter, units: readonly Unit[]): Unit[] {
  const merged: Unit[] = [];
  for (const [index, unit] of units.entries()) {
    const last = merged.at(-1);
    if (
      last === undefined ||
      !belongTogether(cutter, { last, next: unit, after: units[index + 1] })
    ) {
      merged.push(unit);
      continue;
    }
    absorb(last, unit);
  }
  return merged;
}

function absorb(into: Unit, next: Unit): void {
  const isLeadIn = into.role === "gap" || into.symbol === "" || next.role === "closed";
  if (isLeadIn && into.role !== "closed" && next.role !== "gap") {
    into.symbol = next.symbol;
    into.kind = next.kind;
    into.role = next.role;
  }
  into.end = next.end;
  for (const name of next.names) into.names.add(name);
  into.isTiny &&= next.isTiny || next.role === "gap";
}

function belongTogether(
  { lines, sizes }: Cutter,
  { last, next, after }: { last: Unit; next: Unit; after: Unit | undefined },
): boolean {
  const isGap = next.role === "gap" || next.role === "header";
  if (isGap && isOnlyClosing(lines, next)) return true;
  const size = sizeOf(lines, last.start, next.end);
  if (last.isTiny && next.isTiny && last.role !== "closed" && next.role !== "closed") {
    return size <= sizes.merged;
  }
  if (size > sizes.leaf) return false;
  // A remnant goes with what comes after it, and at the end with what comes before it.
  if (!isGap) return (last.role === "gap" || last.role === "header") && isRemnant(lines, last);
  return isRemnant(lines, next) && after === undefined;
}

function isRemnant(lines: Lines, { start, end }: Unit): boolean {
  return sizeOf(lines, start, end) < REMNANT;
}

/** What closes a block: braces, `end`, `#endif`, with a comment that says which. */
function isOnlyClosing(lines: Lines, { start, end }: Unit): boolean {
  if (end - start > 2) return false;
  const text = lines.text.slice(lines.starts[start - 1], lines.starts[end]);
  return text.length < 200 && /^(?:[^\p{L}\p{N}]|\bend(?:if)?\b)*(?:\/[/*].*)?\s*$/u.test(text);
}

function trimBlank(lines: Lines, range: LineRange): LineRange | undefined {
  let { start, end } = range;
  while (start <= end && lines.isBlank(start)) start += 1;
  while (end >= start && lines.isBlank(end)) end -= 1;
  return start > end ? undefined : { start, end };
}

function ownerOf(definition: Definition, outer: Owner | undefined): Owner {
  const { name, owner, kind, isTitle } = definition;
  const base = [outer?.qualifiedName ?? "", owner ?? ""].filter((part) => part !== "").join(".");
  const separator = isTitle || outer?.isTitle === true ? " > " : ".";
  return {
    qualifiedName: base === "" ? name : `${base}${separator}${name}`,
    path: [...(outer?.path ?? []), ...(owner?.split(".") ?? []), name],
    kind,
    isTitle,
  };
}

function addNames(names: Set<string>, definition: Definition): void {
  for (const part of definition.owner?.split(".") ?? []) names.add(part);
  names.add(definition.name);
  for (const member of definition.members) if (!member.isInline) addNames(names, member);
}

function toChunk({ start, end, symbol, names, kind }: Unit): Chunk {
  return { startLine: start, endLine: end, symbol, names: [...names].slice(0, MAX_NAMES), kind };
}

function listSymbols(
  definitions: readonly Definition[],
  outer?: Owner,
  into: SymbolDefinition[] = [],
): SymbolDefinition[] {
  for (const definition of definitions) {
    const owner = ownerOf(definition, outer);
    if (definition.isSymbol) {
      const { name, kind, startLine, endLine, signature, docLine } = definition;
      into.push({
        name,
        qualifiedName: owner.qualifiedName,
        kind,
        startLine,
        endLine,
        signature,
        ...(docLine !== undefined && { docLine }),
      });
    }
    listSymbols(definition.members, definition.isScope ? owner : outer, into);
  }
  return into;
}
