import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type {
  Container,
  Declaration,
  NodeRule,
  ReferenceRules,
  Roles,
  ScopeKind,
  SelfRule,
} from "../reference-rules.ts";
import { callOfLast, lastParameterShape } from "./callbacks.ts";
import { readScalaImport } from "./imports.ts";
import { patternRules } from "./patterns.ts";
import { functionOf } from "./placeholders.ts";

/** The mark of an object, which has no instances. */
const OBJECT = "object";
/** The mark of a parameter of a case class, which its patterns and `copy` name. */
const CASE_PARAMETER = "case";
/** The mark of a type member, which a subtype may override. */
const TYPE_MEMBER = "type";

const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };

/** These methods pass the elements to a function. */
const EACH = ["[]"];

const BLOCK: NodeRule = { scope: "block" };
const LAST: NodeRule = { scope: "block", value: { is: "through", of: -1 } };
const TYPE: NodeRule = {
  scope: "type",
  self: "own",
  declares: [{ names: "name" }],
  holds: { type: selfTypeOf },
};
const FUNCTION: NodeRule = {
  scope: "function",
  value: { is: "function", returns: "return_type", body: "body" },
  // A local function may call itself.
  declares: [
    { names: "name", value: "." },
    { names: "name", value: ".", in: "own" },
  ],
};
const PARAMETER: Declaration = { names: "name", type: "type", isParameter: true };
const VALUE: NodeRule = {
  declares: [{ names: ["pattern", "name"], type: "type", value: "value" }],
  holds: { type: "type", value: "value" },
};
const TYPE_PARAMETER: NodeRule = {
  declares: [{ names: "name", typeOf: boundOf, isParameter: true }],
};
const PATH: NodeRule = { value: { is: "member", object: 0, name: -1 }, type: { is: "path" } };

