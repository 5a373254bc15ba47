import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { callbackOf, calledWith } from "./callbacks.ts";
import { smartCastOf } from "./smart-casts.ts";
import type { Container, NodeRule, ReferenceRules, SelfRule } from "../reference-rules.ts";

/** The mark of a property that is declared in the head of its class. */
const CONSTRUCTOR_PROPERTY = "constructor";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };

/** These methods pass the elements, or the receiver itself, to a function. */
const EACH = ["[]"];
const ITSELF = [""];

const BLOCK: NodeRule = { scope: "block" };
const TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };
const PARAMETER: NodeRule = {
  declares: [{ names: firstName, type: typeIn, isParameter: true }],
  holds: { type: typeIn },
};

export const kotlinReferences: ReferenceRules = {
  names: { identifier: "value" },
  returns: ["return_expression"],
  blocks: ["block"],
  members: "all",
  areTypesApart: true,
  isSequential: true,
  selfCalls: ["apply", "also"],
  hasSeveralBases: true,
  receiverIn,
  narrowedType: smartCastOf,
  passedFunction: (lambda, tree) => calledWith(lambda, tree, calleeOf),
  hasReceiversInCallbacks: true,
  distinctions: {
    ofDefinition: (node, tree, leaf) =>
      leaf !== -1 && tree.typeName(tree.parent(leaf)) === "class_parameter"
        ? CONSTRUCTOR_PROPERTY
        : callbackOf(node, tree),
  },
  package: { node: "package_header", name: 0 },
  ignored:
    "field _ null String Int Long Boolean Unit Any Byte Short Float Double Char Nothing".split(" "),
  containers: {
    ...byName("Lazy Result Deferred CompletableDeferred StateFlow AtomicRef", WRAPPER_OF),
    ...byName(
      "List MutableList ArrayList Set MutableSet HashSet LinkedHashSet Collection MutableCollection Iterable Iterator Sequence Array Flow ArrayDeque Channel ReceiveChannel SendChannel",
      ELEMENT_OF,
    ),
    ...byName("Map MutableMap HashMap LinkedHashMap ConcurrentMap ConcurrentHashMap", VALUE_OF),
  },
  callbacks: {
    ...byObject(
      "map mapNotNull flatMap forEach filter filterNot any all none first firstOrNull last lastOrNull single find findLast count sortedBy sortedByDescending groupBy associateBy associateWith onEach maxByOrNull minByOrNull sumOf partition takeWhile dropWhile distinctBy joinToString removeAll collect",
      EACH,
    ),
    ...byObject("let also takeIf takeUnless use", ITSELF),
    forEachIndexed: ["?", "[]"],
    mapIndexed: ["?", "[]"],
    fold: ["?", "[]"],
  },
  collectionMembers: {
    ...byName(
      "filter filterNot filterNotNull sortedBy sortedByDescending sorted reversed distinct distinctBy take drop takeWhile dropWhile toList toSet toMutableList toMutableSet asSequence asReversed onEach plus minus iterator values",
      "same",
    ),
    ...byName(
      "first firstOrNull last lastOrNull single singleOrNull find findLast get getOrNull getOrElse getOrPut getOrDefault removeFirst removeLast removeAt random elementAt maxByOrNull minByOrNull next receive remove",
      "element",
    ),
  },
  nodes: {
    // Scopes and declarations.
    class_declaration: TYPE,
    object_declaration: TYPE,
    object_literal: { scope: "type", self: "none" },
    enum_entry: { holds: "self" },
    class_parameter: {
      declares: [{ names: firstName, type: typeIn }],
      holds: { type: typeIn },
    },
    function_declaration: {
      scope: "function",
      self: selfOfExtension,
      value: { is: "function", returns: resultOf, body: bodyOf },
      declares: [{ names: "name", value: "." }],
    },
    anonymous_function: {
      scope: "function",
      value: { is: "function", returns: resultOf, body: bodyOf },
    },
    secondary_constructor: { scope: "function" },
    getter: { scope: "function" },
    setter: {
      scope: "function",
      declares: [{ names: nameInSetter, isParameter: true, in: "own" }],
    },
    lambda_literal: {
      scope: "function",
      value: { is: "function", body: lastStatement },
      declares: [{ names: implicitParameter, in: "own", isParameter: true }],
    },
    lambda_parameters: { declares: [{ names: "*", isParameter: true }] },
    parameter: PARAMETER,
    parameter_with_optional_type: PARAMETER,
    property_declaration: {
      scope: "block",
      self: selfOfExtension,
      declares: [{ names: variableIn, type: typeOfVariable, value: valueIn }],
      holds: { type: typeOfVariable, value: valueIn },
    },
    for_statement: {
      scope: "block",
      declares: [{ names: variableIn, type: typeOfVariable, value: 1, step: "[]", in: "own" }],
    },
    when_expression: BLOCK,
    when_subject: {
      declares: [{ names: variableIn, type: typeOfVariable, value: -1 }],
      value: { is: "through", of: -1 },
    },
    catch_block: { scope: "block", declares: [{ names: 0, type: 1, in: "own" }] },
    block: { scope: "block", value: { is: "through", of: -1 } },
    type_parameter: { declares: [{ names: firstName }] },
    type_alias: { declares: [{ names: "type" }], holds: { type: -1 }, roles: { type: "none" } },
    // Patterns.
    variable_declaration: { pattern: { is: "through", of: firstName } },
    multi_variable_declaration: { pattern: { is: "each", step: "?", inLoop: ["?", "[]"] } },
    // Expressions.
    identifier: { value: { is: "member", object: qualifierOf, name: "." } },
    navigation_expression: {
      value: { is: "member", object: 0, name: -1 },
      accepts: (name) => name !== "class",
    },
    call_expression: {
      value: { is: "call", callee: calleeOf, arguments: argumentsOf },
      roles: { "0": "call" },
    },
    infix_expression: { value: { is: "invocation", object: 0, name: 1 } },
    index_expression: { value: { is: "element", of: 0 } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    annotated_lambda: { value: { is: "through", of: -1 } },
    unary_expression: { value: { is: "through", of: [0] } },
    as_expression: { value: { is: "cast", type: "right", value: "left" } },
    binary_expression: {
      value: { is: "either", of: ["left", "right"], when: isElvis },
    },
    if_expression: { value: { is: "either", of: [1, 2] } },
    try_expression: { value: { is: "through", of: 0 } },
    assignment: { value: { is: "through", of: "right" } },
    this_expression: { value: { is: "self" }, roles: { "*": "none" } },
    super_expression: { value: { is: "base" }, roles: { "*": "none" } },
    callable_reference: { value: { is: "member", object: qualifierOfReference, name: -1 } },
    string_literal: { value: { is: "literal", type: "String" } },
    multiline_string_literal: { value: { is: "literal", type: "String" } },
    number_literal: { value: { is: "literal", type: "Int" } },
    character_literal: { value: { is: "literal", type: "Char" } },
    property_delegate: { value: { is: "through", of: 0 } },
    // Types.
    user_type: {
      type: { is: "generic", name: lastName, arguments: typeArguments },
      isType: true,
    },
    type_projection: { type: { is: "through", of: -1 } },
    nullable_type: { type: { is: "through", of: 0 } },
    non_nullable_type: { type: { is: "through", of: 0 } },
    parenthesized_type: { type: { is: "through", of: 0 } },
    // Other uses of names.
    constructor_invocation: {
      value: { is: "construction", type: 0 },
      type: { is: "through", of: 0 },
      roles: (node, tree) =>
        tree.typeName(tree.parent(node)) === "delegation_specifier"
          ? { "0": "inherit" }
          : { "0": "call" },
    },
    delegation_specifier: { roles: { "*": "inherit" } },
    explicit_delegation: { roles: { "0": "inherit" } },
    annotation: { roles: { "*": "call" } },
    // A constructor sets the property of that name.
    value_argument: {
      value: { is: "member", object: constructedBy, name: keyOf, isKey: true },
      roles: (node, tree) =>
        isNamed(node, tree) && constructedBy(node, tree) === -1 ? { "0": "none" } : undefined,
    },
    constructor_delegation_call: { value: { is: "self" } },
    labeled_expression: { value: { is: "through", of: -1 } },
    label: { isIgnored: true },
    package_header: { isIgnored: true },
    // Imports.
    import: { imports: readImport },
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

function byObject(names: string, steps: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, steps]));
}

