// Calls that return their argument: `make([]Foo, 3)`, `Box::new(foo)`.
import type { CallResult, ValueRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { partOf } from "./grammar-rules.ts";
import { severalOf, UNKNOWN, withSteps } from "./steps.ts";

/** Longer callees are not looked up in `ReferenceRules.calls`. */
const MAX_CALLEE_CHARS = 40;

interface Call {
  readonly rule: Extract<ValueRule, { is: "call" | "invocation" }>;
  /** The node that ends with the name of the callee. */
  readonly callee: number;
}

/** Returns the result of a call whose block shows it; undefined for others. */
function resultOfBlock(node: number, expressions: ExpressionEvaluator): string | undefined {
  const { tree, grammar } = expressions.file;
  const selected = grammar.rules.selectedType?.(node, tree);
  if (selected === undefined) {
    const value = grammar.rules.blockResult?.(node, tree) ?? -1;
    return value === -1 ? undefined : expressions.valueOf(value);
  }
  const type = expressions.typeOf(selected.type);
  return type === "" ? undefined : `${type}${selected.isOne ? "" : "*"}`;
}

/**
 * Returns the result as an expression, or what the call selects by its type or takes from its block; undefined for all other
 * calls.
 */
export function callArgumentResult(
  node: number,
  call: Call,
  expressions: ExpressionEvaluator,
): string | undefined {
  const ofBlock = resultOfBlock(node, expressions);
  if (ofBlock !== undefined || call.callee === -1) return ofBlock;
  const { tree, grammar } = expressions.file;
  const ofCallee = grammar.rules.resultOfCallee?.(call.callee, tree);
  if (ofCallee !== undefined) return ofCallee;
  const result = knownCall(node, call, expressions);
  const list = result === undefined ? -1 : partOf(tree, node, call.rule.arguments);
  if (result === undefined || list === -1) return undefined;
  const types = result.isTyped === true ? tree.childInField(node, "type_arguments") : -1;
  if (types !== -1) {
    const type = expressions.typeOf(tree.child(types, 0)) || UNKNOWN;
    return isSeveral(result) ? listOf(type) : type;
  }
  if (result.returns === "type") return undefined;
  return resultFrom(tree.child(list, result.argument), result, expressions);
}

/** Returns what is known of the result of a function with the name of the callee. */
function knownCall(
  node: number,
  { rule, callee }: Call,
  expressions: ExpressionEvaluator,
): CallResult | undefined {
  const { tree, grammar, imports } = expressions.file;
  const { calls } = grammar.rules;
  if (calls === undefined) return undefined;
  const from = tree.start(rule.is === "invocation" ? node : callee);
  const to = tree.end(callee);
  const name = to - from > MAX_CALLEE_CHARS ? "" : tree.text.slice(from, to);
  const result = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (result?.from === undefined) return result;
  const module = imports[expressions.localAt(callee)?.binding ?? -1]?.module;
  return module !== undefined && module.split("/")[0] === result.from ? result : undefined;
}

function isSeveral({ returns }: CallResult): boolean {
  return returns === "several" || returns === "results";
}

function listOf(value: string): string {
  return value === UNKNOWN ? UNKNOWN : severalOf(value);
}

/** Returns the expression of the result that an argument determines. */
function resultFrom(
  argument: number,
  result: CallResult,
  expressions: ExpressionEvaluator,
): string {
  if (typeof result.returns === "object") {
    const origin = expressions.file.file.locals.get(result.returns.variable)?.origin;
    return origin === undefined ? UNKNOWN : expressions.originOf(origin);
  }
  if (result.returns === "result" || result.returns === "results") {
    const value = expressions.resultOf(expressions.functionOf(argument)) || UNKNOWN;
    return isSeveral(result) ? listOf(value) : value;
  }
  if (result.returns === "instance") {
    const type = expressions.typeOf(argument);
    return type === "" ? UNKNOWN : type;
  }
  const value = expressions.valueOf(argument);
  if (value === UNKNOWN || result.returns === "value") return value;
  if (result.returns === "several") return listOf(value);
  const element = withSteps(value, ["[]"], expressions.collectionMembers);
  return result.returns === "elements" ? listOf(element) : element;
}
