// Evaluates the results of functions.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { partOf } from "./grammar-rules.ts";
import { eitherOf, UNKNOWN } from "./steps.ts";

/** Maximum nodes of a function body to search for return statements. */
const MAX_BODY_NODES = 4000;

/** Returns the declared result of a function, else the one of its return statements; "" if unknown. */
export function functionResult(node: number, expressions: ExpressionEvaluator): string {
  const { tree, grammar } = expressions.file;
  const rule = expressions.valueRule(node);
  if (rule?.is !== "function") return "";
  const returns = partOf(tree, node, rule.returns);
  if (returns !== -1) return expressions.withoutBounds(() => expressions.typeOf(returns));
  const tag = grammar.rules.documented?.ofResult(node, tree) ?? "";
  if (tag !== "") return tag;
  const body = partOf(tree, node, rule.body);
  if (body === -1) return "";
  const isBlock = grammar.isBlock[tree.types[body] ?? 0] === 1;
  const last = isBlock ? UNKNOWN : expressions.valueOf(body);
  const { hasUnions = false } = grammar.rules;
  const returned = isBlock || hasUnions ? returnedIn(isBlock ? body : node, expressions) : [];
  const result = hasUnions ? eitherOf([last, ...returned]) : (returned[0] ?? last);
  const isOne = hasUnions || returned.every((one) => one === result);
  return isOne && result !== UNKNOWN ? result : "";
}

/** Returns the values of the return statements in a body; none if it is too long. */
function returnedIn(body: number, expressions: ExpressionEvaluator): readonly string[] {
  const { tree, grammar } = expressions.file;
  const end = tree.next(body);
  const all: string[] = [];
  for (let node = body + 1; node < end && end - body <= MAX_BODY_NODES;) {
    const isReturn = grammar.isReturn[tree.types[node] ?? 0] === 1;
    const value = isReturn ? tree.child(node, 0) : -1;
    // In Ruby it is a list with the value.
    if (value !== -1) all.push(expressions.valueOf(grammar.rules.hasUnions === true ? node : value));
    node = isReturn || expressions.functionOf(node) !== -1 ? tree.next(node) : node + 1;
  }
  return all;
}