function firstName(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "identifier")[0] ?? -1;
}

function lastName(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "identifier").at(-1) ?? -1;
}

const TYPES = ["user_type", "nullable_type", "function_type", "parenthesized_type"];

function typeIn(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, ...TYPES)[0] ?? -1;
}

function typeArguments(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "type_arguments").at(-1) ?? -1;
}

/**
 * Returns the called expression. A call with a trailing lambda is nested in the grammar but is a single call.
 */
function calleeOf(node: number, tree: FlatSyntaxTree): number {
  const callee = tree.child(node, 0);
  const isCall = callee !== -1 && tree.typeName(callee) === "call_expression";
  if (!isCall || tree.childrenOfType(node, "annotated_lambda").length === 0) return callee;
  return tree.childrenOfType(callee, "annotated_lambda").length === 0
    ? tree.child(callee, 0)
    : callee;
}

function argumentsOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "value_arguments", "annotated_lambda").at(-1) ?? -1;
}

/** Returns `Foo` of `fun Foo.run()` and of `val Foo.size`. */
function selfOfExtension(node: number, tree: FlatSyntaxTree): SelfRule | undefined {
  for (const child of tree.children(node)) {
    const type = tree.typeName(child);
    if (TYPES.includes(type)) return { type: () => child };
    if (type === "variable_declaration" || type === "identifier") return undefined;
    if (type === "function_value_parameters") return undefined;
  }
  return undefined;
}

