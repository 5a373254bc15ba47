// Evaluates the results of functions.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { isCallableKind } from "../../base/definition-kinds.ts";
import { partOf } from "./grammar-rules.ts";
import { eitherOf, UNKNOWN } from "./steps.ts";

/** Maximum nodes of a function body to search for return statements. */
const MAX_BODY_NODES = 4000;

/** Levels of syntax between a function and the definition whose value it is, as in `const a = memo(function () {…})`. */
const MAX_NAMED_LEVELS = 4;

/** Returns the declared result of a function, else the one of its return statements; "" if unknown. */
export function functionResult(node: number, expressions: ExpressionEvaluator): string {
  const { tree, grammar } = expressions.file;
  const rule = expressions.valueRule(node);
  if (rule?.is !== "function") return "";
  const returns = partOf(tree, node, rule.returns);
  if (returns !== -1) {
    const reading = { callable: node, hasBounds: false };
    return expressions.withTypeParameters(reading, () => expressions.typeOf(returns));
  }
  const tag = grammar.rules.documented?.ofResult(node, tree) ?? "";
  if (tag !== "") return tag;
  const body = partOf(tree, node, rule.body);
  if (body === -1) return "";
  const returned = returnedIn(node, body, expressions);
  if (returned !== UNKNOWN) return returned;
  return grammar.rules.returnsObject?.(node, tree) === true ? ownMembers(node, expressions) : "";
}

/** Returns an object with the members of the symbol that is a function; "" if it is none. */
function ownMembers(callable: number, { file: { tree, symbols } }: ExpressionEvaluator): string {
  let node = callable;
  for (let left = MAX_NAMED_LEVELS; left > 0 && node !== -1; left -= 1) {
    const symbol = symbols.definedBy(node);
    if (symbol !== -1) return isCallableKind(symbols.list[symbol]?.kind) ? `#${symbol}` : "";
    node = tree.parent(node);
  }
  return "";
}

/** Returns what a function with that body returns; "?" if its return statements return different values. */
function returnedIn(node: number, body: number, expressions: ExpressionEvaluator): string {
  const { tree, grammar } = expressions.file;
  const isBlock = grammar.isBlock[tree.types[body] ?? 0] === 1;
  if (grammar.rules.hasUnions === true) {
    return eitherOf([expressions.valueOf(body), ...returnedValues(node, expressions, true)]);
  }
  if (!isBlock) return expressions.valueOf(body);
  const [first = UNKNOWN, ...others] = returnedValues(body, expressions, false);
  return others.length > 0 ? UNKNOWN : first;
}

/** Returns the different values of the return statements in a node; one or two of them suffice if they must be one. */
function returnedValues(
  from: number,
  expressions: ExpressionEvaluator,
  isUnion: boolean,
): readonly string[] {
  const { tree, grammar } = expressions.file;
  const end = tree.next(from);
  const all = new Set<string>();
  if (end - from > MAX_BODY_NODES) return [];
  for (let node = from + 1; node < end;) {
    const isReturn = grammar.isReturn[tree.types[node] ?? 0] === 1;
    const value = isReturn ? tree.child(node, 0) : -1;
    // In Ruby the statement has the value of its list.
    if (value !== -1) all.add(expressions.valueOf(isUnion ? node : value));
    if (all.size > 1 && !isUnion) break;
    node = isReturn || expressions.functionOf(node) !== -1 ? tree.next(node) : node + 1;
  }
  return [...all];
}
