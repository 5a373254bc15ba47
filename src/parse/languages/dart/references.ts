import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Container, NodeRule, ReferenceRules, Roles } from "../reference-rules.ts";
import { dartArrangement } from "./arrange.ts";
import { readExport, readDartImport, readPart, readPartOf } from "./imports.ts";
import { argumentOfBase, fieldsOfBase, passedByLibrary } from "./library-callbacks.ts";
import { expectedFunction, dartMarkOf, passedTo } from "./marks.ts";
import {
  aliasedType,
  aliasName,
  bodyOf,
  cascadedObject,
  constructedBy,
  definedLeaf,
  firstName,
  argumentList,
  nameOfFunction,
  nameOfParameter,
  resultIn,
  typeAround,
  typeIn,
} from "./parts.ts";
import { typeTestOf } from "./type-tests.ts";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };

/** These methods pass the elements, or the receiver itself, to a function. */
const EACH = ["[]"];
const ITSELF = [""];

const BLOCK: NodeRule = { scope: "block" };
const TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };
const INHERITING: NodeRule = { roles: { "*": "inherit" } };
const UNNAMED: NodeRule = { roles: { "*": "none" } };
const THROUGH: NodeRule = { value: { is: "through", of: 0 } };
const VARIABLE: NodeRule = {
  declares: [{ names: 0, type: typeAround, value: valueOfVariable }],
  holds: { type: typeAround, value: valueOfVariable },
};
/** The name of a constructor is no name of a scope. */
const constructorRules: Readonly<Record<"constructor", NodeRule>> = {
  constructor: { scope: "function", holds: "self", isKey: true },
};

