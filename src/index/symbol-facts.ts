import type { SymbolFacts } from "./types.ts";

/** Returns what an index stores of a definition, without what else the caller knows of it, such as its signature. */
export function symbolFacts(symbol: SymbolFacts): SymbolFacts {
  const { name, qualifiedName, kind, access, startLine, endLine, nameLine } = symbol;
  return { name, qualifiedName, kind, access, startLine, endLine, nameLine };
}
