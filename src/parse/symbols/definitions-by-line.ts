import type { SymbolDefinition } from "./symbol-definition.ts";

/**
 * Returns a function from a line to the number of the innermost definition around it, of one of some kinds; to -1 if there is
 * none. The definitions are read at the first call.
 */
export function definitionsByLine(
  symbols: readonly SymbolDefinition[],
  kinds?: ReadonlySet<string>,
): (line: number) => number {
  let byLine: Int32Array | undefined;
  return (line) => {
    byLine ??= innermost(symbols, kinds);
    return byLine[line] ?? -1;
  };
}

function innermost(
  symbols: readonly SymbolDefinition[],
  kinds: ReadonlySet<string> | undefined,
): Int32Array {
  const lines = symbols.reduce((last, { endLine }) => Math.max(last, endLine), 0);
  const byLine = new Int32Array(lines + 1).fill(-1);
  const found = [...symbols.entries()].filter(([, { kind }]) => kinds?.has(kind) !== false);
  // The shortest last; of those with equally many lines, the first one.
  found.sort(([at, one], [otherAt, other]) => lengthOf(other) - lengthOf(one) || otherAt - at);
  for (const [number, { startLine, endLine }] of found) byLine.fill(number, startLine, endLine + 1);
  return byLine;
}

function lengthOf({ startLine, endLine }: SymbolDefinition): number {
  return endLine - startLine;
}