export const dartReferences: ReferenceRules = {
  names: { identifier: "value", type_identifier: "type", identifier_dollar_escaped: "value" },
  arrangement: dartArrangement,
  definedName: definedLeaf,
  returns: ["return_statement"],
  blocks: ["block"],
  members: "all",
  isSequential: true,
  hasSeveralBases: true,
  narrowedType: typeTestOf,
  passedFunction: passedTo,
  passedByLibrary,
  expectedFunction,
  functionTypes: { function_type: typeIn },
  distinctions: { ofDefinition: dartMarkOf },
  ignored: "_ int double num bool String Object Null Never dynamic void Function override".split(
    " ",
  ),
  containers: {
    ...byName("Future FutureOr Completer", WRAPPER_OF),
    ...byName(
      "List Iterable Iterator Set Stream StreamController StreamSubscription Queue ListQueue LinkedHashSet HashSet UnmodifiableListView UnmodifiableSetView EventSink StreamSink Sink",
      ELEMENT_OF,
    ),
    ...byName("Map HashMap LinkedHashMap SplayTreeMap UnmodifiableMapView", VALUE_OF),
  },
  callbacks: {
    ...byObject(
      "map where forEach any every firstWhere lastWhere singleWhere expand takeWhile skipWhile indexWhere removeWhere retainWhere listen asyncMap asyncExpand whereNot firstWhereOrNull sortedBy groupBy",
      EACH,
    ),
    ...byObject("then having let", ITSELF),
    reduce: ["[]", "[]"],
    sort: ["[]", "[]"],
    fold: ["?", "[]"],
    putIfAbsent: [],
  },
  pairCallbacks: { forEach: ["?", "[]"], map: ["?", "[]"], removeWhere: ["?", "[]"] },
  selectedType: selectedBy,
  collectionMembers: {
    ...byName(
      "where toList toSet take skip takeWhile skipWhile followedBy reversed values sublist getRange asBroadcastStream stream iterator distinct cast toUnmodifiable",
      "same",
    ),
    ...byName(
      "firstWhere lastWhere singleWhere elementAt removeAt removeLast removeFirst reduce putIfAbsent remove firstWhereOrNull",
      "element",
    ),
    ...byName("first last single current firstOrNull lastOrNull singleOrNull", "value"),
  },
  nodes: {
    // Scopes and declarations.
    class_definition: {
      ...TYPE,
      inheritedFields: fieldsOfBase,
      holds: { type: argumentOfBase },
    },
    mixin_declaration: TYPE,
    enum_declaration: TYPE,
    extension_type_declaration: TYPE,
    extension_declaration: {
      scope: "type",
      self: () => ({ type: "class" }),
      declares: [{ names: "name" }],
      holds: { type: "class" },
    },
    representation_declaration: { holds: { type: "type" } },
    enum_constant: { holds: "self", roles: { "*": "none" }, constructs: () => "own" },
    function: {
      scope: "function",
      value: { is: "function", returns: resultIn, body: bodyOf },
      declares: [{ names: nameOfLocal, value: ".", isRecursive: true }],
    },
    ...constructorRules,
    redirecting_factory_constructor_signature: { roles: { "*": "call" } },
    function_body: { value: { is: "through", of: 0 } },
    function_expression: {
      scope: "function",
      value: { is: "function", body: bodyOf },
    },
    function_expression_body: THROUGH,
    formal_parameter: {
      declares: [{ names: nameOfParameter, type: typeOfParameter, isParameter: true }],
    },
    constructor_param: {
      declares: [{ names: ".", value: 0 }],
      pattern: { is: "pair", key: -1, value: none, isMemberOnly: true },
    },
    super_formal_parameter: { value: { is: "member", object: 0, name: -1, isKey: true } },
    field_initializer: {
      declares: [{ names: ".", value: "." }],
      value: { is: "self" },
      pattern: { is: "pair", key: firstName, value: none, isMemberOnly: true },
    },
    initialized_identifier: VARIABLE,
    static_final_declaration: VARIABLE,
    initialized_variable_definition: {
      declares: [{ names: "name", type: typeIn, value: "value" }],
    },
    for_statement: BLOCK,
    for_element: BLOCK,
    for_loop_parts: {
      declares: [
        { names: "name", type: typeIn, value: "value", step: "[]", when: isForIn },
        { names: patternIn, value: "value", step: "[]" },
      ],
    },
    if_statement: BLOCK,
    if_element: BLOCK,
    block: BLOCK,
    switch_statement_case: BLOCK,
    switch_expression_case: BLOCK,
    handler: {
      scope: "block",
      declares: [
        { names: caughtName, type: typeIn, in: "own" },
        { names: caughtTrace, in: "own" },
      ],
    },
    type_parameter: { declares: [{ names: 0, type: boundOf }] },
    type_bound: { type: { is: "through", of: 0 } },
    type_alias: { declares: [{ names: aliasName }], holds: { type: aliasedType } },
    function_type: BLOCK,
    record_type: BLOCK,
    // Patterns.
    pattern_variable_declaration: { declares: [{ names: patternIn, value: -1 }] },
    object_pattern: {
      declares: [{ names: ".", type: 0 }],
      pattern: { is: "each", step: "", except: "type" },
    },
    record_pattern: { pattern: { is: "each", step: "?" } },
    list_pattern: { pattern: { is: "each", step: "[]" } },
    map_pattern: { pattern: { is: "each", step: "?" } },
    pattern_field: { pattern: { is: "pair", key: keyOfPattern, value: valueOfPattern } },
    variable_pattern: {
      declares: [{ names: firstName, type: typeIn, when: isTypedPattern }],
      pattern: { is: "through", of: firstName },
    },
    null_check_pattern: { pattern: { is: "through", of: 0 } },
    null_assert_pattern: { pattern: { is: "through", of: 0 } },
    parenthesized_pattern: { pattern: { is: "through", of: 0 } },
    qualified: { value: { is: "member", object: 0, name: -1 } },
    // Expressions.
    access: { value: { is: "member", object: 0, name: 1 }, accepts: (name) => name !== "new" },
    call: { value: { is: "call", callee: 0, arguments: argumentList }, roles: { "0": "call" } },
    element: { value: { is: "element", of: 0 } },
    instantiation: THROUGH,
    cascade: THROUGH,
    cascade_selector: { value: { is: "member", object: cascadedObject, name: nameOfSelector } },
    unary_expression: { value: { is: "through", of: awaited } },
    await_expression: THROUGH,
    assignable_expression: THROUGH,
    postfix_expression: THROUGH,
    parenthesized_expression: THROUGH,
    assignment_expression: { value: { is: "through", of: "right" } },
    conditional_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    if_null_expression: { value: { is: "either", of: ["first", "second"] } },
    switch_expression: { value: { is: "either", of: [firstResult] } },
    type_cast_expression: { value: { is: "cast", type: castType, value: 0 } },
    list_literal: { value: { is: "list", type: "List" } },
    set_or_map_literal: { value: { is: "list", type: "Set" } },
    type_arguments: { value: { is: "construction", type: -1 } },
    string_literal: { value: { is: "literal", type: "String" } },
    decimal_integer_literal: { value: { is: "literal", type: "int" } },
    decimal_floating_point_literal: { value: { is: "literal", type: "double" } },
    true: { value: { is: "literal", type: "bool" } },
    false: { value: { is: "literal", type: "bool" } },
    this: { value: { is: "self" } },
    super: { value: { is: "base" } },
    // Types.
    generic_type: { type: { is: "generic", name: 0, arguments: 1 } },
    type_path: { value: { is: "member", object: 0, name: -1 }, type: { is: "path" } },
    // Other uses of names.
    superclass: {
      roles: (node, tree): Roles | undefined =>
        tree.typeName(tree.child(node, 0)) === "mixins" ? undefined : { "0": "inherit" },
    },
    mixin_application: { roles: { "0": "inherit" } },
    mixins: INHERITING,
    interfaces: INHERITING,
    annotation: {
      value: { is: "call", callee: "name", arguments: argumentList },
      roles: { name: "call" },
      leads: true,
    },
    scoped_identifier: { value: { is: "member", object: "scope", name: "name" } },
    label: {
      value: { is: "member", object: constructedBy, name: 0, isKey: true },
      roles: (node, tree) => (constructedBy(node, tree) === -1 ? { "*": "none" } : undefined),
    },
    initializer_list_entry: { constructs: constructorCalled },
    redirection: { constructs: constructorCalled },
    typed_identifier: { declares: [{ names: firstName }] },
    record_type_field: { declares: [{ names: firstName }] },
    dot_shorthand: UNNAMED,
    break_statement: UNNAMED,
    continue_statement: UNNAMED,
    // An annotation of the library is in the same node as its name.
    dotted_identifier_list: { isIgnored: true },
    // Imports.
    library_import: { imports: readDartImport },
    library_export: { imports: readExport },
    part_directive: { imports: readPart },
    part_of_directive: { imports: readPartOf },
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

function byObject(names: string, steps: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, steps]));
}

