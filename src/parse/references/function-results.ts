// Evaluates the results of functions.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { partOf } from "./grammar-rules.ts";
import { UNKNOWN } from "./steps.ts";

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
  const result = isBlock ? returnedIn(body, expressions) : expressions.valueOf(body);
  return result === UNKNOWN ? "" : result;
}

/** Returns the result of the return statements in a body if they are all equal, else "?". */
function returnedIn(body: number, expressions: ExpressionEvaluator): string {
  const { tree, grammar } = expressions.file;
  const end = tree.next(body);
  if (end - body > MAX_BODY_NODES) return UNKNOWN;
  let result: string | undefined;
  for (let node = body + 1; node < end;) {
    const isReturn = grammar.isReturn[tree.types[node] ?? 0] === 1;
    const value = isReturn ? tree.child(node, 0) : -1;
    if (value !== -1) {
      const expression = expressions.valueOf(value);
      if (result !== undefined && result !== expression) return UNKNOWN;
      result = expression;
    }
    node = isReturn || expressions.functionOf(node) !== -1 ? tree.next(node) : node + 1;
  }
  return result ?? UNKNOWN;
}
