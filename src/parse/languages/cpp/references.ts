import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { cReferences, enumAround, isOfFunction } from "../c/references.ts";
import type { Container, NodeRule, ReferenceRules } from "../reference-rules.ts";
import { cppOverloads, functionDeclaratorIn } from "./overloads.ts";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };
const NAMED: NodeRule = { value: { is: "through", of: "name" } };
/** The name may be qualified: `a::b::name`. */
const SCOPED: NodeRule = { value: { is: "member", object: scopeOf, name: "." } };
const TYPE_PARAMETER: NodeRule = { declares: [{ names: 0 }] };
const CLASS: NodeRule = {
  ...cReferences.nodes["struct_specifier"],
  self: "own",
};

export const cppReferences: ReferenceRules = {
  ...cReferences,
  names: { ...cReferences.names, namespace_identifier: "value" },
  members: "all",
  scopeSeparator: "::",
  overloads: cppOverloads,
  ignored: [
    ...(cReferences.ignored ?? []),
    "static_cast",
    "dynamic_cast",
    "reinterpret_cast",
    "const_cast",
    "override",
    "final",
  ],
  containers: {
    unique_ptr: WRAPPER_OF,
    shared_ptr: WRAPPER_OF,
    weak_ptr: WRAPPER_OF,
    optional: WRAPPER_OF,
    reference_wrapper: WRAPPER_OF,
    atomic: WRAPPER_OF,
    future: WRAPPER_OF,
    vector: ELEMENT_OF,
    array: ELEMENT_OF,
    deque: ELEMENT_OF,
    list: ELEMENT_OF,
    forward_list: ELEMENT_OF,
    set: ELEMENT_OF,
    multiset: ELEMENT_OF,
    unordered_set: ELEMENT_OF,
    span: ELEMENT_OF,
    queue: ELEMENT_OF,
    stack: ELEMENT_OF,
    initializer_list: ELEMENT_OF,
    map: VALUE_OF,
    multimap: VALUE_OF,
    unordered_map: VALUE_OF,
  },
  collectionMembers: {
    at: "element",
    front: "element",
    back: "element",
    top: "element",
    // What an iterator points to.
    begin: "element",
    find: "element",
  },
  nodes: {
    ...cReferences.nodes,
    // Scopes and declarations.
    function_definition: {
      scope: "function",
      self: selfOf,
      value: { is: "function", returns: returnedBy, body: "body" },
      roles: { declarator: "none" },
    },
    lambda_expression: {
      scope: "function",
      value: { is: "function", returns: returnedBy, body: "body" },
    },
    lambda_capture_initializer: { declares: [{ names: "left", value: "right" }] },
    template_declaration: { scope: "block" },
    type_parameter_declaration: TYPE_PARAMETER,
    variadic_type_parameter_declaration: TYPE_PARAMETER,
    optional_type_parameter_declaration: { declares: [{ names: "name" }] },
    catch_clause: { scope: "block" },
    if_statement: { scope: "block" },
    while_statement: { scope: "block" },
    switch_statement: { scope: "block" },
    for_range_loop: {
      scope: "block",
      declares: [
        { names: "declarator", type: "type", when: isTyped, in: "own" },
        { names: "declarator", value: "right", step: "[]", when: isAuto, in: "own" },
      ],
    },
    declaration: {
      declares: [
        { names: "declarator", type: "type", when: isTyped },
        // The variable of a condition.
        { names: "declarator", value: "value", when: isAuto },
      ],
      holds: { type: returnedBy, value: "value" },
      roles: { declarator: "none" },
    },
    init_declarator: {
      pattern: { is: "through", of: "declarator" },
      declares: [{ names: "declarator", value: "value", when: isOfAuto }],
      holds: { type: typeAround, value: "value" },
      value: { is: "through", of: "declarator" },
      roles: { declarator: "none" },
    },
    field_declaration: {
      holds: { type: returnedBy, value: "default_value" },
      roles: { declarator: "none" },
    },
    optional_parameter_declaration: {
      declares: [
        { names: "declarator", type: "type", when: isOfFunctionOrTemplate, isParameter: true },
      ],
      roles: { declarator: "none" },
    },
    parameter_declaration: {
      declares: [
        { names: "declarator", type: "type", when: isOfFunctionOrTemplate, isParameter: true },
      ],
      type: { is: "through", of: "type" },
      roles: { declarator: "none" },
    },
    variadic_parameter_declaration: {
      declares: [{ names: "declarator", when: isOfFunctionOrTemplate, isParameter: true }],
      roles: { declarator: "none" },
    },
    alias_declaration: {
      declares: [{ names: "name", type: "type" }],
      holds: { type: "type" },
      roles: { name: "none" },
    },
    class_specifier: CLASS,
    enumerator: {
      holds: {
        type: (node, tree) => (scopedEnum(node, tree) === -1 ? enumAround(node, tree) : -1),
      },
      roles: { name: "none" },
    },
    namespace_definition: { roles: { name: "none" } },
    namespace_alias_definition: { declares: [{ names: "name", value: 1 }] },
    nested_namespace_specifier: { isIgnored: true },
    concept_definition: { roles: { name: "none" } },
    // Patterns.
    reference_declarator: {
      pattern: { is: "through", of: 0 },
      value: { is: "through", of: 0 },
    },
    variadic_declarator: {
      pattern: { is: "through", of: 0 },
      value: { is: "through", of: 0 },
    },
    structured_binding_declarator: { pattern: { is: "each", step: "?" } },
    destructor_name: { roles: { "*": "none" }, value: { is: "through", of: 0 } },
    // Expressions.
    this: { value: { is: "self" } },
    identifier: SCOPED,
    type_identifier: SCOPED,
    namespace_identifier: SCOPED,
    field_identifier: { value: { is: "member", object: objectOf, name: "." } },
    qualified_identifier: { ...NAMED, type: { is: "through", of: "name" } },
    template_function: {
      value: { is: "cast", type: castType, value: "name" },
      type: { is: "generic", name: "name", arguments: "arguments" },
    },
    template_method: NAMED,
    template_type: {
      value: { is: "through", of: "name" },
      type: { is: "generic", name: "name", arguments: "arguments" },
    },
    dependent_name: { value: { is: "through", of: 0 }, type: { is: "through", of: 0 } },
    dependent_type: { type: { is: "through", of: 0 } },
    placeholder_type_specifier: {},
    field_initializer: { value: { is: "member", object: initializedObject, name: 0 } },
    field_initializer_list: { value: { is: "self" } },
    subscript_expression: { value: { is: "element", of: "argument" } },
    new_expression: { value: { is: "construction", type: "type" }, roles: { type: "call" } },
    compound_literal_expression: {
      value: { is: "construction", type: "type" },
      roles: { type: "call" },
    },
    co_await_expression: { value: { is: "through", of: 0 } },
    parameter_pack_expansion: { value: { is: "through", of: "pattern" } },
    // Other uses of names.
    base_class_clause: { roles: { "*": "inherit" } },
    template_argument_list: { isType: true },
    friend_declaration: {},
  },
};

