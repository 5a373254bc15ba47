import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type {
  Declaration,
  NodeRule,
  ReferenceRules,
  Roles,
  ScopeKind,
  SelfRule,
} from "../reference-rules.ts";
import { javaContainers } from "./containers.ts";
import { javaOverloads } from "./overloads.ts";

const BLOCK: NodeRule = { scope: "block" };
const TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };
const METHOD: NodeRule = {
  scope: "function",
  roles: { name: "none" },
  value: { is: "function", returns: "type", body: [] },
};
const INHERITING: NodeRule = { roles: { "*": "inherit" } };
const ANNOTATION: NodeRule = { roles: { name: "call" } };
const PARAMETER: Declaration = { names: "name", type: "type", isParameter: true };
const TYPED_PATTERN: NodeRule = { declares: [{ names: -1, type: 0 }] };
const UNNAMED: NodeRule = { roles: { "*": "none" } };

export const javaReferences: ReferenceRules = {
  names: { identifier: "value", type_identifier: "type" },
  members: "all",
  areTypesApart: true,
  areFunctionsApart: true,
  isSequential: true,
  package: { node: "package_declaration", name: -1 },
  ignored: ["var", "Override"],
  ...javaContainers,
  overloads: javaOverloads,
  nodes: {
    // Scopes and declarations.
    class_declaration: TYPE,
    record_declaration: TYPE,
    interface_declaration: TYPE,
    enum_declaration: TYPE,
    annotation_type_declaration: TYPE,
    class_body: { scope: scopeOfBody, self: selfOfBody },
    method_declaration: METHOD,
    annotation_type_element_declaration: METHOD,
    constructor_declaration: { scope: "function", roles: { name: "none" } },
    compact_constructor_declaration: { scope: "function", roles: { name: "none" } },
    static_initializer: { scope: "function" },
    lambda_expression: {
      scope: "function",
      value: { is: "function", body: "body" },
      declares: [{ names: "parameters", in: "own", isParameter: true }],
    },
    inferred_parameters: { declares: [{ names: "*", isParameter: true }] },
    formal_parameter: {
      declares: [
        { ...PARAMETER, type: siblingType, when: (node, tree) => !isComponent(node, tree) },
        { names: "name", type: "type", when: isComponent },
      ],
      holds: { type: "type" },
    },
    spread_parameter: {
      declares: [{ names: nameOfSpread, type: ".", isParameter: true }],
      type: { is: "several", of: typeOfSpread },
    },
    catch_formal_parameter: { declares: [{ names: "name", type: typeOfCaught }] },
    type_parameter: { declares: [{ names: firstType, type: boundOf }] },
    type_bound: { type: { is: "through", of: 0 } },
    variable_declarator: {
      declares: [{ names: "name", type: typeAround, value: "value", when: isVariable }],
      holds: { type: typeAround, value: "value" },
    },
    enhanced_for_statement: {
      scope: "block",
      declares: [{ names: "name", type: siblingType, value: "value", step: "[]", in: "own" }],
    },
    resource: { declares: [{ names: "name", type: siblingType, value: "value" }] },
    instanceof_expression: {
      declares: [{ names: "name", type: "right" }],
      value: { is: "literal", type: "boolean" },
    },
    type_pattern: TYPED_PATTERN,
    record_pattern_component: TYPED_PATTERN,
    record_pattern: { roles: { "*": "type" } },
    enum_constant: { holds: "self", roles: { name: "none" }, constructs: () => "own" },
    explicit_constructor_invocation: { constructs: constructorCalled },
    block: BLOCK,
    constructor_body: BLOCK,
    for_statement: BLOCK,
    catch_clause: BLOCK,
    try_with_resources_statement: BLOCK,
    switch_block: BLOCK,
    switch_rule: BLOCK,
    // Expressions.
    field_access: { value: { is: "member", object: "object", name: "field" } },
    scoped_identifier: {
      value: { is: "member", object: "scope", name: "name" },
      type: { is: "path" },
    },
    method_invocation: {
      value: { is: "invocation", object: "object", name: "name", arguments: "arguments" },
    },
    method_reference: {
      value: { is: "member", object: 0, name: 1 },
      roles: (node, tree) => (tree.child(node, 1) === -1 ? { "*": "call" } : undefined),
    },
    object_creation_expression: {
      value: { is: "construction", type: "type" },
      roles: { type: "call" },
    },
    array_creation_expression: {
      value: { is: "construction", type: "." },
      type: { is: "several", of: "type" },
    },
    array_initializer: {},
    array_access: { value: { is: "element", of: "array" } },
    cast_expression: { value: { is: "cast", type: "type", value: "value" } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    assignment_expression: { value: { is: "through", of: "right" } },
    ternary_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    switch_label: {
      value: { is: "member", object: switchedValue, name: "*", isBareToo: true },
    },
    class_literal: { value: { is: "literal", type: "Class" } },
    string_literal: { value: { is: "literal", type: "String" } },
    character_literal: { value: { is: "literal", type: "char" } },
    decimal_integer_literal: { value: { is: "literal", type: "int" } },
    decimal_floating_point_literal: { value: { is: "literal", type: "double" } },
    true: { value: { is: "literal", type: "boolean" } },
    false: { value: { is: "literal", type: "boolean" } },
    this: { value: { is: "self" } },
    super: { value: { is: "base" } },
    // Types.
    scoped_type_identifier: {
      value: { is: "member", object: 0, name: -1 },
      type: { is: "path" },
    },
    generic_type: { type: { is: "generic", name: 0, arguments: 1 } },
    array_type: { type: { is: "several", of: "element" } },
    annotated_type: { type: { is: "through", of: -1 } },
    wildcard: { type: { is: "through", of: -1 } },
    catch_type: { type: { is: "union" } },
    integral_type: { type: { is: "builtin" } },
    floating_point_type: { type: { is: "builtin" } },
    boolean_type: { type: { is: "builtin" } },
    // Other uses of names.
    superclass: INHERITING,
    type_list: { roles: rolesInList },
    annotation: ANNOTATION,
    marker_annotation: ANNOTATION,
    element_value_pair: { value: { is: "member", object: annotationAround, name: "key" } },
    labeled_statement: UNNAMED,
    break_statement: UNNAMED,
    continue_statement: UNNAMED,
    package_declaration: { isIgnored: true },
    module_declaration: { isIgnored: true },
    // Imports.
    import_declaration: { imports: readImport },
  },
};

/** Returns "type" for the body of an anonymous class or of an enum constant. */
function scopeOfBody(node: number, tree: FlatSyntaxTree): ScopeKind | undefined {
  const around = tree.typeName(tree.parent(node));
  return around === "object_creation_expression" || around === "enum_constant" ? "type" : undefined;
}

function selfOfBody(node: number, tree: FlatSyntaxTree): SelfRule | undefined {
  const isAnonymous = tree.typeName(tree.parent(node)) === "object_creation_expression";
  return isAnonymous ? { type: typeOfCreated } : undefined;
}

function typeOfCreated(body: number, tree: FlatSyntaxTree): number {
  return tree.childInField(tree.parent(body), "type");
}

/** Returns whether the parameter is a record component: `record Point(int x)` has a field for each. */
function isComponent(node: number, tree: FlatSyntaxTree): boolean {
  return tree.typeName(tree.parent(tree.parent(node))) === "record_declaration";
}

/** Returns the type before a name; -1 for `var`. */
function siblingType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  return type !== -1 && tree.textOf(type) === "var" ? -1 : type;
}

