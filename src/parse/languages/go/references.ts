import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Declaration, NodeRule, ReferenceRules } from "../reference-rules.ts";
import { readImport } from "./imports.ts";
import { literalAround, structOfKey } from "./literals.ts";

const FUNCTION: NodeRule = {
  scope: "function",
  // A function without a result has no value.
  value: { is: "function", returns: "result", body: [] },
};
const BLOCK: NodeRule = { scope: "block" };
const PARAMETER: Declaration = { names: "name", type: "type", isParameter: true };
const SHORT: Declaration = { names: "left", value: "right", isParallel: true };
const VALUES: NodeRule = {
  declares: [{ names: "name", type: "type", value: "value", isParallel: true }],
  holds: { type: "type", value: firstValue },
};
/** `x` in `switch x := y.(type)`, in cases without a single type. */
const SWITCHED: Declaration = { names: switchedName, value: switchedValue, in: "own" };
const TYPE: NodeRule = {
  scope: "type",
  self: "own",
  declares: [{ names: "name" }],
  holds: { type: otherType },
};

export const goReferences: ReferenceRules = {
  names: {
    identifier: "value",
    field_identifier: "member",
    package_identifier: "value",
    type_identifier: "type",
  },
  areTypesApart: true,
  isSequential: true,
  package: { node: "package_clause", name: 0 },
  // The predeclared names that nobody redeclares.
  ignored:
    "_ any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap len make new panic recover".split(
      " ",
    ),
  calls: {
    make: { argument: 0, returns: "instance" },
    new: { argument: 0, returns: "instance" },
    append: { argument: 0, returns: "value" },
    min: { argument: 0, returns: "value" },
    max: { argument: 0, returns: "value" },
  },
  nodes: {
    // Scopes and declarations.
    function_declaration: FUNCTION,
    method_declaration: FUNCTION,
    func_literal: FUNCTION,
    method_elem: FUNCTION,
    block: BLOCK,
    if_statement: BLOCK,
    for_statement: BLOCK,
    expression_switch_statement: BLOCK,
    type_switch_statement: BLOCK,
    expression_case: BLOCK,
    default_case: { scope: "block", declares: [SWITCHED] },
    communication_case: BLOCK,
    type_case: {
      scope: "block",
      declares: [
        { names: switchedName, type: "type", when: hasSingleType, in: "own" },
        { ...SWITCHED, when: hasMultipleTypes },
      ],
    },
    type_spec: TYPE,
    type_alias: TYPE,
    const_spec: VALUES,
    var_spec: VALUES,
    short_var_declaration: { declares: [SHORT] },
    receive_statement: { declares: [SHORT] },
    range_clause: { declares: [{ names: "left", value: "right", step: "[]" }] },
    parameter_declaration: { declares: [PARAMETER], type: { is: "through", of: "type" } },
    variadic_parameter_declaration: {
      declares: [{ ...PARAMETER, type: "." }],
      type: { is: "several", of: "type" },
    },
    type_parameter_declaration: { declares: [{ names: "name" }] },
    // The type parameters of a receiver are declared by the receiver.
    type_arguments: { declares: [{ names: "*", when: isOfReceiver }], isType: true },
    field_declaration: { holds: { type: namedType }, roles: embeddedIn },
    // Patterns.
    expression_list: {
      pattern: { is: "each", step: "", inLoop: ["?", "[]"] },
      value: { is: "through", of: 0 },
    },
    type_elem: {
      pattern: { is: "through", of: 0 },
      type: { is: "through", of: 0 },
      roles: (node, tree) =>
        tree.typeName(tree.parent(node)) === "interface_type" ? { "*": "inherit" } : undefined,
    },
    // Expressions.
    selector_expression: { value: { is: "member", object: "operand", name: "field" } },
    index_expression: { value: { is: "element", of: "operand" } },
    slice_expression: { value: { is: "through", of: "operand" } },
    call_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    type_conversion_expression: {
      value: { is: "call", callee: "type" },
      roles: { type: "call" },
    },
    type_instantiation_expression: { value: { is: "through", of: "type" } },
    composite_literal: {
      value: { is: "construction", type: "type" },
      roles: { type: "call" },
    },
    literal_value: { value: { is: "element", of: literalAround } },
    literal_element: { value: { is: "member", object: structOfKey, name: 0 } },
    type_assertion_expression: { value: { is: "cast", type: "type", value: "operand" } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    unary_expression: { value: { is: "through", of: "operand" } },
    interpreted_string_literal: { value: { is: "literal", type: "string" } },
    raw_string_literal: { value: { is: "literal", type: "string" } },
    int_literal: { value: { is: "literal", type: "int" } },
    float_literal: { value: { is: "literal", type: "float64" } },
    true: { value: { is: "literal", type: "bool" } },
    false: { value: { is: "literal", type: "bool" } },
    // Types.
    qualified_type: {
      value: { is: "member", object: "package", name: "name" },
      type: { is: "path" },
    },
    generic_type: {
      value: { is: "through", of: "type" },
      type: { is: "generic", name: "type", arguments: "type_arguments" },
    },
    pointer_type: { type: { is: "through", of: 0 } },
    parenthesized_type: { type: { is: "through", of: 0 } },
    slice_type: { type: { is: "several", of: "element" } },
    array_type: { type: { is: "several", of: "element" } },
    implicit_length_array_type: { type: { is: "several", of: "element" } },
    map_type: { type: { is: "several", of: "value" } },
    // Receiving from a channel yields its element.
    channel_type: { type: { is: "through", of: "value" } },
    // Only the result of a function type matters.
    function_type: { scope: "function", type: { is: "through", of: "result" } },
    parameter_list: { type: { is: "through", of: 0 } },
    struct_type: { type: { is: "literal", type: "struct" } },
    interface_type: { type: { is: "literal", type: "interface" } },
    // Imports.
    package_clause: { isIgnored: true },
    import_spec: { imports: readImport },
  },
};

/** Returns the underlying type, unless it is a structure or interface of its own. */
function otherType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  return type !== -1 && /^(?:struct|interface)_type$/.test(tree.typeName(type)) ? -1 : type;
}