/** Returns the type after the parameters. */
function resultOf(node: number, tree: FlatSyntaxTree): number {
  const children = tree.children(node);
  const parameters = children.findIndex(
    (child) => tree.typeName(child) === "function_value_parameters",
  );
  const type = children[parameters + 1];
  return parameters !== -1 && type !== undefined && TYPES.includes(tree.typeName(type)) ? type : -1;
}

/** Returns the block of a function, or its expression. */
function bodyOf(node: number, tree: FlatSyntaxTree): number {
  const [body] = tree.childrenOfType(node, "function_body");
  return body === undefined ? -1 : tree.child(body, 0);
}

function lastStatement(node: number, tree: FlatSyntaxTree): number {
  const last = tree.child(node, -1);
  return last === -1 || tree.typeName(last) === "lambda_parameters" ? -1 : last;
}

function nameInSetter(node: number, tree: FlatSyntaxTree): number {
  return firstName(node, tree);
}

/** Maximum nodes of a lambda to search for `it`. */
const MAX_LAMBDA_NODES = 2000;

/** Returns the first use of `it`, which declares the implicit parameter. */
function implicitParameter(node: number, tree: FlatSyntaxTree): number {
  const end = Math.min(tree.next(node), node + MAX_LAMBDA_NODES);
  const first = tree.child(node, 0);
  if (first !== -1 && tree.typeName(first) === "lambda_parameters") return -1;
  for (let inside = node + 1; inside < end; inside += 1) {
    const start = tree.start(inside);
    const isIt = tree.text.startsWith("it", start) && tree.isLeaf(inside);
    if (isIt && tree.textOf(inside) === "it") return inside;
  }
  return -1;
}

function variableIn(node: number, tree: FlatSyntaxTree): number {
  const found = tree.childrenOfType(node, "variable_declaration", "multi_variable_declaration");
  return found[0] ?? -1;
}

function typeOfVariable(node: number, tree: FlatSyntaxTree): number {
  const variable = variableIn(node, tree);
  return variable === -1 || tree.typeName(variable) !== "variable_declaration"
    ? -1
    : typeIn(variable, tree);
}