const WRAPPERS = new Set([
  "template_type",
  "template_function",
  "dependent_name",
  "template_method",
]);

/** Returns the scope of a name: `b` in `a::b::name<int>`; for `b` itself, `a`. */
function scopeOf(leaf: number, tree: FlatSyntaxTree): number {
  let node = leaf;
  let around = tree.parent(node);
  while (around !== -1 && WRAPPERS.has(tree.typeName(around)) && tree.child(around, 0) === node) {
    node = around;
    around = tree.parent(node);
  }
  if (around === -1) return -1;
  if (tree.typeName(around) === "enumerator") return scopedEnum(around, tree);
  if (tree.typeName(around) !== "qualified_identifier") return -1;
  if (tree.fieldName(node) === "name") return tree.childInField(around, "scope");
  if (tree.fieldName(around) !== "name") return -1;
  const outer = tree.parent(around);
  if (outer === -1 || tree.typeName(outer) !== "qualified_identifier") return -1;
  return tree.childInField(outer, "scope");
}

/** Returns the name of an `enum class`, whose enumerators are only visible through it. */
function scopedEnum(enumerator: number, tree: FlatSyntaxTree): number {
  const specifier = tree.parent(tree.parent(enumerator));
  const name = tree.childInField(specifier, "name");
  if (name === -1) return -1;
  const head = tree.text.slice(tree.start(specifier), tree.start(name));
  return /^enum\s+(?:class|struct)\b/.test(head) ? name : -1;
}

