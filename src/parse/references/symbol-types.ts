// What the symbols of a file hold or return.
import type { NodeRule } from "../languages/reference-rules.ts";
import type { Expressions } from "./expressions.ts";
import { UNKNOWN } from "./steps.ts";
import type { FileScopes } from "./file-scopes.ts";
import { partOf } from "./grammar-rules.ts";

/** By symbol, as expressions; "" where the file says nothing. */
export function readSymbolTypes(file: FileScopes, expressions: Expressions): string[] {
  return file.symbols.list.map((_, symbol) => {
    const type = typeOfSymbol(symbol, file, expressions);
    return type === UNKNOWN ? "" : type;
  });
}

/** "" or "?" where the file says nothing. */
export function typeOfSymbol(symbol: number, file: FileScopes, expressions: Expressions): string {
  const origin = file.symbolOrigins.get(symbol);
  return origin ? expressions.originOf(origin) : typeOf(symbol, file, expressions);
}

/** Between the name and the definition that it belongs to may stand what says more of it. */
function typeOf(symbol: number, file: FileScopes, expressions: Expressions): string {
  const { tree, grammar, symbols } = file;
  const definition = symbols.nodeOf(symbol);
  const leaf = symbols.leafOf(symbol);
  if (definition === -1) return "";
  for (let node = leaf === -1 ? definition : tree.parent(leaf); ; node = tree.parent(node)) {
    const rule = grammar.nodes[tree.types[node] ?? 0];
    if (rule?.holds !== undefined || rule?.value?.is === "function") {
      return typeIn(node, rule, { file, expressions });
    }
    if (node <= definition) return "";
  }
}

function typeIn(
  node: number,
  { holds, value }: NodeRule,
  { file: { tree }, expressions }: { file: FileScopes; expressions: Expressions },
): string {
  if (value?.is === "function") return expressions.resultOf(node);
  if (holds === undefined) return "";
  if (holds === "self") return expressions.selfAt(node);
  const type = partOf(tree, node, holds.type);
  if (type !== -1) return expressions.typeOf(type);
  const set = partOf(tree, node, holds.value);
  if (set === -1) return "";
  const callable = expressions.functionOf(set);
  return callable === -1 ? expressions.valueOf(set) : expressions.resultOf(callable);
}