const NO_VALUES = new Set(["getter", "setter", "type_constraints", "modifiers"]);

/** Returns the value of a property, or the expression of its getter. */
function valueIn(node: number, tree: FlatSyntaxTree): number {
  const variable = variableIn(node, tree);
  for (const child of tree.children(node)) {
    if (child > variable && !NO_VALUES.has(tree.typeName(child))) return child;
  }
  const [getter] = tree.childrenOfType(node, "getter");
  const body = getter === undefined ? -1 : bodyOf(getter, tree);
  return body === -1 || tree.typeName(body) === "block" ? -1 : body;
}

/** Returns `b` for the name in the type `a.b.Name`. */
function qualifierOf(leaf: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(leaf);
  if (around === -1 || tree.typeName(around) !== "user_type") return -1;
  const names = tree.childrenOfType(around, "identifier");
  return names[names.indexOf(leaf) - 1] ?? -1;
}

function qualifierOfReference(node: number, tree: FlatSyntaxTree): number {
  return tree.child(node, 1) === -1 ? -1 : tree.child(node, 0);
}

function isElvis(node: number, tree: FlatSyntaxTree): boolean {
  const [left = -1, right = -1] = tree.children(node);
  return right !== -1 && tree.textBetween(left, right).includes("?:");
}

const WITH_RECEIVER = new Set(["apply", "run"]);

/** Returns `x` of `x.apply { … }`, `x.run { … }` and `with(x) { … }`. */
function receiverIn(literal: number, tree: FlatSyntaxTree): number | undefined {
  if (tree.typeName(literal) !== "lambda_literal") return undefined;
  const callee = calleeOf(tree.parent(tree.parent(literal)), tree);
  if (callee === -1) return -1;
  if (tree.typeName(callee) === "navigation_expression") {
    return WITH_RECEIVER.has(tree.textOf(tree.child(callee, -1))) ? tree.child(callee, 0) : -1;
  }
  if (!tree.isLeaf(callee) || tree.textOf(callee) !== "with") return -1;
  const [list = -1] = tree.childrenOfType(tree.parent(callee), "value_arguments");
  const argument = list === -1 ? -1 : tree.child(list, 0);
  return argument === -1 ? -1 : tree.child(argument, 0);
}

/** Matches `name = value`. */
function isNamed(node: number, tree: FlatSyntaxTree): boolean {
  const [name = -1, value = -1] = tree.children(node);
  return value !== -1 && /^\s*=\s*$/.test(tree.textBetween(name, value));
}

/** Returns the name in `name = value`, or -1. */
function keyOf(node: number, tree: FlatSyntaxTree): number {
  return isNamed(node, tree) ? tree.child(node, 0) : -1;
}

/** Returns the call of a constructor that an argument with a name belongs to; -1 for other arguments. */
function constructedBy(node: number, tree: FlatSyntaxTree): number {
  const call = isNamed(node, tree) ? tree.parent(tree.parent(node)) : -1;
  if (call === -1 || tree.typeName(call) !== "call_expression") return call;
  const callee = tree.child(call, 0);
  const name = callee === -1 || tree.isLeaf(callee) ? callee : tree.child(callee, -1);
  return name !== -1 && /^\p{Lu}/u.test(tree.textOf(name)) ? call : -1;
}

function readImport(node: number, { tree, add }: ImportReader): boolean {
  const path = tree.child(node, 0);
  if (path === -1) return true;
  const module = tree.textOf(path).replaceAll(/[\s`]/g, "");
  const isWildcard = /^\s*\.\s*\*/.test(tree.text.slice(tree.end(path), tree.end(path) + 4));
  if (isWildcard) {
    add({ node, module: `${module}.*`, bindings: [], isWildcard });
    return true;
  }
  const alias = tree.child(node, 1);
  const last = tree.isLeaf(path) ? path : tree.child(path, -1);
  const name = module.slice(module.lastIndexOf(".") + 1);
  const local = alias === -1 ? name : tree.textOf(alias);
  add({ node, module, bindings: [{ name, local, node: last }] });
  return true;
}
