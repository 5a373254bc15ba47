// The parameter whose members are visible without it, as the properties of a component are in its template.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { resolveLocal } from "./scopes.ts";
import { UNKNOWN } from "./steps.ts";

/** Returns the expression of the open parameter around a name; "?" if there is none. */
export function openParameterAt(leaf: number, expressions: ExpressionEvaluator): string {
  const { file } = expressions;
  const { openParameter } = file.grammar.rules;
  if (openParameter === undefined) return UNKNOWN;
  const at = { scope: file.scopeAt(leaf), node: leaf };
  const local = resolveLocal(openParameter, at, { members: "none", isSequential: false });
  return local?.origin === undefined ? UNKNOWN : expressions.originOf(local.origin);
}
