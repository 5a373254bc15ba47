// Names before the separator of namespaces, `::` of C++, members of types around a type, and constructors.
import { isValueKind } from "../../base/definition-kinds.ts";
import type { FileSymbols } from "./file-symbols.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { enclosing, type LocalVariable } from "./scopes.ts";

/** Returns whether the name is one of a namespace or a type: `a` in `a::b`. */
export function isBeforeSeparator(leaf: number, { file }: ExpressionEvaluator): boolean {
  const { scopeSeparator } = file.grammar.rules;
  return (
    scopeSeparator !== undefined && file.tree.text.startsWith(scopeSeparator, file.tree.end(leaf))
  );
}

/** Returns whether nothing is before the separator before the name: `::open`. */
export function isOutermost(leaf: number, { file }: ExpressionEvaluator): boolean {
  const { scopeSeparator } = file.grammar.rules;
  if (scopeSeparator === undefined) return false;
  const { text } = file.tree;
  const start = file.tree.start(leaf) - scopeSeparator.length;
  return text.startsWith(scopeSeparator, start) && !/[\w>]/.test(text[start - 1] ?? "");
}

/** Returns whether the local is a member of an outer type, which an inherited member of an inner type may shadow. */
export function isOfOuterType(
  leaf: number,
  { scope, symbol }: LocalVariable,
  { file }: ExpressionEvaluator,
): boolean {
  if (file.grammar.rules.members !== "all" || scope.kind !== "type") return false;
  const kind = file.symbols.list[symbol]?.kind;
  if (kind !== "method" && !isValueKind(kind)) return false;
  return enclosing(file.scopeAt(leaf), "type") !== scope;
}

/** Returns the name of the constructors of a type; "" if it has none in this file. */
export function constructorOf(type: string, symbols: FileSymbols): string {
  if (!type.startsWith("#")) return /^@(?:[\w$]+\.)*([\w$]+)$/.exec(type)?.[1] ?? "";
  const own = symbols.list[Number(type.slice(1))];
  return own !== undefined && symbols.has(`${own.qualifiedName}.${own.name}`) ? own.name : "";
}
