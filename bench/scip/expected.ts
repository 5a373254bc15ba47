// The expected result from the SCIP index itself: the lines on which each definition is used.
import { ScipIndex, SymbolRole } from "../../src/scip/read-index.ts";
import { isLocalSymbol, parseSymbol } from "../../src/scip/symbol-text.ts";

/** A definition of a SCIP index. */
export interface ScipDefinition {
  /** Path in the project. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly symbol: string;
}

/** The content of a SCIP index, by symbol. */
export interface ScipFacts {
  readonly definitions: readonly ScipDefinition[];
  /** Whether a document describes this file. */
  readonly describes: (path: string) => boolean;
  /** Returns the places (`path:line`) where a symbol, or one that implements it or that it implements, is used. */
  readonly usesOf: (symbol: string) => ReadonlySet<string>;
}

/** Reads the documents that `accepts` allows; of two documents for one file, the first. */
export function readFacts(file: string, accepts: (path: string) => boolean): ScipFacts {
  const index = new ScipIndex(file);
  const definitions: ScipDefinition[] = [];
  const uses = new Map<string, Set<string>>();
  const related = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const relate = (one: string, other: string): void => {
    related.set(one, (related.get(one) ?? new Set()).add(other));
  };
  for (const place of index.documents) {
    const { path, occurrences, symbols } = index.document(place);
    if (seen.has(path) || !accepts(path)) continue;
    seen.add(path);
    const keyOf = (symbol: string): string =>
      isLocalSymbol(symbol) ? `${path} ${symbol}` : symbol;
    for (const { symbol, roles, startLine, startCharacter, endLine, endCharacter } of occurrences) {
      // An empty range stands for the file.
      if (startLine === endLine && startCharacter === endCharacter) continue;
      const name = keyOf(symbol);
      if ((roles & SymbolRole.definition) !== 0) {
        definitions.push({ path, line: startLine + 1, symbol: name });
      } else uses.set(name, (uses.get(name) ?? new Set()).add(`${path}:${startLine + 1}`));
    }
    for (const { symbol, relationships } of symbols) {
      for (const one of relationships) {
        // A use of a method is also a use of the method that it overrides; a use of a type is not a use of its
        // supertype.
        const isOfMembers = one.isImplementation && !symbol.endsWith("#");
        if (!one.isReference && !isOfMembers) continue;
        relate(keyOf(symbol), one.symbol);
        relate(one.symbol, keyOf(symbol));
      }
    }
  }
  index.close();
  const defined = new Set(definitions.map(({ symbol }) => symbol));
  return {
    definitions,
    describes: (path) => seen.has(path),
    usesOf: (symbol) =>
      new Set(
        [symbol, ...(related.get(symbol) ?? [])]
          // Definitions of other projects are not in the index.
          .filter((one) => defined.has(one))
          .flatMap((one) => [...(uses.get(one) ?? [])]),
      ),
  };
}

/** The symbol of the constructor of a type, as scip-typescript writes it; undefined for another symbol. */
export function constructorOf(symbol: string): string | undefined {
  return parseSymbol(symbol)?.descriptors.at(-1)?.suffix === "type"
    ? `${symbol}\`<constructor>\`().`
    : undefined;
}

/** The name of a definition in svc; undefined for a parameter, a module and a symbol local to a document. */
export function nameOf(symbol: string): string | undefined {
  const last = parseSymbol(symbol)?.descriptors.at(-1);
  if (last === undefined || last.suffix.endsWith("arameter") || last.suffix === "meta")
    return undefined;
  return last.name === "<constructor>" ? "constructor" : last.name.replace(/^<\w+>/, "");
}
