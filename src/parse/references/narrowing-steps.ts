// The steps of expressions that say which of its types a value has where conditions hold: see `Use.receiver`.
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import type { TypeCondition } from "../languages/type-conditions.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import type { LocalVariable } from "./scopes.ts";
import { UNKNOWN } from "./steps.ts";

/** Neither a member, nor a comparison or an arrow. */
const ASSIGNMENT = /(?<![\w$.])([\w$\u0080-\uffff]+)\s*=(?![=>])/g;
/** By tree: the names that the file assigns to. */
const ASSIGNED = new WeakMap<FlatSyntaxTree, ReadonlySet<string>>();
/** Longer steps are left out. */
const MAX_CHARS = 50;
const NO_STEPS: readonly string[] = [];

/**
 * Returns the steps after a value, the outermost condition first. `local`: the variable that the value is, or is a member of;
 * undefined if it is a member of something else.
 */
export function narrowingSteps(
  value: number,
  local: LocalVariable | undefined,
  expressions: ExpressionEvaluator,
): readonly string[] {
  const { tree, grammar } = expressions.file;
  const { conditionsOn } = grammar.rules;
  if (conditionsOn === undefined) return NO_STEPS;
  const scope = {
    until: local?.scope.node ?? -1,
    isConstant: () => local !== undefined && isConstant(local, expressions),
  };
  const conditions = conditionsOn(value, tree, scope);
  if (conditions.length === 0) return NO_STEPS;
  return conditions
    .map((condition) => stepOf(condition, expressions))
    .filter((step) => step !== "" && step.length <= MAX_CHARS)
    .toReversed();
}

/** Returns whether a variable is a constant, or a parameter to which the file assigns nothing. */
function isConstant(local: LocalVariable, { file: { tree } }: ExpressionEvaluator): boolean {
  const declaration = tree.parent(tree.parent(local.node));
  if (local.origin?.parameter === -1) {
    return declaration !== -1 && tree.text.startsWith("const", tree.start(declaration));
  }
  return !assignedIn(tree).has(local.name);
}

/** Returns the names that a file assigns to. */
function assignedIn(tree: FlatSyntaxTree): ReadonlySet<string> {
  const known = ASSIGNED.get(tree);
  if (known !== undefined) return known;
  const names = new Set([...tree.text.matchAll(ASSIGNMENT)].map(([, name = ""]) => name));
  ASSIGNED.set(tree, names);
  return names;
}

/** Returns "" for what is unknown. */
function stepOf(condition: TypeCondition, expressions: ExpressionEvaluator): string {
  const { isTrue } = condition;
  if (condition.is === "equal") {
    return `{${condition.member}${isTrue ? "=" : "~"}${condition.values.join("|")}}`;
  }
  if (condition.is === "having") {
    return isTrue && /^\w+$/.test(condition.member) ? `{.${condition.member}}` : "";
  }
  const tested =
    condition.is === "instance"
      ? typesOf(condition.types, expressions)
      : guardOf(condition.guard, expressions);
  return tested === "" ? "" : `{${isTrue ? "" : "-"}${tested}}`;
}

function typesOf(nodes: readonly number[], expressions: ExpressionEvaluator): string {
  const types = nodes.map((node) => expressions.typeOf(node));
  return types.every((type) => /^[@#][\w$.]+$/.test(type)) ? types.join("|") : "";
}

/** Returns the function of the file, or an imported one, or the method that tests a value. */
function guardOf(guard: number, expressions: ExpressionEvaluator): string {
  if (guard === -1) return "";
  if (expressions.isName(guard)) {
    const local = expressions.localAt(guard);
    const isOfFile = local?.symbol !== -1 && local?.scope.kind === undefined;
    const isKnown = local !== undefined && (local.binding !== -1 || isOfFile);
    return isKnown ? `%${expressions.file.tree.textOf(guard)}` : "";
  }
  const method = expressions.valueOf(guard).replaceAll(/\{[^{}]*\}/g, "");
  return method === UNKNOWN || /[;|]/.test(method) ? "" : `%${method}`;
}
