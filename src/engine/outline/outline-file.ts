// The symbol tree of a file, within the token budget.

import { documentPlace } from "../../base/documents/places.ts";
import type { SymbolFacts } from "../../index/types.ts";
import type { FileOutline, OutlineSymbol } from "../api/outline.ts";
import { outlineText } from "./outline-text.ts";
import type { SourceFileLines } from "../files/source-lines.ts";
import { symbolLines } from "../symbols/symbol-lines.ts";

export interface OutlineInput {
  readonly path: string;
  readonly language: string;
  readonly file: Omit<SourceFileLines, "symbols">;
  readonly symbols: readonly SymbolFacts[];
}

/** Without room, drops private symbols first, then the most deeply nested ones, from the end of the file. */
export function fileOutline(
  { path, language, file, symbols: known }: OutlineInput,
  { depth = Infinity, maxTokens }: { depth?: number | undefined; maxTokens: number },
): FileOutline {
  const { lines, sizeBytes, changed } = file;
  const all = nested(known)
    .filter((symbol) => symbol.depth < depth)
    .map((symbol) => outlineSymbol(symbol, { path, file, language }));
  const outlineWith = (symbols: readonly OutlineSymbol[]): FileOutline => ({
    kind: "file",
    path,
    language,
    lines: lines.length,
    bytes: sizeBytes,
    changed,
    symbols,
    omitted: all.length - symbols.length,
  });
  // One more character for the line end.
  const fits = (symbols: readonly OutlineSymbol[]): boolean =>
    outlineText(outlineWith(symbols)).length < maxTokens * 4;
  if (fits(all)) return outlineWith(all);
  const open = withoutPrivate(all);
  if (fits(open)) return outlineWith(open);
  const byDepth = open.toSorted((one, other) => one.depth - other.depth);
  let [minCount, maxCount] = [0, byDepth.length];
  while (minCount < maxCount) {
    const middle = (minCount + maxCount + 1) >> 1;
    if (fits(symbolsInOrder(byDepth.slice(0, middle)))) minCount = middle;
    else maxCount = middle - 1;
  }
  return outlineWith(symbolsInOrder(byDepth.slice(0, minCount)));
}

function symbolsInOrder(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.toSorted(
    (one, other) => one.startLine - other.startLine || one.depth - other.depth,
  );
}

interface NestedSymbol extends SymbolFacts {
  readonly depth: number;
}

/** `symbols` sorted by line, enclosing ones first, each with its depth. */
function nested(symbols: readonly SymbolFacts[]): readonly NestedSymbol[] {
  const around: SymbolFacts[] = [];
  const sorted = symbols.toSorted(
    (one, other) => one.startLine - other.startLine || other.endLine - one.endLine,
  );
  return sorted.map((symbol) => {
    while (around.length > 0 && !contains(around.at(-1), symbol)) around.pop();
    around.push(symbol);
    return { ...symbol, depth: around.length - 1 };
  });
}

function contains(
  outer: SymbolFacts | undefined,
  { startLine, endLine, qualifiedName }: SymbolFacts,
): boolean {
  if (outer === undefined || outer.endLine < endLine) return false;
  const isSame = outer.startLine === startLine && outer.endLine === endLine;
  return !isSame || qualifiedName.startsWith(`${outer.qualifiedName}.`);
}

/** The file of a symbol. */
interface SymbolFile extends Pick<OutlineInput, "path" | "language"> {
  readonly file: Pick<SourceFileLines, "lines" | "document">;
  /** As `symbolLines` takes it. */
  readonly isBrief?: boolean;
}

/** A symbol with its signature from the lines of its file. */
export function outlineSymbol(
  symbol: NestedSymbol,
  { path, file, language, isBrief }: SymbolFile,
): OutlineSymbol {
  const { name, qualifiedName, kind, access, startLine, endLine, depth } = symbol;
  const isTitle = kind === "section";
  const signature = isTitle
    ? name
    : symbolLines(file.lines, symbol, language, { isBrief }).signature;
  const place = documentPlace(path, file.document, { startLine, endLine });
  return { name, qualifiedName, kind, access, signature, startLine, endLine, place, depth };
}

/** Drops private symbols and everything nested in them. */
function withoutPrivate(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  let hidden: OutlineSymbol | undefined;
  return symbols.filter((symbol) => {
    if (hidden !== undefined && symbol.depth > hidden.depth) return false;
    hidden = symbol.access === "private" ? symbol : undefined;
    return hidden === undefined;
  });
}