export const scalaReferences: ReferenceRules = {
  names: { identifier: "value", type_identifier: "type", operator_identifier: "member" },
  members: "all",
  areTypesApart: true,
  typeParameters: ["type_parameters", "covariant_type_parameter", "contravariant_type_parameter"],
  valuesOnly: ["object_definition", "package_object"],
  isSequential: true,
  hasSeveralBases: true,
  selfType: "this",
  baseName: "super",
  patternNames: /^[\p{Ll}_]/u,
  package: packageOf,
  ignored:
    "this super _ Int Long Boolean Unit Any AnyRef AnyVal Byte Short Float Double Char Nothing Null String".split(
      " ",
    ),
  distinctions: { ofDefinition: markOf },
  placeholder: functionOf,
  passedFunction: callOfLast,
  functionTypes: { function_type: "return_type" },
  containers: {
    ...byName(
      "Option Some Try Success Future Either Right List Seq IndexedSeq LinearSeq Vector Set SortedSet ListSet HashSet Iterable Traversable TraversableOnce IterableOnce Iterator Array Stream LazyList Buffer ListBuffer ArrayBuffer Queue Stack GenTraversableOnce WrappedArray ArraySeq NonEmptyList",
      ELEMENT_OF,
    ),
    ...byName("Map HashMap SortedMap TreeMap ListMap TrieMap", VALUE_OF),
  },
  callbacks: {
    ...byObject(
      "map flatMap foreach filter filterNot withFilter forall exists find count partition span takeWhile dropWhile collect collectFirst groupBy sortBy maxBy minBy indexWhere flatten distinctBy tapEach",
      EACH,
    ),
    reduce: ["[]", "[]"],
    reduceLeft: ["[]", "[]"],
    sortWith: ["[]", "[]"],
    foldLeft: ["?", "[]"],
    foldRight: ["[]", "?"],
    fold: ["?", "[]"],
  },
  collectionMembers: {
    ...byName(
      "filter filterNot withFilter sortBy sorted sortWith reverse distinct take drop takeRight dropRight takeWhile dropWhile tail init toList toSeq toSet toVector toArray toIndexedSeq toStream toIterator iterator toOption orElse recover par view headOption lastOption find",
      "same",
    ),
    ...byName("head last get getOrElse next min max maxBy minBy apply", "element"),
  },
  nodes: {
    // Scopes and declarations.
    class_definition: TYPE,
    trait_definition: TYPE,
    object_definition: { scope: "type", self: "own", declares: [{ names: "name" }] },
    package_object: { scope: "type", self: "own" },
    enum_definition: { scope: "type", self: "own", declares: [{ names: "name" }] },
    simple_enum_case: { holds: "self" },
    full_enum_case: { scope: "block", holds: "self" },
    given_definition: {
      scope: "type",
      self: () => ({ type: "return_type" }),
      declares: [{ names: "name", type: "return_type" }],
      holds: { type: "return_type" },
    },
    extension_definition: BLOCK,
    template_body: { scope: scopeOfBody, self: selfOfBody },
    refinement: BLOCK,
    structural_type: BLOCK,
    self_type: {
      declares: [{ names: 0, value: "." }],
      value: { is: "self" },
      roles: { "0": "none" },
    },
    class_parameter: { declares: [{ names: "name", type: "type" }], holds: { type: "type" } },
    function_definition: FUNCTION,
    function_declaration: FUNCTION,
    parameter: { declares: [PARAMETER] },
    binding: { declares: [PARAMETER] },
    lambda_expression: {
      scope: "function",
      value: { is: "function", body: -1 },
      declares: [{ names: "parameters", in: "own", isParameter: true, when: hasOneName }],
    },
    type_parameters: TYPE_PARAMETER,
    covariant_type_parameter: TYPE_PARAMETER,
    contravariant_type_parameter: TYPE_PARAMETER,
    type_lambda: BLOCK,
    type_definition: { scope: "block", declares: [{ names: "name" }], holds: { type: "type" } },
    val_definition: VALUE,
    var_definition: VALUE,
    val_declaration: VALUE,
    var_declaration: VALUE,
    for_expression: BLOCK,
    block: LAST,
    indented_block: LAST,
    ...patternRules,
    // Expressions.
    identifier: { means: unquoted },
    field_expression: {
      value: { is: "member", object: "value", name: "field" },
      accepts: (name) => name !== "this",
    },
    call_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    generic_function: { value: { is: "through", of: "function" } },
    infix_expression: {
      value: { is: "invocation", object: leftOf, name: operatorOf, arguments: rightOf },
      roles: rolesOfInfix,
    },
    postfix_expression: { value: { is: "member", object: 0, name: postfixOf } },
    instance_expression: {
      value: { is: "construction", type: constructedType },
      roles: { "0": "call" },
    },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    ascription_expression: { value: { is: "cast", type: 1, value: 0 } },
    if_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    try_expression: { value: { is: "through", of: "body" } },
    match_expression: { value: { is: "either", of: [firstResult] } },
    assignment_expression: {
      value: { is: "member", object: constructedBy, name: keyOf, isKey: true },
      roles: (node, tree) =>
        keyOf(node, tree) !== -1 && constructedBy(node, tree) === -1 ? { left: "none" } : undefined,
    },
    interpolated_string_expression: {
      value: { is: "member", object: 1, name: 0 },
      accepts: (name) => !/^(?:s|f|raw)$/.test(name),
      ...patternRules.interpolated_string_expression,
    },
    string: { value: { is: "literal", type: "String" } },
    integer_literal: { value: { is: "literal", type: "Int" } },
    floating_point_literal: { value: { is: "literal", type: "Double" } },
    boolean_literal: { value: { is: "literal", type: "Boolean" } },
    character_literal: { value: { is: "literal", type: "Char" } },
    // Types.
    generic_type: { type: { is: "generic", name: "type", arguments: "type_arguments" } },
    stable_type_identifier: PATH,
    stable_identifier: PATH,
    projected_type: { value: { is: "member", object: "type", name: "selector" } },
    compound_type: { type: { is: "through", of: "base" } },
    singleton_type: { type: { is: "value", of: 0 } },
    repeated_parameter_type: { type: { is: "several", of: "type" } },
    lazy_parameter_type: { type: { is: "through", of: "type" } },
    upper_bound: { type: { is: "through", of: "type" } },
    annotated_type: { type: { is: "through", of: 0 } },
    infix_type: { roles: { operator: "type" } },
    // Other uses of names.
    extends_clause: { roles: { type: "inherit" } },
    annotation: { roles: { name: "call" } },
    access_qualifier: { isIgnored: true },
    package_identifier: { isIgnored: true },
    // Imports.
    import_declaration: { imports: readScalaImport },
    export_declaration: { imports: readScalaImport },
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

function byObject(names: string, steps: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, steps]));
}

/** Returns the bound after the name of a type parameter: `A <: Bound`. */
function boundOf(name: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(name);
  const end = tree.next(parent);
  for (let node = tree.next(name); node < end && tree.fieldName(node) !== "name";) {
    if (tree.typeName(node) === "upper_bound") return node;
    node = tree.next(node);
  }
  return -1;
}

function unquoted(name: string): string {
  return name.replaceAll("`", "");
}