function none(): number {
  return -1;
}

/** Returns the value of a variable: the second part. */
function valueOfVariable(node: number, tree: FlatSyntaxTree): number {
  return tree.child(node, 1);
}

/** A function in a function is no definition of the outline. */
function nameOfLocal(node: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(node);
  return around !== -1 && tree.typeName(around) === "lambda_expression"
    ? nameOfFunction(node, tree)
    : -1;
}

/** `int read(String text)` as a parameter is a function. */
function typeOfParameter(node: number, tree: FlatSyntaxTree): number {
  const isFunction = tree.childrenOfType(node, "formal_parameter_list").length > 0;
  return isFunction ? -1 : typeIn(node, tree);
}

function isForIn(node: number, tree: FlatSyntaxTree): boolean {
  return tree.childInField(node, "value") !== -1;
}

function patternIn(node: number, tree: FlatSyntaxTree): number {
  return tree.children(node).find((child) => tree.typeName(child).endsWith("_pattern")) ?? -1;
}

function caughtName(node: number, tree: FlatSyntaxTree): number {
  return caughtAt(node, tree, 0);
}

function caughtTrace(node: number, tree: FlatSyntaxTree): number {
  return caughtAt(node, tree, 1);
}

function caughtAt(node: number, tree: FlatSyntaxTree, index: number): number {
  const [clause] = tree.childrenOfType(node, "catch_clause");
  const list = clause === undefined ? -1 : tree.child(clause, 0);
  return list === -1 ? -1 : tree.child(list, index);
}

function boundOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "type_bound")[0] ?? -1;
}

/** Returns the name of the member in `name: pattern` or `:var name`. */
function keyOfPattern(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  if (tree.child(node, 1) !== -1) return first;
  let inner = first;
  while (inner !== -1 && tree.typeName(inner).startsWith("null_")) inner = tree.child(inner, 0);
  return inner === -1 ? -1 : firstName(inner, tree);
}

function valueOfPattern(node: number, tree: FlatSyntaxTree): number {
  return tree.child(node, 1);
}

/** A name without a type in an object pattern is that of a member. */
function isTypedPattern(node: number, tree: FlatSyntaxTree): boolean {
  if (typeIn(node, tree) !== -1) return true;
  const around = tree.parent(node);
  return around === -1 || tree.typeName(around) === "switch_statement_case";
}

function nameOfSelector(node: number, tree: FlatSyntaxTree): number {
  const name = tree.child(node, 0);
  return name !== -1 && tree.typeName(name) === "identifier" ? name : -1;
}

function awaited(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  return first !== -1 && tree.typeName(first) === "await_expression" ? first : -1;
}

function castType(node: number, tree: FlatSyntaxTree): number {
  const [cast] = tree.childrenOfType(node, "type_cast");
  return cast === undefined ? -1 : typeIn(cast, tree);
}

/** Returns the result of the first case. */
function firstResult(node: number, tree: FlatSyntaxTree): number {
  const [first] = tree.childrenOfType(node, "switch_expression_case");
  return first === undefined ? -1 : tree.child(first, -1);
}

/** `super(a)` and `this(a)` without a name. */
function constructorCalled(node: number, tree: FlatSyntaxTree): "own" | "base" | undefined {
  const [object = -1, list = -1] = tree.children(node);
  if (list === -1 || tree.typeName(list) !== "arguments") return undefined;
  return tree.typeName(object) === "this" ? "own" : "base";
}

/** Functions that return an object of their type argument, or a collection of such objects. */
const RETURNING_TYPE =
  /^(?:isA|read|watch|of|maybeOf|widget|state|firstWidget|firstState|findAncestor\w+|dependOnInherited\w+|getInherited\w+|getElementFor\w+)$/;
const SELECTING_TYPE = /^(?:whereType|cast|widgetList|stateList)$/;

/** `context.read<Store>()` and `items.whereType<Store>()`. */
function selectedBy(
  call: number,
  tree: FlatSyntaxTree,
): { readonly type: number; readonly isOne: boolean } | undefined {
  const [list] = tree.childrenOfType(call, "type_arguments");
  if (list === undefined) return undefined;
  const callee = tree.child(call, 0);
  const name = tree.textOf(tree.isLeaf(callee) ? callee : tree.child(callee, -1));
  const isOne = RETURNING_TYPE.test(name);
  if (!isOne && !SELECTING_TYPE.test(name)) return undefined;
  const type = typeIn(list, tree);
  return type === -1 || tree.children(list).length > 1 ? undefined : { type, isOne };
}
