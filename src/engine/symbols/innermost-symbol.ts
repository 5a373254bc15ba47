import type { SymbolFacts } from "../../index/types.ts";

/** The innermost definition that contains a line: the one that starts last. */
export function innermostAt<Symbol extends SymbolFacts>(
  symbols: readonly Symbol[],
  { startLine }: { readonly startLine: number },
): Symbol | undefined {
  let found: Symbol | undefined;
  for (const symbol of symbols) {
    if (symbol.startLine > startLine || symbol.endLine < startLine) continue;
    const isInner =
      found === undefined ||
      symbol.startLine > found.startLine ||
      (symbol.startLine === found.startLine && symbol.endLine <= found.endLine);
    if (isInner) found = symbol;
  }
  return found;
}
