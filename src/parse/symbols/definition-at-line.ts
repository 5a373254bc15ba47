import type { SymbolDefinition } from "./symbol-definition.ts";

/** Returns the number of the innermost definition around a line, of one of some kinds; -1 if there is none. */
export function definitionAtLine(
  symbols: readonly SymbolDefinition[],
  line: number,
  kinds?: ReadonlySet<string>,
): number {
  let [found, length] = [-1, Infinity];
  for (const [number, { startLine, endLine, kind }] of symbols.entries()) {
    if (startLine > line || endLine < line || endLine - startLine >= length) continue;
    if (kinds !== undefined && !kinds.has(kind)) continue;
    [found, length] = [number, endLine - startLine];
  }
  return found;
}
