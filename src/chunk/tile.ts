// Decides what of a file goes together: definitions large enough stand alone, those that are too
// large are taken apart, neighbours too small to answer anything are put together.
import type { Definition, SymbolKind } from "../parse/languages/definition-rules.ts";
import { sizeOf, splitRange, type LineRange, type TextLines } from "../parse/text-lines.ts";

export interface ChunkSizes {
  /** A definition with members is one chunk up to this size, else one chunk per member. */
  readonly maxUncutLines: number;
  /** Anything else is one chunk up to this size, else it is split. */
  readonly maxLeafLines: number;
  /** Size of the pieces of what is split. */
  readonly pieceLines: number;
  /** Neighbours smaller than this are too little to answer anything and are put together … */
  readonly maxTinyLines: number;
  /** … up to this size. */
  readonly maxMergedLines: number;
}

/** Lines between definitions that are too few for a chunk: they go with the definition after them. */
const MAX_REMNANT_LINES = 4;
/** More names than this in one chunk are a table, not a description. */
const MAX_NAMES = 64;
/** More than this is not what closes a block. */
const MAX_CLOSING_CHARS = 200;
/** Braces, `end`, `#endif`, with a comment that says which. */
const CLOSING = /^(?:[^\p{L}\p{N}]|\bend(?:if)?\b)*(?:\/[/*].*)?\s*$/u;

/** What will be a chunk, or a part of one. */
export interface TileUnit {
  readonly start: number;
  end: number;
  symbol: string;
  kind: SymbolKind;
  names: readonly string[];
  /** How it may be put together with its neighbours. */
  role: "definition" | "header" | "gap" | "closed";
  /** True while everything in it is tiny. */
  isTiny: boolean;
}

export interface TileInput {
  readonly lines: TextLines;
  /** See `ParsedOutline.cuts`. */
  readonly cuts: Uint8Array;
  readonly sizes: ChunkSizes;
  /** What text outside of definitions is. */
  readonly gapKind: SymbolKind;
}

/** The definition that a range belongs to. */
export interface Owner {
  readonly qualifiedName: string;
  /** The names of the definitions around it, outermost first, and its own. */
  readonly names: readonly string[];
  readonly kind: SymbolKind;
  readonly isTitle: boolean;
}

/** The range as units in the order of the file, each line that is not blank in one of them. */
export function tileIntoChunks(
  cutter: TileInput,
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
      // It lies on a line that is taken, as in minified code.
      const last = units.at(-1);
      if (last !== undefined) last.names = withNamesOf(last.names, definition);
      continue;
    }
    addGap(cutter, { start: line, end: start - 1 }, { owner, units });
    addDefinition(cutter, definition, { start, end }, { owner, units });
    line = end + 1;
  }
  addGap(cutter, { start: line, end: range.end }, { owner, units });
  return merge(cutter, units);
}

interface TileTarget {
  readonly owner: Owner | undefined;
  readonly units: TileUnit[];
}

function addGap(cutter: TileInput, { start, end }: LineRange, { owner, units }: TileTarget): void {
  const trimmed = trimBlank(cutter.lines, start, end);
  if (trimmed === undefined) return;
  let role: TileUnit["role"] = start === 1 || owner !== undefined ? "header" : "gap";
  for (const piece of pieces(cutter, trimmed)) {
    units.push({
      start: piece.start,
      end: piece.end,
      symbol: owner === undefined ? "" : owner.qualifiedName,
      kind: owner === undefined ? cutter.gapKind : owner.kind,
      names: owner === undefined ? NO_NAMES : owner.names,
      role,
      isTiny: sizeOf(cutter.lines, piece.start, piece.end) < cutter.sizes.maxTinyLines,
    });
    role = "gap";
  }
}

const NO_NAMES: readonly string[] = [];