function typeAround(node: number, tree: FlatSyntaxTree): number {
  return siblingType(tree.parent(node), tree);
}

/** Returns whether the declarator is a variable, not a varargs parameter. */
function isVariable(node: number, tree: FlatSyntaxTree): boolean {
  return tree.typeName(tree.parent(node)) !== "spread_parameter";
}

function nameOfSpread(node: number, tree: FlatSyntaxTree): number {
  const [declarator = -1] = tree.childrenOfType(node, "variable_declarator");
  return declarator === -1 ? -1 : tree.childInField(declarator, "name");
}

function typeOfSpread(node: number, tree: FlatSyntaxTree): number {
  const types = tree
    .children(node)
    .filter((child) => !/^(?:modifiers|variable_declarator)$/.test(tree.typeName(child)));
  return types[0] ?? -1;
}

function typeOfCaught(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "catch_type")[0] ?? -1;
}

function firstType(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "type_identifier", "identifier")[0] ?? -1;
}

function boundOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "type_bound")[0] ?? -1;
}

function constructorCalled(node: number, tree: FlatSyntaxTree): "own" | "base" | undefined {
  const called = tree.typeName(tree.childInField(node, "constructor"));
  if (called === "this") return "own";
  return called === "super" ? "base" : undefined;
}

/** Returns the value that a `switch` compares with its cases. */
function switchedValue(label: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(label);
  while (around !== -1 && !/^switch_(?:expression|statement)$/.test(tree.typeName(around))) {
    around = tree.parent(around);
  }
  return around === -1 ? -1 : tree.childInField(around, "condition");
}

/** Returns the name of the annotation that contains an element. */
function annotationAround(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(tree.parent(tree.parent(node)), "name");
}

function rolesInList(node: number, tree: FlatSyntaxTree): Roles | undefined {
  const isInherited = /^(?:super|extends)_interfaces$/.test(tree.typeName(tree.parent(node)));
  return isInherited ? { "*": "inherit" } : undefined;
}

function readImport(node: number, { tree, add }: ImportReader): boolean {
  const [path = -1, ...rest] = tree.children(node);
  if (path === -1) return true;
  const module = tree.textOf(path).replaceAll(/\s+/g, "");
  if (rest.length > 0) {
    add({ node, module, bindings: [], isWildcard: true });
    return true;
  }
  const named = tree.isLeaf(path) ? path : tree.childInField(path, "name");
  const name = tree.textOf(named);
  add({ node, module, bindings: [{ name, local: name, node: named }] });
  return true;
}