/** Returns `a.b.c` of `package a.b` and `package c`, whose definitions are in the braces of the first or after it. */
function packageOf(tree: FlatSyntaxTree): string {
  const parts: string[] = [];
  for (let around = 0; around !== -1;) {
    let inner = -1;
    for (const clause of tree.childrenOfType(around, "package_clause")) {
      const name = tree.childInField(clause, "name");
      if (name !== -1) parts.push(tree.textOf(name).replaceAll(/[\s`]/g, ""));
      inner = tree.childInField(clause, "body");
      if (inner !== -1) break;
    }
    around = inner;
  }
  return parts.join(".");
}

function markOf(node: number, tree: FlatSyntaxTree, leaf: number): string {
  const type = tree.typeName(node);
  if (type === "object_definition" || type === "package_object") return OBJECT;
  if (type === "type_definition") return TYPE_MEMBER;
  const isParameter = leaf !== -1 && tree.typeName(tree.parent(leaf)) === "class_parameter";
  if (!isParameter) return lastParameterShape(node, tree);
  return /\bcase\s+class\s/.test(tree.text.slice(tree.start(node), tree.start(leaf)))
    ? CASE_PARAMETER
    : "";
}

/** Returns the type of `self: Type =>`, whose members a class has too. */
function selfTypeOf(node: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(node, "body");
  const [self = -1] = body === -1 ? [] : tree.childrenOfType(body, "self_type");
  return self === -1 ? -1 : tree.child(self, 1);
}

/** Returns "type" for the body of an anonymous class. */
function scopeOfBody(node: number, tree: FlatSyntaxTree): ScopeKind | undefined {
  return tree.typeName(tree.parent(node)) === "instance_expression" ? "type" : undefined;
}

function selfOfBody(node: number, tree: FlatSyntaxTree): SelfRule | undefined {
  const isAnonymous = tree.typeName(tree.parent(node)) === "instance_expression";
  return isAnonymous ? { type: () => constructedType(tree.parent(node), tree) } : undefined;
}

function constructedType(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  return first === -1 || tree.typeName(first) === "template_body" ? -1 : first;
}

function hasOneName(node: number, tree: FlatSyntaxTree): boolean {
  const parameters = tree.childInField(node, "parameters");
  return parameters !== -1 && tree.isLeaf(parameters);
}

/** Returns whether an operator belongs to the value after it: `element :: list`. */
function isRightAssociative(node: number, tree: FlatSyntaxTree): boolean {
  const operator = tree.childInField(node, "operator");
  return operator !== -1 && tree.textOf(operator).endsWith(":");
}

function leftOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(node, isRightAssociative(node, tree) ? "right" : "left");
}

function rightOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(node, isRightAssociative(node, tree) ? "left" : "right");
}

/** The grammar reads `new A(1) with B` as an operator. */
function isWith(node: number, tree: FlatSyntaxTree): boolean {
  const operator = tree.childInField(node, "operator");
  return operator !== -1 && tree.textOf(operator) === "with";
}

function operatorOf(node: number, tree: FlatSyntaxTree): number {
  return isWith(node, tree) ? -1 : tree.childInField(node, "operator");
}

function rolesOfInfix(node: number, tree: FlatSyntaxTree): Roles | undefined {
  return isWith(node, tree) ? { operator: "none", right: "type" } : undefined;
}

/** Returns the method in `value method`; -1 in `method _`. */
function postfixOf(node: number, tree: FlatSyntaxTree): number {
  const name = tree.child(node, 1);
  return name === -1 || tree.textOf(name) === "_" ? -1 : name;
}

/** Returns the value of the first case. */
function firstResult(node: number, tree: FlatSyntaxTree): number {
  const cases = tree.childInField(node, "body");
  const [first = -1] = cases === -1 ? [] : tree.childrenOfType(cases, "case_clause");
  return first === -1 ? -1 : tree.childInField(first, "body");
}

/** Returns the name in `f(name = value)`; -1 for an assignment. */
function keyOf(node: number, tree: FlatSyntaxTree): number {
  const left = tree.childInField(node, "left");
  const isArgument = tree.typeName(tree.parent(node)) === "arguments";
  return isArgument && left !== -1 && tree.isLeaf(left) ? left : -1;
}

/** Returns the call of a constructor, or the object whose `copy` is called, to which an argument with a name belongs; or -1. */
function constructedBy(node: number, tree: FlatSyntaxTree): number {
  if (keyOf(node, tree) === -1) return -1;
  const call = tree.parent(tree.parent(node));
  if (tree.typeName(call) === "instance_expression") return call;
  const callee = tree.childInField(call, "function");
  if (callee === -1) return -1;
  const name = tree.isLeaf(callee) ? callee : tree.child(callee, -1);
  if (name === -1) return -1;
  if (/^\p{Lu}/u.test(tree.textOf(name))) return call;
  const isCopy = tree.textOf(name) === "copy" && tree.typeName(callee) === "field_expression";
  return isCopy ? tree.childInField(callee, "value") : -1;
}