function addDefinition(
  cutter: TileInput,
  definition: Definition,
  range: LineRange,
  { owner: outer, units }: TileTarget,
): void {
  const { lines, sizes } = cutter;
  const trimmed = trimBlank(lines, range.start, range.end);
  if (trimmed === undefined) return;
  const { kind, members } = definition;
  const owner: Owner = {
    qualifiedName: qualifiedNameOf(definition, outer),
    names: withName(outer === undefined ? NO_NAMES : outer.names, definition),
    kind,
    isTitle: definition.isTitle,
  };
  const size = sizeOf(lines, trimmed.start, trimmed.end);
  const hasParts = members.some((member) => !member.isInline);
  const isContainer = hasParts && kind !== "function" && kind !== "method";
  if (hasParts && size > (isContainer ? sizes.maxUncutLines : sizes.maxLeafLines)) {
    for (const unit of tileIntoChunks(cutter, members, trimmed, owner)) {
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
  for (const { start, end } of pieces(cutter, trimmed)) {
    const symbol = owner.qualifiedName;
    units.push({ start, end, symbol, kind, names, role: "definition", isTiny });
  }
}

function pieces({ lines, cuts, sizes }: TileInput, range: LineRange): readonly LineRange[] {
  if (sizeOf(lines, range.start, range.end) <= sizes.maxLeafLines) return [range];
  return splitRange(lines, cuts, range, sizes.pieceLines).flatMap(
    ({ start, end }) => trimBlank(lines, start, end) ?? [],
  );
}

/** Puts together neighbours that are too small to stand alone; `units` is used up. */
function merge(cutter: TileInput, units: TileUnit[]): TileUnit[] {
  let count = 0;
  const final = units.at(-1);
  for (const unit of units) {
    const last = units[count - 1];
    if (last !== undefined && belongTogether(cutter, last, unit, unit === final)) {
      absorb(last, unit);
    } else {
      units[count] = unit;
      count += 1;
    }
  }
  units.length = count;
  return units;
}

function absorb(into: TileUnit, next: TileUnit): void {
  const isLeadIn = into.role === "gap" || into.symbol === "" || next.role === "closed";
  if (isLeadIn && into.role !== "closed" && next.role !== "gap") {
    into.symbol = next.symbol;
    into.kind = next.kind;
    into.role = next.role;
  }
  into.end = next.end;
  into.names = union(into.names, next.names);
  into.isTiny &&= next.isTiny || next.role === "gap";
}

function belongTogether(
  cutter: TileInput,
  last: TileUnit,
  next: TileUnit,
  isAtEnd: boolean,
): boolean {
  const { lines, sizes } = cutter;
  const isGap = next.role === "gap" || next.role === "header";
  if (isGap && isOnlyClosing(lines, next)) return true;
  const size = sizeOf(lines, last.start, next.end);
  if (last.isTiny && next.isTiny && last.role !== "closed" && next.role !== "closed") {
    return size <= sizes.maxMergedLines;
  }
  if (size > sizes.maxLeafLines) return false;
  // A remnant goes with what comes after it, and at the end with what comes before it.
  if (!isGap) return (last.role === "gap" || last.role === "header") && isRemnant(lines, last);
  return isAtEnd && isRemnant(lines, next);
}

function isRemnant(lines: TextLines, { start, end }: TileUnit): boolean {
  return sizeOf(lines, start, end) < MAX_REMNANT_LINES;
}

/** What closes a block. */
function isOnlyClosing({ text, starts, firsts }: TextLines, { start, end }: TileUnit): boolean {
  if (end - start > 2) return false;
  const from = starts[start - 1] ?? 0;
  const to = Math.min(starts[end] ?? 0, text.length);
  if (to - from >= MAX_CLOSING_CHARS) return false;
  // Most begin with a letter, which in front of a closing can only be that of `end`.
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

/** The name of a definition after the names of those it is in. */
export function qualifiedNameOf(
  { name, owner, isTitle }: Definition,
  outer: Pick<Owner, "qualifiedName" | "isTitle"> | undefined,
): string {
  let base = outer === undefined ? "" : outer.qualifiedName;
  if (owner !== undefined && owner !== "") base = base === "" ? owner : `${base}.${owner}`;
  if (base === "") return name;
  return `${base}${isTitle || outer?.isTitle === true ? " > " : "."}${name}`;
}

/** The names with those of a definition and of what is in it. */
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

/** The names of both in their order, each once, and no more than a chunk has. */
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
