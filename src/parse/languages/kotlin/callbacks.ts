// Functions of Kotlin that are called with a lambda after the arguments: what they pass to it, and whose members are visible in it.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { PassedFunction } from "../reference-rules.ts";

/** Types of the language, which have no members in the project, and names of type parameters. */
const UNKNOWN_TYPE =
  /^(?:[A-Z]\d?|T[A-Z]\w*|Any|Array|Boolean|Byte|Char|CharSequence|Collection|Double|Float|Int|Iterable|List|Long|Map|Mutable\w+|Nothing|Number|Sequence|Set|Short|String|Throwable|Unit)$/;
const WRAPPERS = new Set(["nullable_type", "parenthesized_type", "non_nullable_type"]);
/** A lambda is always the last argument. */
const LAST = 0;

/**
 * Returns the last parameter of a function as a shape, or the type of an alias: `{{@Event}@Scope}` for
 * `fun build(size: Int, block: Scope.(Event) -> Unit)`. The place of the result has the receiver of the lambda. "" if nothing
 * is known. See src/base/type-shape.ts.
 */
export function callbackOf(definition: number, tree: FlatSyntaxTree): string {
  const type = tree.typeName(definition);
  if (type === "type_alias") return functionShape(tree.child(definition, -1), tree);
  if (type !== "function_declaration") return "";
  const [list] = tree.childrenOfType(definition, "function_value_parameters");
  const last = list === undefined ? -1 : (tree.childrenOfType(list, "parameter").at(-1) ?? -1);
  const shape = last === -1 ? "" : typeShape(tree.child(last, 1), tree);
  return shape === "" ? "" : `{${shape}}`;
}

function typeShape(type: number, tree: FlatSyntaxTree): string {
  if (type === -1) return "";
  return functionShape(type, tree) || nameShape(type, tree);
}

function functionShape(type: number, tree: FlatSyntaxTree): string {
  const inner = unwrapped(type, tree);
  if (inner === -1 || tree.typeName(inner) !== "function_type") return "";
  const [first = -1] = tree.children(inner);
  const [list] = tree.childrenOfType(inner, "function_type_parameters");
  if (list === undefined) return "";
  const receiver = first === list ? "" : nameShape(first, tree);
  const parameters = tree.children(list).map((parameter) => {
    const isNamed = tree.typeName(parameter) === "parameter";
    return nameShape(isNamed ? tree.child(parameter, 1) : parameter, tree);
  });
  const isKnown = receiver !== "" || parameters.some((shape) => shape !== "");
  return isKnown ? `{${parameters.join(",")}}${receiver}` : "";
}

function nameShape(type: number, tree: FlatSyntaxTree): string {
  const inner = unwrapped(type, tree);
  if (inner === -1 || tree.typeName(inner) !== "user_type") return "";
  const name = tree.childrenOfType(inner, "identifier").at(-1);
  const text = name === undefined ? "" : tree.textOf(name);
  return text === "" || UNKNOWN_TYPE.test(text) ? "" : `@${text}`;
}

function unwrapped(type: number, tree: FlatSyntaxTree): number {
  let node = type;
  while (node !== -1 && WRAPPERS.has(tree.typeName(node))) node = tree.child(node, 0);
  return node;
}

/** Returns the call that a lambda follows; undefined for other lambdas. */
export function calledWith(
  lambda: number,
  tree: FlatSyntaxTree,
  calleeOf: (call: number, tree: FlatSyntaxTree) => number,
): PassedFunction | undefined {
  const around = tree.parent(lambda);
  if (around === -1 || tree.typeName(around) !== "annotated_lambda") return undefined;
  const call = tree.parent(around);
  const isCall = call !== -1 && tree.typeName(call) === "call_expression";
  return isCall ? { callee: calleeOf(call, tree), parameter: LAST } : undefined;
}