/** Returns the receiver in `object.name<int>()`. */
function objectOf(leaf: number, tree: FlatSyntaxTree): number {
  const method = tree.parent(leaf);
  if (method === -1 || tree.typeName(method) !== "template_method") return -1;
  const access = tree.parent(method);
  if (access === -1 || tree.typeName(access) !== "field_expression") return -1;
  return tree.childInField(access, "argument");
}

/**
 * Returns the object whose field an initializer sets, where a parameter has the name of the field: `: size(size)`.
 * Otherwise the bare name is enough, which may also be a base class.
 */
function initializedObject(node: number, tree: FlatSyntaxTree): number {
  const list = tree.parent(node);
  const declarator = tree.childInField(tree.parent(list), "declarator");
  const parameters = declarator === -1 ? -1 : tree.childInField(declarator, "parameters");
  if (parameters === -1) return -1;
  const name = tree.textOf(tree.child(node, 0));
  const end = tree.next(parameters);
  for (let leaf = parameters + 1; leaf < end; leaf += 1) {
    if (tree.isLeaf(leaf) && tree.typeName(leaf) === "identifier" && tree.textOf(leaf) === name) {
      return list;
    }
  }
  return -1;
}

/** Returns `Foo` of `void Foo::run() {…}`. */
function selfOf(node: number, tree: FlatSyntaxTree): { readonly type: () => number } | undefined {
  const name = declaredName(node, tree);
  if (name === -1 || tree.typeName(name) !== "qualified_identifier") return undefined;
  let inner = name;
  for (;;) {
    const next = tree.childInField(inner, "name");
    if (next === -1 || tree.typeName(next) !== "qualified_identifier") break;
    inner = next;
  }
  const type = tree.childInField(inner, "scope");
  return { type: () => type };
}

/** Returns the declared name of a function, below pointers and references of its return type. */
function declaredName(node: number, tree: FlatSyntaxTree): number {
  const declarator = functionDeclaratorIn(node, tree);
  return declarator === -1 ? -1 : tree.childInField(declarator, "declarator");
}

/** Returns the return type before the name or after `->`; for a constructor, the class. */
function returnedBy(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  if (type !== -1 && tree.typeName(type) !== "placeholder_type_specifier") return type;
  let declarator = tree.childInField(node, "declarator");
  for (let left = 8; left > 0 && declarator !== -1; left -= 1) {
    const [trailing] = tree.childrenOfType(declarator, "trailing_return_type");
    if (trailing !== undefined) return tree.child(trailing, 0);
    if (tree.typeName(declarator).endsWith("function_declarator")) break;
    declarator = tree.child(declarator, -1);
  }
  return type === -1 ? classOf(node, tree) : -1;
}

function classOf(node: number, tree: FlatSyntaxTree): number {
  const list = tree.parent(node);
  if (list === -1 || tree.typeName(list) !== "field_declaration_list") return -1;
  const name = declaredName(node, tree);
  const type = tree.childInField(tree.parent(list), "name");
  return name !== -1 && type !== -1 && tree.textOf(name) === tree.textOf(type) ? type : -1;
}

function isAuto(node: number, tree: FlatSyntaxTree): boolean {
  const type = tree.childInField(node, "type");
  return type !== -1 && tree.typeName(type) === "placeholder_type_specifier";
}

function isTyped(node: number, tree: FlatSyntaxTree): boolean {
  return !isAuto(node, tree);
}

function isOfAuto(node: number, tree: FlatSyntaxTree): boolean {
  return isAuto(tree.parent(node), tree);
}

function typeAround(node: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(node);
  return isAuto(around, tree) ? -1 : tree.childInField(around, "type");
}

function isOfFunctionOrTemplate(node: number, tree: FlatSyntaxTree): boolean {
  const around = tree.typeName(tree.parent(node));
  return around === "template_parameter_list" || isOfFunction(node, tree);
}

const RETURNS_ARGUMENT =
  /^(?:(?:static|dynamic|const|reinterpret)_(?:pointer_)?cast|any_cast|down_cast|bit_cast|make_unique|make_shared|allocate_shared)$/;

/** Returns `Foo` of `static_cast<Foo*>` and `make_unique<Foo>`. */
function castType(node: number, tree: FlatSyntaxTree): number {
  const name = tree.childInField(node, "name");
  if (name === -1 || !RETURNS_ARGUMENT.test(tree.textOf(name))) return -1;
  const list = tree.childInField(node, "arguments");
  return list === -1 ? -1 : tree.child(list, 0);
}
