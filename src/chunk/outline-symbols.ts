// The symbols of an outline.
import type { Definition, ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";
import { qualifiedNameOf, type OuterName } from "./tile.ts";

/** Symbols, and the offset of each one's name in the text, by the same index. */
export interface SymbolList {
  readonly symbols: SymbolDefinition[];
  readonly names: number[];
}

/** Returns the symbols of an outline, in its order. */
export function symbolsOf({ definitions }: ParsedOutline): SymbolList {
  const into: SymbolList = { symbols: [], names: [] };
  collectSymbols(definitions, undefined, into);
  return into;
}

function collectSymbols(
  definitions: readonly Definition[],
  outer: OuterName | undefined,
  into: SymbolList,
): void {
  for (const definition of definitions) {
    const qualifiedName = qualifiedNameOf(definition, outer);
    if (definition.isSymbol) {
      into.symbols.push(toSymbol(definition, qualifiedName));
      into.names.push(definition.nameIndex);
    }
    if (definition.members.length === 0) continue;
    const { isScope, isTitle, isAboveCode, members } = definition;
    collectSymbols(members, isScope ? { qualifiedName, isTitle, isAboveCode } : outer, into);
  }
}

function toSymbol(definition: Definition, qualifiedName: string): SymbolDefinition {
  const { name, kind, startLine, endLine, nameLine } = definition;
  const { access, signature, docLine } = definition;
  const place = { startLine, endLine, nameLine };
  const symbol = { name, qualifiedName, kind, ...place, access, signature };
  return docLine === undefined ? symbol : { ...symbol, docLine };
}
