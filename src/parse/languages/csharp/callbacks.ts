// Functions of C# that are called with functions: what a method passes to a parameter of type `Action<Item>`, and which lambda
// is called with it.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { PassedFunction } from "../reference-rules.ts";

/** Names of type parameters, by convention: they are not types of the project. */
const TYPE_PARAMETER = /^T(?:[A-Z\d]|$)/;
/** How many of the last type arguments of a delegate are not parameters. */
const RESULTS: Readonly<Record<string, number>> = {
  Action: 0,
  Predicate: 0,
  EventHandler: 0,
  Func: 1,
  Converter: 1,
};

/**
 * Returns the parameters of a method as a shape, `{,{@Item}}` for `(string name, Action<Item> action)`; "" if none of them is
 * a function with a parameter of a named type. See src/base/type-shape.ts.
 */
export function callbacksOf(method: number, tree: FlatSyntaxTree): string {
  const list = tree.childInField(method, "parameters");
  const all = list === -1 ? [] : tree.childrenOfType(list, "parameter");
  const shapes = all.map((parameter) => functionShape(tree.childInField(parameter, "type"), tree));
  const last = shapes.findLastIndex((shape) => shape !== "");
  return last === -1 ? "" : `{${shapes.slice(0, last + 1).join(",")}}`;
}

function functionShape(type: number, tree: FlatSyntaxTree): string {
  if (type === -1 || tree.typeName(type) !== "generic_name") return "";
  const [name = -1, list = -1] = tree.children(type);
  if (name === -1 || list === -1) return "";
  const text = tree.textOf(name);
  const types = tree.children(list);
  if (text === "Expression") return functionShape(types[0] ?? -1, tree);
  if (!Object.hasOwn(RESULTS, text)) return "";
  const parameters = types.slice(0, types.length - (RESULTS[text] ?? 0));
  const shapes = parameters.map((one) => typeShape(one, tree));
  const passed = text === "EventHandler" ? ["", ...shapes] : shapes;
  return passed.some((shape) => shape !== "") ? `{${passed.join(",")}}` : "";
}

function typeShape(type: number, tree: FlatSyntaxTree): string {
  const text = tree.textOf(type);
  const isName = tree.typeName(type) === "identifier" && !TYPE_PARAMETER.test(text);
  return isName ? `@${text}` : "";
}

/** Returns the call that a lambda is passed to by position; undefined for other lambdas. */
export function passedFunction(callable: number, tree: FlatSyntaxTree): PassedFunction | undefined {
  const argument = tree.parent(callable);
  if (argument === -1 || tree.typeName(argument) !== "argument") return undefined;
  const list = tree.parent(argument);
  const call = list === -1 ? -1 : tree.parent(list);
  const isCall = call !== -1 && tree.typeName(call) === "invocation_expression";
  if (!isCall || tree.child(argument, 0) !== callable) return undefined;
  return { callee: tree.child(call, 0), parameter: tree.children(list).indexOf(argument) };
}
