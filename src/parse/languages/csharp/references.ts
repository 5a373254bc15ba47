import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { callbacksOf, passedFunction } from "./callbacks.ts";
import type { Container, Declaration, NodeRule, ReferenceRules } from "../reference-rules.ts";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };
const EACH = ["[]"];

const BLOCK: NodeRule = { scope: "block" };
const TYPE: NodeRule = { scope: "type", self: "own", declares: [{ names: "name" }] };
const TYPED: NodeRule = { roles: { type: "type" } };
const NAMED: Declaration = { names: "name", type: siblingType };
const FUNCTION: NodeRule = {
  scope: "function",
  value: { is: "function", returns: ["returns", "type"], body: "body" },
  roles: { returns: "type", type: "type", name: "none" },
};
const PATTERN: NodeRule = { declares: [NAMED], roles: { type: "type" } };
const INNER_TYPE: NodeRule = { type: { is: "through", of: "type" }, roles: { type: "type" } };

export const csharpReferences: ReferenceRules = {
  names: { identifier: "value", implicit_parameter: "value" },
  keywords: ["this", "base"],
  returns: ["return_statement"],
  blocks: ["block"],
  members: "all",
  areTypesApart: true,
  isSequential: true,
  package: { node: ["namespace_declaration", "file_scoped_namespace_declaration"], name: "name" },
  distinctions: { ofDefinition: markOf, ofUse: typeArgumentsOf },
  ignored: ["nameof", "var", "value", "dynamic", "_", "global"],
  containers: {
    ...byName("Task ValueTask Nullable Lazy Func ThreadLocal AsyncLocal WeakReference", WRAPPER_OF),
    ...byName(
      "List IList IReadOnlyList ICollection IReadOnlyCollection Collection IEnumerable IAsyncEnumerable IEnumerator HashSet ISet SortedSet Queue Stack LinkedList ConcurrentQueue ConcurrentBag ConcurrentStack IQueryable ImmutableArray ImmutableList ObservableCollection Span ReadOnlySpan Memory ReadOnlyMemory",
      ELEMENT_OF,
    ),
    ...byName(
      "Dictionary IDictionary IReadOnlyDictionary SortedDictionary ConcurrentDictionary SortedList ImmutableDictionary KeyedCollection",
      VALUE_OF,
    ),
  },
  passedFunction,
  callbacks: byName(
    "Where Select SelectMany Any All First FirstOrDefault Single SingleOrDefault Last LastOrDefault Count OrderBy OrderByDescending ThenBy GroupBy ToDictionary ToLookup ForEach Find FindAll FindIndex Exists RemoveAll Sum Max Min TakeWhile SkipWhile",
    EACH,
  ),
  collectionMembers: {
    ...byName(
      "Where OrderBy OrderByDescending ThenBy Reverse Distinct Take Skip TakeWhile SkipWhile ToList ToArray AsEnumerable Concat Union Except Intersect Values FindAll",
      "same",
    ),
    ...byName(
      "First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt ElementAtOrDefault Find Dequeue Peek Pop GetValueOrDefault Max Min",
      "element",
    ),
  },
  nodes: {
    // Scopes and declarations.
    class_declaration: TYPE,
    struct_declaration: TYPE,
    interface_declaration: TYPE,
    enum_declaration: TYPE,
    record_declaration: TYPE,
    delegate_declaration: { ...FUNCTION, holds: { type: "type" } },
    method_declaration: FUNCTION,
    constructor_declaration: { scope: "function", roles: { name: "none" } },
    destructor_declaration: { scope: "function", roles: { name: "none" } },
    operator_declaration: FUNCTION,
    conversion_operator_declaration: FUNCTION,
    indexer_declaration: { ...FUNCTION, holds: { type: "type" } },
    local_function_statement: { ...FUNCTION, declares: [{ names: "name", value: "." }] },
    accessor_declaration: { scope: "function" },
    lambda_expression: {
      scope: "function",
      value: { is: "function", body: "body" },
      declares: [{ names: implicitParameter, in: "own", isParameter: true }],
    },
    anonymous_method_expression: { scope: "function" },
    implicit_parameter: {},
    parameter: {
      declares: [{ ...NAMED, isParameter: true }],
      holds: { type: "type" },
      roles: { type: "type" },
    },
    // The parameter after `params` has no node of its own: its parts are children of the list.
    parameter_list: { declares: [{ ...NAMED, isParameter: true }], roles: { type: "type" } },
    type_parameter: { declares: [{ names: "name" }] },
    property_declaration: { holds: { type: "type" }, roles: { type: "type" } },
    event_declaration: { holds: { type: "type" }, roles: { type: "type" } },
    variable_declaration: TYPED,
    variable_declarator: {
      declares: [{ names: "name", type: typeOfVariable, value: valueOfVariable }],
      holds: { type: typeOfVariable, value: valueOfVariable },
    },
    enum_member_declaration: { holds: "self" },
    foreach_statement: {
      scope: "block",
      declares: [{ names: "left", type: siblingType, value: "right", step: "[]", in: "own" }],
      roles: { type: "type" },
    },
    block: BLOCK,
    for_statement: BLOCK,
    using_statement: BLOCK,
    switch_section: BLOCK,
    switch_expression_arm: BLOCK,
    catch_clause: BLOCK,
    catch_declaration: PATTERN,
    declaration_expression: PATTERN,
    declaration_pattern: PATTERN,
    var_pattern: { declares: [{ names: "name" }] },
    recursive_pattern: PATTERN,
    type_pattern: TYPED,
    from_clause: {
      declares: [{ names: "name", type: siblingType, value: -1, step: "[]" }],
      roles: { type: "type" },
    },
    let_clause: { declares: [{ names: 0, value: -1 }] },
    // Expressions.
    this: { value: { is: "self" } },
    base: { value: { is: "base" } },
    identifier: { value: { is: "member", object: objectOf, name: "." } },
    member_access_expression: { value: { is: "member", object: "expression", name: "name" } },
    member_binding_expression: { value: { is: "member", object: conditionAround, name: "name" } },
    conditional_access_expression: { value: { is: "through", of: -1 } },
    invocation_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    object_creation_expression: {
      value: { is: "construction", type: "type" },
      roles: { type: "call" },
    },
    array_creation_expression: { value: { is: "construction", type: "type" } },
    implicit_object_creation_expression: {},
    element_access_expression: { value: { is: "element", of: "expression" } },
    await_expression: { value: { is: "through", of: 0 } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    postfix_unary_expression: { value: { is: "through", of: 0 } },
    checked_expression: { value: { is: "through", of: 0 } },
    cast_expression: {
      value: { is: "cast", type: "type", value: "value" },
      roles: { type: "type" },
    },
    as_expression: {
      value: { is: "cast", type: "right", value: "left" },
      roles: { right: "type" },
    },
    is_expression: { value: { is: "literal", type: "bool" }, roles: { right: "type" } },
    conditional_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    binary_expression: { value: { is: "either", of: ["left", "right"], when: isCoalescing } },
    assignment_expression: { value: { is: "through", of: "right" } },
    default_expression: { value: { is: "construction", type: "type" }, roles: { type: "type" } },
    typeof_expression: { value: { is: "literal", type: "Type" }, roles: { type: "type" } },
    sizeof_expression: TYPED,
    string_literal: { value: { is: "literal", type: "string" } },
    verbatim_string_literal: { value: { is: "literal", type: "string" } },
    raw_string_literal: { value: { is: "literal", type: "string" } },
    interpolated_string_expression: { value: { is: "literal", type: "string" } },
    integer_literal: { value: { is: "literal", type: "int" } },
    real_literal: { value: { is: "literal", type: "double" } },
    boolean_literal: { value: { is: "literal", type: "bool" } },
    character_literal: { value: { is: "literal", type: "char" } },
    predefined_type: {
      value: { is: "cast", type: ".", value: "." },
      type: { is: "builtin", except: ["void", "object"] },
    },
    // Types.
    qualified_name: {
      value: { is: "member", object: "qualifier", name: "name" },
      type: { is: "through", of: "name" },
      imports: isNameOfNamespace,
    },
    generic_name: { type: { is: "generic", name: 0, arguments: 1 } },
    type_argument_list: { isType: true },
    nullable_type: INNER_TYPE,
    array_type: { type: { is: "several", of: "type" }, roles: { type: "type" } },
    pointer_type: INNER_TYPE,
    ref_type: INNER_TYPE,
    scoped_type: INNER_TYPE,
    tuple_element: { roles: { type: "type", name: "none" } },
    type_parameter_constraints_clause: { isType: true },
    explicit_interface_specifier: { isType: true },
    // Other uses of names.
    base_list: { roles: { "*": "inherit" } },
    primary_constructor_base_type: { roles: { type: "inherit" } },
    namespace_declaration: { roles: { name: "none" } },
    file_scoped_namespace_declaration: { roles: { name: "none" } },
    attribute: {
      roles: { name: "call" },
      means: (name) => (name.endsWith("Attribute") ? name : `${name}Attribute`),
    },
    attribute_target_specifier: { isIgnored: true },
    attribute_argument: { roles: { name: "none" } },
    argument: { roles: { name: "none" } },
    subpattern: { roles: { name: "none" } },
    labeled_statement: { roles: { "0": "none" } },
    goto_statement: { roles: { "*": "none" } },
    preproc_region: { isIgnored: true },
    preproc_endregion: { isIgnored: true },
    preproc_if: { roles: { condition: "none" } },
    preproc_elif: { roles: { condition: "none" } },
    preproc_define: { isIgnored: true },
    preproc_undef: { isIgnored: true },
    preproc_pragma: { isIgnored: true },
    extern_alias_directive: { isIgnored: true },
    // Imports.
    using_directive: { imports: readUsing },
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

/**
 * Types of one name differ in the number of their type parameters: `Response` and `Response<T>`. Extension methods have the
 * type that they extend: `this string`. Other methods have what they pass to functions that they are called with.
 */
function markOf(node: number, tree: FlatSyntaxTree): string {
  const kind = tree.typeName(node);
  if (kind === "method_declaration") return extendedType(node, tree) || callbacksOf(node, tree);
  if (!/^(?:class|struct|interface|record|delegate)_declaration$/.test(kind)) return "";
  const [list] = tree.childrenOfType(node, "type_parameter_list");
  return list === undefined ? "" : `<${tree.childrenOfType(list, "type_parameter").length}>`;
}

function extendedType(method: number, tree: FlatSyntaxTree): string {
  const list = tree.childInField(method, "parameters");
  const first = list === -1 ? -1 : tree.child(list, 0);
  const type = first === -1 ? -1 : tree.childInField(first, "type");
  if (type === -1 || !/^\s*this\s/.test(tree.text.slice(tree.start(first), tree.start(type))))
    return "";
  return `this ${tree
    .textOf(type)
    .replace(/[<?].*/s, "")
    .replace(/^.*\./, "")}`;
}

function typeArgumentsOf(leaf: number, tree: FlatSyntaxTree): string | undefined {
  const around = tree.parent(leaf);
  if (around === -1 || tree.typeName(around) !== "generic_name") return undefined;
  const [list] = tree.childrenOfType(around, "type_argument_list");
  if (list === undefined) return undefined;
  // `typeof(Pair<,>)` has none of its own.
  const count = tree.children(list).length || tree.textOf(list).split(",").length;
  return `<${count}>`;
}

/** Returns the type before a name; -1 for `var`. */
function siblingType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  return type === -1 || tree.typeName(type) === "implicit_type" ? -1 : type;
}

function typeOfVariable(node: number, tree: FlatSyntaxTree): number {
  return siblingType(tree.parent(node), tree);
}

function valueOfVariable(node: number, tree: FlatSyntaxTree): number {
  const last = tree.child(node, -1);
  return last === tree.childInField(node, "name") ? -1 : last;
}

function implicitParameter(node: number, tree: FlatSyntaxTree): number {
  const parameters = tree.childInField(node, "parameters");
  return parameters !== -1 && tree.typeName(parameters) === "implicit_parameter" ? parameters : -1;
}

/**
 * Returns the receiver or qualifier of a name that is not its sibling: in `a.Name<T>`, in namespace names,
 * and in `new Foo { Name = 1 }`.
 */
function objectOf(leaf: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(leaf);
  if (around === -1) return -1;
  const type = tree.typeName(around);
  if (type === "assignment_expression") return initialized(leaf, around, tree);
  if (type === "qualified_name") return qualifierOf(leaf, around, tree);
  if (type !== "generic_name" || tree.child(around, 0) !== leaf) return -1;
  const outer = tree.parent(around);
  if (outer === -1 || tree.fieldName(around) !== "name") return -1;
  const outerType = tree.typeName(outer);
  if (outerType === "member_access_expression") return tree.childInField(outer, "expression");
  if (outerType === "member_binding_expression") return conditionAround(outer, tree);
  return outerType === "qualified_name" ? tree.childInField(outer, "qualifier") : -1;
}

function qualifierOf(leaf: number, around: number, tree: FlatSyntaxTree): number {
  return tree.fieldName(leaf) === "name" ? tree.childInField(around, "qualifier") : -1;
}

function initialized(leaf: number, assignment: number, tree: FlatSyntaxTree): number {
  if (tree.fieldName(leaf) !== "left") return -1;
  const list = tree.parent(assignment);
  if (list === -1 || tree.typeName(list) !== "initializer_expression") return -1;
  const around = tree.parent(list);
  return around !== -1 && tree.typeName(around).endsWith("object_creation_expression")
    ? around
    : -1;
}

/** Returns `a` of `a?.b.c()`. */
function conditionAround(node: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(node);
  for (let left = 20; left > 0 && around !== -1; left -= 1) {
    if (tree.typeName(around) === "conditional_access_expression") {
      return tree.childInField(around, "condition");
    }
    around = tree.parent(around);
  }
  return -1;
}

function isCoalescing(node: number, tree: FlatSyntaxTree): boolean {
  const [left = -1, right = -1] = tree.children(node);
  return right !== -1 && tree.textBetween(left, right).includes("??");
}

function isNameOfNamespace(node: number, { tree }: ImportReader): boolean {
  let around = tree.parent(node);
  while (around !== -1 && tree.typeName(around) === "qualified_name") around = tree.parent(around);
  return /^(?:file_scoped_)?namespace_declaration$/.test(tree.typeName(around));
}

function readUsing(node: number, { tree, add }: ImportReader): boolean {
  const alias = tree.childInField(node, "name");
  const path = tree.child(node, -1);
  if (path === -1 || path === alias) return true;
  const module = tree.textOf(path).replaceAll(/\s|^global::/g, "");
  if (alias === -1) {
    add({ node, module, bindings: [], isWildcard: true });
    return true;
  }
  const name = module.replace(/<.*/s, "").replace(/^.*\./s, "");
  const last = tree.isLeaf(path) ? path : tree.childInField(path, "name");
  const leaf = last !== -1 && tree.isLeaf(last) ? last : -1;
  add({ node, module, bindings: [{ name, local: tree.textOf(alias), node: leaf }] });
  return true;
}
