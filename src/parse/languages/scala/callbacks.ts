// Functions of Scala that take a function last: what they pass to it.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { PassedFunction } from "../reference-rules.ts";

/** Types of the language, which have no members in the project, and names of type parameters. */
const UNKNOWN_TYPE =
  /^(?:[A-Z]\d?|[A-Z][A-Z]|Any\w*|Array|Boolean|Byte|Char|Double|Either|Float|Future|Int|Iterable|Iterator|List|Long|Map|Nothing|Option|Seq|Set|Short|String|Throwable|Try|Unit|Vector)$/;
const IMPLICIT = /^\(\s*(?:implicit|using)\b/;

/**
 * Returns the last parameter of a function as a shape: `{{@Event,}}` for `def on(size: Int)(run: (Event, Int) => Unit)`. ""
 * if nothing is known. See src/base/type-shape.ts.
 */
export function lastParameterShape(definition: number, tree: FlatSyntaxTree): string {
  const lists = tree
    .childrenOfType(definition, "parameters")
    .filter((list) => !IMPLICIT.test(tree.textOf(list)));
  const last = lists.at(-1);
  const parameter = last === undefined ? -1 : tree.child(last, -1);
  const type = parameter === -1 ? -1 : tree.childInField(parameter, "type");
  if (type === -1 || tree.typeName(type) !== "function_type") return "";
  const list = tree.childInField(type, "parameter_types");
  const shapes = list === -1 ? [] : tree.children(list).map((one) => shapeOf(one, tree));
  return shapes.some((shape) => shape !== "") ? `{{${shapes.join(",")}}}` : "";
}

function shapeOf(type: number, tree: FlatSyntaxTree): string {
  let node = type;
  while (/^(?:generic_type|tuple_type)$/.test(tree.typeName(node))) node = tree.child(node, 0);
  const isName = /^(?:stable_)?type_identifier$/.test(tree.typeName(node));
  const name = isName ? tree.textOf(node) : "";
  return name === "" || UNKNOWN_TYPE.test(name) ? "" : `@${name}`;
}

/** Returns the call that a function literal is the last argument of; undefined for other literals. */
export function callOfLast(literal: number, tree: FlatSyntaxTree): PassedFunction | undefined {
  const around = tree.parent(literal);
  const call = around === -1 ? -1 : tree.parent(around);
  if (call === -1 || tree.typeName(call) !== "call_expression") return undefined;
  if (!/^(?:block|arguments)$/.test(tree.typeName(around)) || tree.child(around, -1) !== literal) {
    return undefined;
  }
  let callee = tree.childInField(call, "function");
  while (callee !== -1 && /^(?:call_expression|generic_function)$/.test(tree.typeName(callee))) {
    callee = tree.childInField(callee, "function");
  }
  return callee === -1 ? undefined : { callee, parameter: 0 };
}
