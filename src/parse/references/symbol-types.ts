// Types of the symbols of a file: of their values or results.
import { isCallableKind } from "../../base/definition-kinds.ts";
import type { NodeRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { enclosing } from "./scopes.ts";
import { UNKNOWN } from "./steps.ts";
import type { FileScopes } from "./file-scopes.ts";
import { partOf } from "./grammar-rules.ts";

/** Returns the types as expressions, by symbol number; "" if unknown. */
export function readSymbolTypes(file: FileScopes, expressions: ExpressionEvaluator): string[] {
  return file.symbols.list.map((_, symbol) => {
    const type = typeOfSymbol(symbol, file, expressions);
    return type === UNKNOWN ? "" : type;
  });
}

/** Returns the type as an expression; "" or "?" if unknown. */
export function typeOfSymbol(
  symbol: number,
  file: FileScopes,
  expressions: ExpressionEvaluator,
): string {
  const origin = file.symbolOrigins.get(symbol);
  return origin ? expressions.originOf(origin) : typeOf(symbol, file, expressions);
}

/** A node between the name and its definition may have a more specific type. */
function typeOf(symbol: number, file: FileScopes, expressions: ExpressionEvaluator): string {
  const { tree, grammar, symbols } = file;
  const definition = symbols.nodeOf(symbol);
  const leaf = symbols.leafOf(symbol);
  if (definition === -1) return typeOfAccessor(symbol, file, expressions);
  for (let node = leaf === -1 ? definition : tree.parent(leaf); ; node = tree.parent(node)) {
    const rule = grammar.nodes[tree.types[node] ?? 0];
    if (rule?.holds !== undefined || rule?.value?.is === "function") {
      const wrapped = wrappedFunction(symbol, node, rule, file);
      const own = `#${symbol}`;
      // The function that gets it may return something else, unless what it returns are members of the symbol.
      return wrapped !== -1 && expressions.resultOf(wrapped) === own
        ? own
        : typeIn(node, rule, { file, expressions });
    }
    if (node <= definition) return "";
  }
}

/** Returns the function of `const useCart = defineStore("cart", () => {…})`, if the name is that of a function; -1 for others. */
function wrappedFunction(
  symbol: number,
  node: number,
  { holds }: NodeRule,
  { tree, grammar, symbols }: FileScopes,
): number {
  const isOther = typeof holds !== "object" || !isCallableKind(symbols.list[symbol]?.kind);
  if (isOther || grammar.rules.wrappedFunction === undefined) return -1;
  const value = partOf(tree, node, holds.value);
  return value === -1 ? -1 : grammar.rules.wrappedFunction(value, tree);
}

/** `attr_reader :name` of Ruby has the type that is assigned to `@name`. */
function typeOfAccessor(
  symbol: number,
  file: FileScopes,
  expressions: ExpressionEvaluator,
): string {
  const { grammar, symbols } = file;
  const { fieldPrefix } = grammar.rules;
  const accessor = symbols.list[symbol];
  if (fieldPrefix === undefined || accessor === undefined) return "";
  const owner = accessor.qualifiedName.slice(0, -accessor.name.length - 1);
  const type = symbols.list.findIndex(
    ({ qualifiedName, startLine, endLine }) =>
      qualifiedName === owner && startLine <= accessor.startLine && accessor.endLine <= endLine,
  );
  const node = type === -1 ? -1 : symbols.nodeOf(type);
  const fields = node === -1 ? undefined : enclosing(file.scopeAt(node + 1), "type")?.fields;
  const origin = fields?.get(fieldPrefix + accessor.name);
  return origin === undefined ? "" : expressions.originOf(origin);
}

function typeIn(
  node: number,
  { holds, value }: NodeRule,
  { file: { tree, grammar }, expressions }: { file: FileScopes; expressions: ExpressionEvaluator },
): string {
  if (value?.is === "function") return expressions.resultOf(node);
  if (holds === undefined) return "";
  if (holds === "self") return expressions.selfAt(node);
  const type = partOf(tree, node, holds.type);
  if (type !== -1) {
    const reading = { callable: -1, hasBounds: false };
    return expressions.withTypeParameters(reading, () => expressions.typeOf(type));
  }
  const documented = holds.comment?.(node, tree) ?? "";
  if (documented !== "") return documented;
  const set = partOf(tree, node, holds.value);
  if (set === -1) return "";
  const tag = grammar.rules.documented?.ofValue(set, tree) ?? "";
  if (tag !== "") return tag;
  const callable = expressions.functionOf(set);
  return callable === -1 ? expressions.valueOf(set) : expressions.resultOf(callable);
}
