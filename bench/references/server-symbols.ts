// The definitions of a file that a language server names, in the kinds of the bench.
import type { DocumentSymbol, Position } from "./language-server.ts";
import type { KindOfDefinition } from "./truth.ts";

export interface ServerDefinition {
  readonly name: string;
  readonly kind: KindOfDefinition;
  /** Names of its containers, joined by "."; "" at the outermost level. */
  readonly container: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

/** By `SymbolKind` of the protocol. */
const KINDS: Readonly<Record<number, KindOfDefinition | undefined>> = {
  5: "class",
  6: "method",
  7: "field",
  8: "field",
  10: "enum",
  11: "interface",
  12: "function",
  13: "constant",
  14: "constant",
  22: "member",
  23: "class",
};
/** Modules and namespaces, whose contents are definitions too. */
const CONTAINERS: ReadonlySet<number> = new Set([2, 3, 4]);
const TYPES: ReadonlySet<KindOfDefinition> = new Set(["class", "enum", "interface"]);
const IDENTIFIER = /^[$~]?[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** Without those inside of functions, and without names that are not written there. */
export function symbolsOfServer(
  symbols: readonly DocumentSymbol[],
  text: string,
): readonly ServerDefinition[] {
  const lines = text.split(/\r\n|\n|\r/);
  const collect = (
    list: readonly DocumentSymbol[],
    container: string,
  ): readonly ServerDefinition[] =>
    list.flatMap((symbol): readonly ServerDefinition[] => {
      const { start, end } = symbol.selectionRange;
      const written = (lines[start.line] ?? "").slice(start.character, end.character);
      const kind = KINDS[symbol.kind];
      const name = written.replace(/^\$/, "");
      const inner = container === "" ? symbol.name : `${container}.${symbol.name}`;
      const children = symbol.children ?? [];
      if (CONTAINERS.has(symbol.kind)) return collect(children, container);
      if (kind === undefined) return [];
      const isNamed = start.line === end.line && IDENTIFIER.test(written) && !isSpecial(written);
      const place = { line: start.line + 1, column: start.character + 1 };
      return [
        ...(isNamed ? [{ name, kind, container, ...place }] : []),
        ...(TYPES.has(kind) ? collect(children, inner) : []),
      ];
    });
  return collect(symbols, "");
}

/** Where methods, constructors and destructors have their names: a method that another one overrides is no use of that one. */
export function methodsOf(symbols: readonly DocumentSymbol[]): readonly Position[] {
  return symbols.flatMap(({ kind, selectionRange, children = [] }) => [
    ...(kind === 6 || kind === 9 ? [selectionRange.start] : []),
    ...methodsOf(children),
  ]);
}

/** Constructors, destructors and methods that the language itself calls. */
function isSpecial(name: string): boolean {
  return name.startsWith("~") || /^__\w+(?:__)?$/.test(name) || name === "_";
}
