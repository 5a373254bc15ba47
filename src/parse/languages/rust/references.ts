import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Declaration, NodeRule, ReferenceRules, Roles } from "../reference-rules.ts";
import { rustContainers } from "./containers.ts";
import { readCrate, readModule, readUse } from "./imports.ts";
import { calleeInTokens, objectInTokens, typeInTokens } from "./token-trees.ts";

const FUNCTION: NodeRule = {
  scope: "function",
  value: { is: "function", returns: "return_type", body: [] },
};
const TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };
const BLOCK: NodeRule = { scope: "block", value: { is: "through", of: -1 } };
const SCOPED: NodeRule = {
  value: { is: "member", object: "path", name: "name" },
  type: { is: "path" },
};
const FIRST: NodeRule = { value: { is: "through", of: 0 }, type: { is: "through", of: 0 } };
const LAST_PATTERN: NodeRule = { pattern: { is: "through", of: -1 } };
const EACH_PATTERN: NodeRule = { pattern: { is: "each", step: "" } };
const PATTERN: Declaration = { names: "pattern", type: "type", value: "value" };

export const rustReferences: ReferenceRules = {
  names: {
    identifier: "value",
    type_identifier: "type",
    field_identifier: "member",
    shorthand_field_identifier: "value",
    crate: "value",
    super: "value",
  },
  areTypesApart: true,
  scopeSeparator: "::",
  isSequential: true,
  patternNames: /^[\p{Ll}_]/u,
  selfType: "Self",
  returns: ["return_expression"],
  ignored: ["Self", "crate", "super", "_", "Some", "None", "Ok", "Err", "derive"],
  ...rustContainers,
  nodes: {
    // Scopes and declarations.
    function_item: FUNCTION,
    function_signature_item: FUNCTION,
    closure_expression: {
      scope: "function",
      value: { is: "function", returns: "return_type", body: "body" },
    },
    closure_parameters: { declares: [{ names: "*", isParameter: true }] },
    parameter: { declares: [{ names: "pattern", type: "type", isParameter: true }] },
    struct_item: { ...TYPE, holds: { type: typeOfOnlyField } },
    union_item: TYPE,
    enum_item: TYPE,
    trait_item: TYPE,
    enum_variant: { value: { is: "self" }, holds: { type: typeOfOnlyField, value: unitVariant } },
    field_declaration: { holds: { type: "type" } },
    impl_item: { scope: "type", self: { type: "type" }, roles: { trait: "inherit" } },
    mod_item: { scope: "block", imports: readModule },
    type_parameter: { declares: [{ names: "name", type: boundOf }] },
    where_predicate: {
      declares: [{ names: "left", type: boundOf, when: isParameterOfType, isParameter: true }],
    },
    type_item: { scope: "block", declares: [{ names: "name" }], holds: { type: "type" } },
    associated_type: { holds: { type: boundOf } },
    const_item: {
      declares: [{ names: "name", type: "type", value: "value" }],
      holds: { type: "type" },
    },
    static_item: {
      declares: [{ names: "name", type: "type", value: "value" }],
      holds: { type: "type" },
    },
    let_declaration: { declares: [PATTERN] },
    let_condition: { declares: [PATTERN] },
    for_expression: {
      scope: "block",
      declares: [{ names: "pattern", value: "value", step: "[]", in: "own" }],
    },
    match_arm: {
      scope: "block",
      declares: [{ names: "pattern", value: matchedValue, in: "own" }],
      value: { is: "through", of: "value" },
    },
    if_expression: {
      scope: "block",
      value: { is: "either", of: ["consequence", "alternative"] },
    },
    while_expression: { scope: "block" },
    block: BLOCK,
    macro_definition: { holds: { type: "." }, type: { is: "literal", type: "macro_rules" } },
    // Patterns.
    tuple_pattern: { pattern: { is: "each", step: "?", inLoop: ["?", "[]"] } },
    tuple_struct_pattern: { pattern: { is: "each", step: stepIntoVariant, except: "type" } },
    struct_pattern: { pattern: { is: "each", step: stepIntoFields, except: "type" } },
    field_pattern: { pattern: { is: "pair", key: "name", value: "pattern" } },
    slice_pattern: { pattern: { is: "each", step: "[]" } },
    captured_pattern: EACH_PATTERN,
    or_pattern: EACH_PATTERN,
    match_pattern: { pattern: { is: "through", of: 0 } },
    ref_pattern: LAST_PATTERN,
    mut_pattern: LAST_PATTERN,
    reference_pattern: LAST_PATTERN,
    scoped_identifier: { ...SCOPED, pattern: { is: "each", step: "?", except: "path" } },
    // Expressions.
    identifier: { value: { is: "member", object: objectInTokens, name: "." } },
    token_tree: { value: { is: "call", callee: calleeInTokens, literal: typeInTokens } },
    field_expression: { value: { is: "member", object: "value", name: "field" } },
    call_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    macro_invocation: { roles: { macro: "call" } },
    generic_function: { value: { is: "through", of: "function" } },
    struct_expression: {
      value: { is: "construction", type: "name" },
      roles: { name: "call" },
    },
    field_initializer: { value: { is: "member", object: structAround, name: "field" } },
    shorthand_field_initializer: { value: { is: "member", object: structAround, name: 0 } },
    index_expression: { value: { is: "element", of: 0 } },
    type_cast_expression: { value: { is: "cast", type: "type", value: "value" } },
    parenthesized_expression: FIRST,
    reference_expression: { value: { is: "through", of: "value" } },
    unary_expression: FIRST,
    try_expression: FIRST,
    await_expression: FIRST,
    unsafe_block: FIRST,
    async_block: FIRST,
    else_clause: FIRST,
    return_expression: FIRST,
    match_expression: { value: { is: "either", of: [armValue(0), armValue(1)] } },
    array_expression: { value: { is: "list", type: "array" } },
    string_literal: { value: { is: "literal", type: "str" } },
    integer_literal: { value: { is: "literal", type: "usize" } },
    float_literal: { value: { is: "literal", type: "f64" } },
    boolean_literal: { value: { is: "literal", type: "bool" } },
    self: { value: { is: "self" } },
    // Types.
    scoped_type_identifier: SCOPED,
    generic_type: {
      value: { is: "through", of: "type" },
      type: { is: "generic", name: "type", arguments: "type_arguments" },
    },
    generic_type_with_turbofish: { value: { is: "through", of: "type" } },
    bracketed_type: FIRST,
    qualified_type: { value: { is: "through", of: "type" }, type: { is: "through", of: "type" } },
    type_binding: { type: { is: "through", of: "type" }, roles: { name: "none" } },
    reference_type: { type: { is: "through", of: "type" } },
    pointer_type: { type: { is: "through", of: "type" } },
    array_type: { type: { is: "several", of: "element" } },
    abstract_type: { type: { is: "through", of: "trait" } },
    dynamic_type: { type: { is: "through", of: "trait" } },
    bounded_type: { type: { is: "through", of: 0 } },
    trait_bounds: { type: { is: "through", of: 0 }, roles: rolesOfBounds },
    higher_ranked_trait_bound: { type: { is: "through", of: "type" } },
    function_type: { type: { is: "through", of: "return_type" } },
    primitive_type: { type: { is: "builtin" } },
    // Other uses of names.
    lifetime: { isIgnored: true },
    label: { isIgnored: true },
    visibility_modifier: { isIgnored: true },
    attribute_item: { leads: true, imports: isNoDerivation },
    inner_attribute_item: { isIgnored: true },
    // Imports.
    use_declaration: { imports: readUse },
    extern_crate_declaration: { imports: readCrate },
  },
};

