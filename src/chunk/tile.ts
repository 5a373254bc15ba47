// Groups the definitions of a file into chunks: large ones are chunks of their own, too large ones are split,
// and small neighbours are merged.
import type { Definition, SymbolKind } from "../parse/languages/definition-rules.ts";
import { sizeOf, splitRange, type LineRange, type TextLines } from "../parse/text-lines.ts";

/** Limits of chunk sizes, in lines; a long line counts as several. */
export interface ChunkSizes {
  /** A class or other container with members is one chunk up to this size, else one chunk per member. */
  readonly maxUncutLines: number;
  /** Any other definition is one chunk up to this size, else it is split. */
  readonly maxLeafLines: number;
  /** Target size of the pieces of a split definition. */
  readonly pieceLines: number;
  /** Neighbours below this size are merged … */
  readonly maxTinyLines: number;
  /** … up to this size. */
  readonly maxMergedLines: number;
}

/** A gap between definitions below this size is merged into the definition after it. */
const MAX_REMNANT_LINES = 4;
/** Maximum names of a chunk. More names are a table and do not describe the chunk. */
const MAX_NAMES = 64;
/** A longer text is not just the end of a block. */
const MAX_CLOSING_CHARS = 200;
/** Braces, `end` or `#endif`, and a trailing comment such as `// namespace a`. */
const CLOSING = /^(?:[^\p{L}\p{N}]|\bend(?:if)?\b)*(?:\/[/*].*)?\s*$/u;

/** A chunk, or a part of one before merging. */
export interface TileUnit {
  readonly start: number;
  end: number;
  symbol: string;
  kind: SymbolKind;
  names: readonly string[];
  /** Decides which neighbours it may be merged with. */
  role: "definition" | "header" | "gap" | "closed";
  /** True if all its parts are below `maxTinyLines`. */
  isTiny: boolean;
}

/** What `tileIntoChunks` needs to know about a file. */
export interface TileInput {
  readonly lines: TextLines;
  /** See `ParsedOutline.cuts`. */
  readonly cuts: Uint8Array;
  readonly sizes: ChunkSizes;
  /** The kind of chunks outside definitions. */
  readonly gapKind: SymbolKind;
  /** Lines that begin a page, slide or sheet, in order: no chunk crosses them. Absent: none. */
  readonly breaks?: readonly number[] | undefined;
}

/** The definition that encloses a range. */
export interface Owner {
  readonly qualifiedName: string;
  /** The names of the enclosing definitions, outermost first, then its own. */
  readonly names: readonly string[];
  readonly kind: SymbolKind;
  readonly isTitle: boolean;
  readonly isAboveCode?: true | undefined;
}

/**
 * Cuts a range of lines into units, in the order of the file. Each line that is not blank is in exactly one
 * unit. `members` are the definitions directly in the range.
 */
export function tileIntoChunks(
  input: TileInput,
  members: readonly Definition[],
  range: LineRange,
  owner?: Owner,
): TileUnit[] {
  const units: TileUnit[] = [];
  let line = range.start;
  for (const definition of members) {
    if (definition.isInline) continue;
    const start = Math.max(definition.startLine, line);
    const end = Math.min(definition.endLine, range.end);
    if (start > end) {
      // It is on a line that another unit covers, as in minified code.
      const last = units.at(-1);
      if (last !== undefined) last.names = withNamesOf(last.names, definition);
      continue;
    }
    addGap(input, { start: line, end: start - 1 }, { owner, units });
    addDefinition(input, definition, { start, end }, { owner, units });
    line = end + 1;
  }
  addGap(input, { start: line, end: range.end }, { owner, units });
  return merge(input, units);
}

interface TileTarget {
  readonly owner: Owner | undefined;
  readonly units: TileUnit[];
}

function addGap(input: TileInput, { start, end }: LineRange, { owner, units }: TileTarget): void {
  const trimmed = trimBlank(input.lines, start, end);
  if (trimmed === undefined) return;
  let role: TileUnit["role"] = start === 1 || owner !== undefined ? "header" : "gap";
  for (const piece of pieces(input, trimmed)) {
    units.push({
      start: piece.start,
      end: piece.end,
      symbol: owner === undefined ? "" : owner.qualifiedName,
      kind: owner === undefined ? input.gapKind : owner.kind,
      names: owner === undefined ? NO_NAMES : owner.names,
      role,
      isTiny: sizeOf(input.lines, piece.start, piece.end) < input.sizes.maxTinyLines,
    });
    role = "gap";
  }
}

const NO_NAMES: readonly string[] = [];

function addDefinition(
  input: TileInput,
  definition: Definition,
  range: LineRange,
  { owner: outer, units }: TileTarget,
): void {
  const { lines, sizes } = input;
  const trimmed = trimBlank(lines, range.start, range.end);
  if (trimmed === undefined) return;
  const { kind, members } = definition;
  const owner: Owner = {
    qualifiedName: qualifiedNameOf(definition, outer),
    names: withName(outer === undefined ? NO_NAMES : outer.names, definition),
    kind,
    isTitle: definition.isTitle,
    isAboveCode: definition.isAboveCode,
  };
  const size = sizeOf(lines, trimmed.start, trimmed.end);
  const hasParts = members.some((member) => !member.isInline);
  const isContainer = hasParts && kind !== "function" && kind !== "method";
  const maxSize = isContainer ? sizes.maxUncutLines : sizes.maxLeafLines;
  if (hasParts && (size > maxSize || hasBreak(input, trimmed.start, trimmed.end))) {
    for (const unit of tileIntoChunks(input, members, trimmed, owner)) {
      unit.role = "closed";
      units.push(unit);
    }
    return;
  }
  let { names } = owner;
  for (const member of members) {
    if (!member.isInline || !definition.isScope) names = withNamesOf(names, member);
  }
  const isTiny = size < sizes.maxTinyLines;
  for (const { start, end } of pieces(input, trimmed)) {
    const symbol = owner.qualifiedName;
    units.push({ start, end, symbol, kind, names, role: "definition", isTiny });
  }
}

function pieces(input: TileInput, range: LineRange): readonly LineRange[] {
  return betweenBreaks(input, range).flatMap((part) => piecesOfPart(input, part));
}

/** The parts of a range on each page, slide or sheet, without blank lines around them. */
function betweenBreaks({ lines, breaks = [] }: TileInput, range: LineRange): readonly LineRange[] {
  const parts: LineRange[] = [];
  let { start } = range;
  for (let at = firstAfter(breaks, start); ; at += 1) {
    const end = Math.min(range.end, (breaks[at] ?? Infinity) - 1);
    const part = trimBlank(lines, start, end);
    if (part !== undefined) parts.push(part);
    if (end === range.end) return parts;
    start = end + 1;
  }
}

function piecesOfPart({ lines, cuts, sizes }: TileInput, range: LineRange): readonly LineRange[] {
  if (sizeOf(lines, range.start, range.end) <= sizes.maxLeafLines) return [range];
  return splitRange(lines, cuts, range, sizes.pieceLines).flatMap(
    ({ start, end }) => trimBlank(lines, start, end) ?? [],
  );
}

/** Returns whether a page, slide or sheet begins after the first line of a range. */
function hasBreak({ breaks = [] }: TileInput, start: number, end: number): boolean {
  return (breaks[firstAfter(breaks, start)] ?? Infinity) <= end;
}

/** Returns the index of the first of some ascending numbers that is larger. */
function firstAfter(numbers: readonly number[], than: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= than) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges neighbours that are too small to be chunks of their own. Reuses the array `units`. */
function merge(input: TileInput, units: TileUnit[]): TileUnit[] {
  let count = 0;
  const final = units.at(-1);
  for (const unit of units) {
    const last = units[count - 1];
    if (last !== undefined && shouldMerge(input, last, unit, unit === final)) {
      mergeInto(last, unit);
    } else {
      units[count] = unit;
      count += 1;
    }
  }
  units.length = count;
  return units;
}

function mergeInto(into: TileUnit, next: TileUnit): void {
  const takesIdentityOfNext = into.role === "gap" || into.symbol === "" || next.role === "closed";
  if (takesIdentityOfNext && into.role !== "closed" && next.role !== "gap") {
    into.symbol = next.symbol;
    into.kind = next.kind;
    into.role = next.role;
  }
  into.end = next.end;
  into.names = union(into.names, next.names);
  into.isTiny &&= next.isTiny || next.role === "gap";
}

function shouldMerge(input: TileInput, last: TileUnit, next: TileUnit, isAtEnd: boolean): boolean {
  const { lines, sizes } = input;
  if (hasBreak(input, last.start, next.start)) return false;
  const isGap = next.role === "gap" || next.role === "header";
  if (isGap && isOnlyClosing(lines, next)) return true;
  const size = sizeOf(lines, last.start, next.end);
  if (last.isTiny && next.isTiny && last.role !== "closed" && next.role !== "closed") {
    return size <= sizes.maxMergedLines;
  }
  if (size > maxSizeAfter(last, sizes)) return false;
  // A remnant is merged into the definition after it; at the end of the range, into the one before it.
  if (!isGap) return (last.role === "gap" || last.role === "header") && isRemnant(lines, last);
  return isAtEnd && isRemnant(lines, next);
}

/** A heading alone answers nothing: it joins its first section even if that is of full size. */
function maxSizeAfter({ role, kind }: TileUnit, { maxLeafLines }: ChunkSizes): number {
  return maxLeafLines + (role === "header" && kind === "section" ? MAX_REMNANT_LINES : 0);
}

function isRemnant(lines: TextLines, { start, end }: TileUnit): boolean {
  return sizeOf(lines, start, end) < MAX_REMNANT_LINES;
}

/** Returns whether the unit contains only the end of a block. */
function isOnlyClosing({ text, starts, firsts }: TextLines, { start, end }: TileUnit): boolean {
  if (end - start > 2) return false;
  const from = starts[start - 1] ?? 0;
  const to = Math.min(starts[end] ?? 0, text.length);
  if (to - from >= MAX_CLOSING_CHARS) return false;
  // Fast path: a unit that begins with a letter other than e (of `end`) is not the end of a block.
  const first = text.charCodeAt(firsts[start - 1] ?? 0) | 32;
  if (first >= 97 && first <= 122 && first !== 101) return false;
  return CLOSING.test(text.slice(from, to));
}

function trimBlank(lines: TextLines, from: number, to: number): LineRange | undefined {
  let start = from;
  let end = to;
  while (start <= end && lines.isBlank(start)) start += 1;
  while (end >= start && lines.isBlank(end)) end -= 1;
  return start > end ? undefined : { start, end };
}

/** Words before the name of a definition. */
export type OuterName = Pick<Owner, "qualifiedName" | "isTitle" | "isAboveCode">;

/** Returns the name of a definition, prefixed by the names of the definitions that enclose it. */
export function qualifiedNameOf(
  { name, owner, isTitle }: Definition,
  outer: OuterName | undefined,
): string {
  const own = owner === undefined || owner === "" ? name : `${owner}.${name}`;
  if (!isTitle && outer?.isAboveCode === true) return own;
  const base = outer === undefined ? "" : outer.qualifiedName;
  if (base === "") return own;
  return `${base}${isTitle || outer?.isTitle === true ? " > " : "."}${own}`;
}

/** Returns the names, followed by those of a definition and its members. */
function withNamesOf(names: readonly string[], definition: Definition): readonly string[] {
  let all = withName(names, definition);
  for (const member of definition.members) {
    if (all.length >= MAX_NAMES) break;
    if (!member.isInline) all = withNamesOf(all, member);
  }
  return all;
}

function withName(names: readonly string[], { name, owner }: Definition): readonly string[] {
  if (owner !== undefined) return union(names, [...owner.split("."), name]);
  return names.length >= MAX_NAMES || names.includes(name) ? names : [...names, name];
}

/** Returns the names of both lists in order, each once, up to `MAX_NAMES`. */
function union(names: readonly string[], more: readonly string[]): readonly string[] {
  if (names.length === 0 && more.length < 2) return more;
  let all: string[] | undefined;
  for (const name of more) {
    if ((all ?? names).includes(name)) continue;
    if ((all ?? names).length >= MAX_NAMES) break;
    all ??= [...names];
    all.push(name);
  }
  return all ?? names;
}