/**
 * Returns the type of a field. Members of an anonymous structure are indexed as members of the field, so it
 * has none.
 */
function namedType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  let inner = type;
  while (/^(?:pointer|slice|array|map)_type$/.test(tree.typeName(inner)))
    inner = tree.child(inner, -1);
  return tree.typeName(inner) === "struct_type" ? -1 : type;
}

function firstValue(node: number, tree: FlatSyntaxTree): number {
  const values = tree.childInField(node, "value");
  return values === -1 ? -1 : tree.child(values, 0);
}

/** Returns `x` of `switch x := y.(type)` for one of its cases. */
function switchedName(node: number, tree: FlatSyntaxTree): number {
  const alias = tree.childInField(tree.parent(node), "alias");
  return alias === -1 ? -1 : tree.child(alias, 0);
}

function switchedValue(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(tree.parent(node), "value");
}

function typesOf(node: number, tree: FlatSyntaxTree): number {
  return tree.children(node).filter((child) => tree.fieldName(child) === "type").length;
}

function hasSingleType(node: number, tree: FlatSyntaxTree): boolean {
  return typesOf(node, tree) === 1;
}

function hasMultipleTypes(node: number, tree: FlatSyntaxTree): boolean {
  return typesOf(node, tree) !== 1;
}

/** Matches `func (s *Set[T]) Add()`. */
function isOfReceiver(node: number, tree: FlatSyntaxTree): boolean {
  let around = tree.parent(node);
  while (/^(?:generic|pointer|parenthesized)_type$/.test(tree.typeName(around))) {
    around = tree.parent(around);
  }
  return tree.fieldName(tree.parent(around)) === "receiver";
}

function embeddedIn(node: number, tree: FlatSyntaxTree): { readonly type: "inherit" } | undefined {
  return tree.childInField(node, "name") === -1 ? { type: "inherit" } : undefined;
}