/** Returns the type of the only field in `struct Name(Type)` and in the variant `Name(Type)`. */
function typeOfOnlyField(node: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(node, "body");
  if (body === -1 || tree.typeName(body) !== "ordered_field_declaration_list") return -1;
  const types = tree.children(body).filter((child) => tree.fieldName(child) === "type");
  return types.length === 1 ? (types[0] ?? -1) : -1;
}

/** A variant without fields is a value of its enum. */
function unitVariant(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(node, "body") === -1 ? node : -1;
}

function boundOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(node, "bounds");
}

/** Matches `T` in `where T: Bound`. */
function isParameterOfType(node: number, tree: FlatSyntaxTree): boolean {
  const left = tree.childInField(node, "left");
  return left !== -1 && tree.isLeaf(left) && /^[A-Z][A-Z0-9]?$/.test(tree.textOf(left));
}

function matchedValue(arm: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(tree.parent(arm));
  return around === -1 ? -1 : tree.childInField(around, "value");
}

function armValue(number: number): (node: number, tree: FlatSyntaxTree) => number {
  return (node, tree) => {
    const body = tree.childInField(node, "body");
    return body === -1 ? -1 : tree.child(body, number);
  };
}

/**
 * Returns the step into a variant's fields. Wrappers of one value are transparent; other variants evaluate to
 * their field.
 */
function stepIntoVariant(node: number, tree: FlatSyntaxTree): string {
  const type = tree.childInField(node, "type");
  const path = type === -1 ? "" : tree.textOf(type);
  if (/^(?:(?:Option|Result|Poll)::)?(?:Some|Ok|Ready)$/.test(path)) return "";
  return /^[\w:]{1,80}$/.test(path) && path !== "Err" ? `=${path.replaceAll("::", ".")}` : "?";
}

function stepIntoFields(node: number, tree: FlatSyntaxTree): string {
  const type = tree.childInField(node, "type");
  const path = type === -1 ? "" : tree.textOf(type);
  return /^[\w:]{1,80}$/.test(path) ? `=@${path.replaceAll("::", ".")}` : "?";
}

/** Returns the struct literal that contains a field initializer. */
function structAround(node: number, tree: FlatSyntaxTree): number {
  return tree.parent(tree.parent(node));
}

function rolesOfBounds(node: number, tree: FlatSyntaxTree): Roles | undefined {
  const isOfTrait = tree.typeName(tree.parent(node)) === "trait_item";
  return isOfTrait ? { "*": "inherit" } : undefined;
}

/** Returns whether to skip an attribute. Only the derived traits of `derive` are names of the program. */
function isNoDerivation(node: number, { tree }: { readonly tree: FlatSyntaxTree }): boolean {
  return !tree.text.startsWith("derive", tree.start(node) + 2);
}
