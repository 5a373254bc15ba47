import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Declaration, NodeRule, ReferenceRules, TypeRule } from "../reference-rules.ts";
import {
  builtinValue,
  LISTS,
  listedType,
  readZigImport,
  readImportedText,
  readOpened,
} from "./builtins.ts";
import { expectedValue } from "./expected.ts";
import { parameterMarks } from "./marks.ts";
import {
  branch,
  brokenValue,
  captured,
  caseValue,
  nthName,
  fieldType,
  initialValue,
  isAlternative,
  declares,
  isWholeType,
  iterated,
  matched,
  resultType,
  returnedType,
  valueOfOne,
} from "./nodes.ts";

/** A type is a value, and is also written for an object of it. */
const AS_VALUE: TypeRule = { is: "value", of: ".", isInstance: true };
const CONTAINER: NodeRule = { scope: "type" };
const BLOCK: NodeRule = { scope: "block" };
const LABEL: NodeRule = { isIgnored: true };
const FIRST: NodeRule = { value: { is: "through", of: 0 }, type: { is: "through", of: 0 } };
const DECLARED: Declaration = {
  names: nthName(0),
  type: "type",
  value: valueOfOne,
  when: declares,
};
const CAPTURED: Declaration = { names: captured(0), value: "condition", in: "own" };
const FAILURE: Declaration = { names: captured(0), in: "own" };
const IF: NodeRule = {
  scope: scopeOfCapture,
  declares: [CAPTURED],
  value: { is: "either", of: [branch(0), branch(1)] },
};
const FOR: NodeRule = {
  scope: "block",
  declares: [0, 1, 2].map((at) => ({
    names: captured(at),
    value: iterated(at),
    step: "[]",
    in: "own",
  })),
};
const WHILE: NodeRule = { scope: scopeOfCapture, declares: [CAPTURED] };
const RESULT = { ok: "type", error: "type" } as const;
const LABELLED: NodeRule = { value: { is: "through", of: brokenValue } };
/** As a value, a type is an object of it too. */
const TYPE_VALUE = { is: "construction", type: "." } as const;
const SEVERAL: NodeRule = {
  value: TYPE_VALUE,
  type: { is: "several", of: -1, when: isWholeType },
};

export const zigReferences: ReferenceRules = {
  names: { identifier: "value" },
  ignored: ["_"],
  members: "all",
  selectedType: listedType,
  distinctions: { ofDefinition: parameterMarks },
  containers: Object.fromEntries(
    Object.entries(LISTS).flatMap(([name, argument]) =>
      [name, `std.${name}`].map((one) => [one, { argument, isCollection: true }] as const),
    ),
  ),
  nodes: {
    // The file is a structure. As a value, the node is the object that has all errors.
    source_file: {
      self: () => ({ type: "." }),
      type: { is: "literal", type: "struct" },
      value: { is: "literal", type: "error" },
    },
    // Scopes and declarations.
    struct_declaration: CONTAINER,
    union_declaration: CONTAINER,
    enum_declaration: CONTAINER,
    opaque_declaration: CONTAINER,
    error_set_declaration: CONTAINER,
    container_field: {
      isKey: true,
      isType: "type",
      holds: { type: fieldType },
      type: { is: "self" },
    },
    function_declaration: {
      // The members of a generic type are not those of a function.
      scope: (node, tree) => (returnedType(node, tree) === -1 ? "function" : "block"),
      roles: { type: "type" },
      value: { is: "function", returns: resultType, body: [] },
    },
    function_signature: { scope: "function", roles: { type: "type" } },
    test_declaration: { scope: "function" },
    parameter: {
      declares: [{ names: "name", type: "type", isParameter: true }],
      isType: "type",
    },
    variable_declaration: {
      imports: readZigImport,
      declares: [
        DECLARED,
        { names: nthName(1), when: declares },
        { names: nthName(2), when: declares },
      ],
      isType: "type",
      holds: { type: "type", value: initialValue },
    },
    block: BLOCK,
    if_statement: IF,
    if_expression: IF,
    else_clause: { scope: scopeOfCapture, declares: [FAILURE] },
    while_statement: WHILE,
    while_expression: WHILE,
    for_statement: FOR,
    for_expression: FOR,
    switch_case: { scope: "block", declares: [{ names: captured(0), value: matched, in: "own" }] },
    switch_expression: { value: { is: "either", of: [caseValue(0), caseValue(1), caseValue(2)] } },
    catch_expression: {
      scope: scopeOfCapture,
      declares: [FAILURE],
      value: { is: "through", of: 0 },
    },
    errdefer_statement: { scope: "block", declares: [FAILURE] },
    labeled_statement: LABELLED,
    labeled_type_expression: LABELLED,
    block_label: LABEL,
    break_label: LABEL,
    // Expressions.
    field_expression: {
      value: { is: "member", object: "object", name: "member", expected: expectedValue },
      type: AS_VALUE,
    },
    identifier: { type: AS_VALUE },
    call_expression: {
      value: { is: "call", callee: "function", arguments: "." },
      type: { is: "generic", name: "function", arguments: "." },
      roles: { function: "call" },
    },
    index_expression: { value: { is: "element", of: "object", when: isOneElement } },
    struct_initializer: { value: { is: "construction", type: 0 }, roles: { "0": "call" } },
    anonymous_struct_initializer: { value: { is: "expected", from: expectedValue } },
    error_type: { value: { is: "member", object: () => 0, name: 0 } },
    null_coercion_expression: FIRST,
    dereference_expression: FIRST,
    try_expression: FIRST,
    comptime_expression: FIRST,
    parenthesized_expression: FIRST,
    return_expression: FIRST,
    expression_statement: FIRST,
    unary_expression: { value: { is: "through", of: "argument" } },
    binary_expression: {
      value: { is: "either", of: ["left", "right"], when: isAlternative },
    },
    builtin_function: {
      value: { is: "through", of: builtinValue },
      type: { is: "through", of: builtinValue },
    },
    arguments: { value: { is: "self" }, type: AS_VALUE },
    // Types.
    error_union_type: {
      value: TYPE_VALUE,
      type: { is: "through", of: "ok" },
      // The grammar also takes `!value` for one.
      roles: (node, tree) => (tree.fieldName(node) === "type" ? RESULT : undefined),
    },
    nullable_type: { value: TYPE_VALUE, type: { is: "through", of: 0 }, isType: true },
    pointer_type: { value: TYPE_VALUE, type: { is: "through", of: -1 }, isType: true },
    builtin_type: { type: { is: "builtin", except: ["type", "anytype", "anyopaque"] } },
    slice_type: SEVERAL,
    array_type: SEVERAL,
    // Imports.
    using_namespace_declaration: { imports: readOpened },
    string: { imports: readImportedText, value: { is: "call", callee: [] } },
  },
};

/** A node without names between bars needs no scope. */
function scopeOfCapture(node: number, tree: FlatSyntaxTree): "block" | undefined {
  return captured(0)(node, tree) === -1 ? undefined : "block";
}

/** Returns false for `list[1..2]`. */
function isOneElement(node: number, tree: FlatSyntaxTree): boolean {
  const index = tree.childInField(node, "index");
  return index === -1 || tree.typeName(index) !== "range_expression";
}
