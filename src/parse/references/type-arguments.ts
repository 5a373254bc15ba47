// The steps of expressions that say what a generic type or function is applied to: `@Box<:@Foo>`, `first<@Foo*>()`. See
// `Use.receiver`.
import { withoutTypeArguments } from "../../base/type-shape.ts";
import { FUNCTION_ARGUMENT, OR_ELSE, TYPE_ARGUMENT } from "../../base/receiver-marks.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { partOf } from "./grammar-rules.ts";
import { severalOf, UNKNOWN, withSteps } from "./steps.ts";

/** Longer arguments are left out, to save space. */
const MAX_ARGUMENT_CHARS = 50;
/** Longer types are without their arguments. */
const MAX_GENERIC_CHARS = 90;
/** Further arguments are left out. */
const MAX_ARGUMENTS = 4;
/** Values of the language itself have no members in the project. */
const PLAIN = /^@(?:string|number|boolean|bigint|symbol|RegExp|Array|Date|Error)\**$/;
/** Methods of collections whose result depends on a function. */
const MAPPING = /^(?:map|flatMap)$/;
/** A step with bars, or the end of one. */
const UNFIT = /[|!]/;

/** Returns the expression of the type of a type parameter. `bound`: the expression of its bound, or "". */
export function typeParameterOf(key: string, bound: string): string {
  const closed = withoutTypeArguments(bound);
  return closed === "" ? `'${key}'` : `'${key}=${closed}'`;
}

/** Returns whether an expression depends on type parameters. */
export function isOpen(expression: string): boolean {
  return expression.includes("'");
}

/** Returns the expression of a generic type with the type arguments in a node, as far as they are types of the project. */
export function genericType(type: string, node: number, expressions: ExpressionEvaluator): string {
  return applied(type, () => typeArgumentsIn(node, expressions));
}

/** Returns the expression of an object with the type arguments of a construction, or with what its constructor gets. */
export function constructedWith(
  object: string,
  { construction, type }: { readonly construction: number; readonly type: number },
  expressions: ExpressionEvaluator,
): string {
  return applied(object, () => stepOfConstruction(construction, type, expressions));
}

function applied(type: string, read: () => string): string {
  if (type === "" || type === UNKNOWN || type.includes(OR_ELSE)) return type;
  const step = read();
  return type.length + step.length > MAX_GENERIC_CHARS ? type : type + step;
}

/** Returns the step with the type arguments in a node; "" if none is known. */
function typeArgumentsIn(node: number, expressions: ExpressionEvaluator): string {
  const { tree } = expressions.file;
  const list = tree.childInField(node, "type_arguments");
  if (list === -1) return "";
  return appliedTo(
    tree.children(list).map((type) => {
      const text = argumentText(expressions.typeOf(type), expressions);
      return text === "" ? "" : TYPE_ARGUMENT + text;
    }),
    TYPE_ARGUMENT,
  );
}

/**
 * Returns the step with what a call passes, of which the types of the others may follow; "" if nothing is known. `except`: the index of
 * an argument that is left out, as are functions after it.
 */
function argumentsOf(
  list: number,
  expressions: ExpressionEvaluator,
  except = Number.MAX_SAFE_INTEGER,
): string {
  const { tree } = expressions.file;
  if (list === -1) return "";
  const values = tree.children(list).slice(0, MAX_ARGUMENTS);
  return appliedTo(
    values.map((value, at) => {
      const callable = expressions.functionOf(value);
      if (tree.typeName(value) === "spread_element") return "";
      if (at === except || (callable !== -1 && at > except)) return "";
      if (callable === -1) return argumentText(expressions.valueOf(value), expressions);
      const result = argumentText(expressions.resultOf(callable), expressions);
      return result === "" ? "" : FUNCTION_ARGUMENT + result;
    }),
    "",
  );
}

/** Returns the step; "" if all arguments are unknown. `mark`: what the first argument begins with. */
function appliedTo(all: readonly string[], mark: string): string {
  const last = all.findLastIndex((one) => one !== "");
  if (last === -1) return "";
  const [first = "", ...others] = all.slice(0, last + 1);
  return `<${[first === "" ? mark : first, ...others].join(",")}>`;
}

/** Returns the text of an argument; "" for one that is unknown or too long, and for values of the language itself. */
function argumentText(expression: string, { file }: ExpressionEvaluator): string {
  if (expression === UNKNOWN || PLAIN.test(expression) || UNFIT.test(expression)) return "";
  const [name] = /^[\w$]+/.exec(expression) ?? [];
  if (name !== undefined && !file.file.locals.has(name)) return "";
  return expression.length > MAX_ARGUMENT_CHARS ? "" : expression.replaceAll(OR_ELSE, "|");
}

