import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { javascriptReferences } from "../javascript/references.ts";
import { typeWithMembers } from "../javascript/returned-objects.ts";
import { componentFields } from "./components.ts";
import { mappedType } from "./computed-types.ts";
import { typescriptShapes } from "./shapes.ts";
import type { Container, NodeRule, ReferenceRules } from "../reference-rules.ts";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };

/** A signature. Its parameters are visible only inside it. */
const SIGNATURE: NodeRule = {
  scope: "function",
  value: { is: "function", returns: "return_type", body: "body" },
};
const DECLARED_TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };

const { documented: _documented, ...undocumented } = javascriptReferences;

/** The reference rules of TypeScript and TSX. */
export const typescriptReferences: ReferenceRules = {
  ...undocumented,
  shapes: typescriptShapes,
  areTypesApart: true,
  typesOnly: ["interface_declaration", "type_alias_declaration"],
  containers: {
    Promise: WRAPPER_OF,
    PromiseLike: WRAPPER_OF,
    Awaited: WRAPPER_OF,
    Readonly: WRAPPER_OF,
    Partial: WRAPPER_OF,
    Required: WRAPPER_OF,
    NonNullable: WRAPPER_OF,
    Pick: WRAPPER_OF,
    Omit: WRAPPER_OF,
    InstanceType: WRAPPER_OF,
    WeakRef: WRAPPER_OF,
    "z.infer": WRAPPER_OF,
    "z.input": WRAPPER_OF,
    "z.output": WRAPPER_OF,
    "z.TypeOf": WRAPPER_OF,
    "v.InferInput": WRAPPER_OF,
    "v.InferOutput": WRAPPER_OF,
    Static: WRAPPER_OF,
    InferSelectModel: WRAPPER_OF,
    InferInsertModel: WRAPPER_OF,
    Array: ELEMENT_OF,
    ReadonlyArray: ELEMENT_OF,
    ArrayLike: ELEMENT_OF,
    Set: ELEMENT_OF,
    ReadonlySet: ELEMENT_OF,
    Iterable: ELEMENT_OF,
    IterableIterator: ELEMENT_OF,
    Iterator: ELEMENT_OF,
    IteratorObject: ELEMENT_OF,
    Generator: ELEMENT_OF,
    AsyncIterable: ELEMENT_OF,
    AsyncIterableIterator: ELEMENT_OF,
    AsyncGenerator: ELEMENT_OF,
    RefObject: ELEMENT_OF,
    MutableRefObject: ELEMENT_OF,
    Map: VALUE_OF,
    ReadonlyMap: VALUE_OF,
    WeakMap: VALUE_OF,
    Record: VALUE_OF,
  },
  signatureTypes: { result: "ReturnType", parameters: "Parameters" },
  nodes: {
    ...javascriptReferences.nodes,
    // Scopes and declarations.
    class: { ...javascriptReferences.nodes["class"], inheritedFields: componentFields },
    class_declaration: { ...DECLARED_TYPE, inheritedFields: componentFields },
    abstract_class_declaration: { ...DECLARED_TYPE, inheritedFields: componentFields },
    interface_declaration: DECLARED_TYPE,
    type_alias_declaration: { ...DECLARED_TYPE, holds: { type: "value" } },
    enum_declaration: DECLARED_TYPE,
    internal_module: { scope: "block" },
    module: { scope: "block" },
    function_signature: { ...SIGNATURE, declares: [{ names: "name", value: "." }] },
    method_signature: SIGNATURE,
    abstract_method_signature: SIGNATURE,
    call_signature: SIGNATURE,
    construct_signature: SIGNATURE,
    function_type: { scope: "function" },
    constructor_type: { scope: "function" },
    type_parameter: { declares: [{ names: "name", type: "constraint" }] },
    constraint: { type: { is: "through", of: 0 } },
    infer_type: { declares: [{ names: 0 }] },
    mapped_type_clause: { declares: [{ names: "name" }] },
    index_signature: { scope: "block", declares: [{ names: "name", in: "own" }] },
    import_alias: { declares: [{ names: 0, value: 1 }] },
    public_field_definition: { holds: { type: "type", value: "value" } },
    property_signature: { holds: { type: "type" } },
    enum_body: { holds: "self" },
    enum_assignment: { holds: "self" },
    // Expressions.
    as_expression: { value: { is: "cast", type: 1, value: 0 } },
    satisfies_expression: { value: { is: "cast", type: satisfiedType, value: 0 } },
    type_assertion: { value: { is: "cast", type: 0, value: 1 } },
    non_null_expression: { value: { is: "through", of: 0 } },
    instantiation_expression: { value: { is: "through", of: 0 } },
    nested_identifier: { value: { is: "member", object: "object", name: "property" } },
    // Types.
    type_annotation: { type: { is: "through", of: 0 } },
    type_arguments: { isType: true, type: { is: "through", of: 0 } },
    nested_type_identifier: {
      value: { is: "member", object: "module", name: "name" },
      type: { is: "path" },
    },
    generic_type: { type: { is: "generic", name: "name", arguments: "type_arguments" } },
    array_type: { type: { is: "several", of: 0 } },
    readonly_type: { type: { is: "through", of: 0 } },
    parenthesized_type: { type: { is: "through", of: 0 } },
    optional_type: { type: { is: "through", of: 0 } },
    tuple_type: { type: { is: "tuple" } },
    object_type: { type: { is: "through", of: mappedType } },
    union_type: { type: { is: "union" } },
    intersection_type: { type: { is: "all" } },
    literal_type: { type: { is: "through", of: 0 } },
    predefined_type: {
      type: { is: "builtin", except: ["any", "unknown", "void", "never", "object"] },
    },
    template_literal_type: { type: { is: "literal", type: "string" } },
    null: { type: { is: "nothing" } },
    undefined: { type: { is: "nothing" } },
    string: { value: { is: "literal", type: "string" }, type: { is: "literal", type: "string" } },
    number: { value: { is: "literal", type: "number" }, type: { is: "literal", type: "number" } },
    true: { value: { is: "literal", type: "boolean" }, type: { is: "literal", type: "boolean" } },
    false: { value: { is: "literal", type: "boolean" }, type: { is: "literal", type: "boolean" } },
    this_type: { type: { is: "self" } },
    type_query: { type: { is: "value", of: 0 }, isType: true },
    lookup_type: { type: { is: "member", of: 0, name: 1 } },
    type_predicate: { type: { is: "literal", type: "boolean" } },
    type_predicate_annotation: { type: { is: "through", of: 0 } },
    asserts: { roles: { "*": "none" } },
    // Other uses of names.
    class_heritage: {},
    extends_clause: { roles: { value: "inherit" } },
    implements_clause: { roles: { "*": "inherit" } },
    extends_type_clause: { roles: { type: "inherit" } },
  },
};

/** Returns the type that a literal has to satisfy; -1 for other values. */
function satisfiedType(expression: number, tree: FlatSyntaxTree): number {
  const value = tree.child(expression, 0);
  const isLiteral = value !== -1 && /^(?:object|as_expression)$/.test(tree.typeName(value));
  return isLiteral ? typeWithMembers(expression, tree) : -1;
}