/** Returns the step with what a call passes to a function that may be generic; "" for other functions. */
export function stepOfCall(
  call: number,
  callee: number,
  expressions: ExpressionEvaluator,
  except?: number,
): string {
  if (expressions.file.grammar.rules.shapes === undefined) return "";
  const types = typeArgumentsIn(call, expressions);
  if (types !== "" || !mayBeGeneric(callee, expressions)) return types;
  const rule = expressions.valueRule(call);
  const list = rule?.is === "call" ? partOf(expressions.file.tree, call, rule.arguments) : -1;
  return argumentsOf(list, expressions, except);
}

/** Returns false for functions of the file without type parameters, for those of the platform, and for methods of collections. */
function mayBeGeneric(callee: number, expressions: ExpressionEvaluator): boolean {
  const { symbols, tree } = expressions.file;
  if (callee === -1) return false;
  if (!expressions.isName(callee)) return mayBeGenericMethod(callee, expressions);
  const local = expressions.localAt(callee);
  if (local === undefined || local.binding !== -1) return local !== undefined;
  return local.symbol !== -1 && isGenericFunction(symbols.nodeOf(local.symbol), tree);
}

function mayBeGenericMethod(callee: number, expressions: ExpressionEvaluator): boolean {
  const { tree, grammar } = expressions.file;
  const rule = expressions.valueRule(callee);
  const name = rule?.is === "member" ? partOf(tree, callee, rule.name) : -1;
  const text = name === -1 ? "" : tree.textOf(name);
  if (MAPPING.test(text)) return true;
  const { callbacks = {}, collectionMembers = {} } = grammar.rules;
  const isOfCollection = Object.hasOwn(callbacks, text) || Object.hasOwn(collectionMembers, text);
  if (text === "" || isOfCollection) return false;
  const root = rootOf(callee, expressions);
  return root === -1 || !expressions.isName(root) || expressions.localAt(root) !== undefined;
}

function isGenericFunction(definition: number, tree: FlatSyntaxTree): boolean {
  if (definition === -1) return false;
  const value = tree.childInField(definition, "value");
  const callable = value === -1 ? definition : value;
  return tree.childInField(callable, "type_parameters") !== -1;
}

/** Returns the value at the beginning of a chain of members; -1 if there is none. */
function rootOf(member: number, expressions: ExpressionEvaluator): number {
  let node = member;
  for (let rule = expressions.valueRule(node); rule?.is === "member";) {
    node = partOf(expressions.file.tree, node, rule.object);
    if (node === -1) return -1;
    rule = expressions.valueRule(node);
  }
  return node;
}

/** Returns the expression of a collection that a call constructs, as `new Map<string, Foo>()`; undefined for other types. */
export function collectionOf(
  construction: number,
  type: number,
  expressions: ExpressionEvaluator,
): string | undefined {
  const { tree, grammar } = expressions.file;
  const name = tree.textOf(type);
  const { containers = {} } = grammar.rules;
  const container = Object.hasOwn(containers, name) ? containers[name] : undefined;
  if (container?.isCollection !== true || expressions.localAt(type) !== undefined) return undefined;
  const types = tree.childInField(construction, "type_arguments");
  const element = types === -1 ? -1 : tree.child(types, container.argument);
  if (element !== -1) {
    const expression = expressions.typeOf(element);
    return expression === "" ? UNKNOWN : severalOf(expression);
  }
  // `new Set(foos)` has the elements of a collection.
  const list = tree.childInField(construction, "arguments");
  const passed = list === -1 ? -1 : tree.child(list, 0);
  const value = passed === -1 || name !== "Set" ? UNKNOWN : expressions.valueOf(passed);
  return value === UNKNOWN
    ? undefined
    : severalOf(withSteps(value, ["[]"], expressions.collectionMembers));
}

/** Returns the step with the type arguments of a class, or with what its constructor gets; "" for a class of the file without parameters. */
function stepOfConstruction(
  construction: number,
  type: number,
  expressions: ExpressionEvaluator,
): string {
  const { tree, symbols } = expressions.file;
  const types = typeArgumentsIn(construction, expressions);
  if (types !== "" || !expressions.isName(type)) return types;
  const local = expressions.localAt(type);
  const isOwn = local !== undefined && local.binding === -1;
  const isGeneric = isOwn
    ? local.symbol !== -1 && isGenericFunction(symbols.nodeOf(local.symbol), tree)
    : local !== undefined;
  return isGeneric ? argumentsOf(tree.childInField(construction, "arguments"), expressions) : "";
}

/** Returns the expression of a generic type that another one inherits from; undefined for other types. */
export function genericBase(leaf: number, expressions: ExpressionEvaluator): string | undefined {
  const { tree, grammar } = expressions.file;
  const parent = tree.parent(leaf);
  if (grammar.rules.shapes === undefined || parent === -1) return undefined;
  const reading = { callable: -1, hasBounds: false };
  return expressions.withTypeParameters(reading, () => {
    const types = typeArgumentsIn(parent, expressions);
    return types === "" ? undefined : `@${tree.textOf(leaf)}${types}`;
  });
}
