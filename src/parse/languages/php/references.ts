import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Declaration, NodeRule, ReferenceRules, Roles } from "../reference-rules.ts";

const TYPE: NodeRule = { scope: "type", self: "own" };
const PARAMETER: Declaration = { names: "name", type: "type", isParameter: true };
const FUNCTION: NodeRule = {
  scope: "function",
  value: { is: "function", returns: "return_type", body: "body" },
  roles: { name: "none" },
};
const CALL_OF_MEMBER: NodeRule = {
  value: { is: "invocation", object: "object", name: "name", arguments: "arguments" },
};
const MEMBER: NodeRule = { value: { is: "member", object: "object", name: "name" } };
const INHERITING: NodeRule = { roles: { "*": "inherit" } };
const LOADING: NodeRule = { imports: readRequire };
const IGNORED: NodeRule = { isIgnored: true };

export const phpReferences: ReferenceRules = {
  names: { name: "value" },
  returns: ["return_statement"],
  blocks: ["compound_statement"],
  areTypesApart: true,
  areFunctionsApart: true,
  package: { node: "namespace_definition", name: "name" },
  ignored:
    "self static parent this class true false null TRUE FALSE NULL __DIR__ __FILE__ __LINE__ __CLASS__ __METHOD__ __FUNCTION__ __NAMESPACE__ PHP_EOL".split(
      " ",
    ),
  containers: {},
  nodes: {
    // Scopes and declarations.
    class_declaration: TYPE,
    interface_declaration: TYPE,
    trait_declaration: TYPE,
    enum_declaration: TYPE,
    anonymous_class: { scope: "type", self: "none" },
    function_definition: FUNCTION,
    method_declaration: FUNCTION,
    anonymous_function: FUNCTION,
    anonymous_function_creation_expression: FUNCTION,
    arrow_function: FUNCTION,
    simple_parameter: { declares: [PARAMETER] },
    property_promotion_parameter: { declares: [PARAMETER], holds: { type: "type" } },
    variadic_parameter: {
      declares: [{ ...PARAMETER, type: "." }],
      type: { is: "several", of: "type" },
    },
    property_declaration: { holds: { type: "type", comment: documentedType } },
    const_declaration: { holds: { type: "type" } },
    const_element: { holds: { value: 1 } },
    enum_case: { holds: "self" },
    assignment_expression: {
      declares: [{ names: "left", value: "right", when: setsVariable, in: "function" }],
      value: { is: "through", of: "right" },
    },
    reference_assignment_expression: {
      declares: [{ names: "left", value: "right", when: setsVariable, in: "function" }],
    },
    foreach_statement: {
      declares: [{ names: variableOfLoop, value: 0, step: "[]", in: "function" }],
    },
    catch_clause: { declares: [{ names: "name", type: "type", in: "function" }] },
    // Patterns.
    list_literal: { pattern: { is: "each", step: "[]" } },
    by_ref: { pattern: { is: "through", of: 0 } },
    variable_name: {
      pattern: { is: "through", of: 0 },
      value: { is: "cast", type: typeOfThis, value: variableOtherThanThis },
      // The variable's name is the leaf inside the node.
      type: { is: "generic", name: 0, arguments: [] },
      roles: rolesOfVariable,
    },
    // Expressions.
    name: { value: { is: "member", object: qualifierOf, name: "." } },
    namespace_name: { value: { is: "through", of: -1 }, roles: { "*": "none" } },
    qualified_name: {
      value: { is: "through", of: -1 },
      type: { is: "through", of: qualifiedName },
      roles: (node, tree) => (tree.child(node, 1) === -1 ? { "*": "none" } : undefined),
    },
    member_access_expression: MEMBER,
    nullsafe_member_access_expression: MEMBER,
    member_call_expression: CALL_OF_MEMBER,
    nullsafe_member_call_expression: CALL_OF_MEMBER,
    scoped_call_expression: {
      value: { is: "invocation", object: "scope", name: "name", arguments: "arguments" },
    },
    scoped_property_access_expression: { value: { is: "member", object: "scope", name: "name" } },
    class_constant_access_expression: {
      value: { is: "member", object: 0, name: 1 },
      accepts: (name) => name !== "class",
    },
    function_call_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    object_creation_expression: {
      value: { is: "construction", type: typeOfCreated },
      roles: { "0": "call" },
    },
    relative_scope: { value: { is: "cast", type: typeOfScope, value: [] } },
    subscript_expression: { value: { is: "element", of: 0 } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    clone_expression: { value: { is: "through", of: 0 } },
    conditional_expression: { value: { is: "either", of: ["body", "alternative"] } },
    binary_expression: {
      value: { is: "either", of: ["left", "right"], when: isCoalescing },
      roles: (node, tree) => (isTest(node, tree) ? { right: "type" } : undefined),
    },
    cast_expression: {},
    string: { value: { is: "literal", type: "string" } },
    encapsed_string: { value: { is: "literal", type: "string" } },
    integer: { value: { is: "literal", type: "int" } },
    float: { value: { is: "literal", type: "float" } },
    boolean: { value: { is: "literal", type: "bool" } },
    // Types.
    named_type: { type: { is: "through", of: typeNamed }, isType: true },
    optional_type: { type: { is: "through", of: 0 } },
    union_type: { type: { is: "union" } },
    intersection_type: { type: { is: "through", of: 0 } },
    type_list: { type: { is: "union" } },
    primitive_type: {
      type: {
        is: "builtin",
        except: ["void", "mixed", "array", "callable", "iterable", "object", "never", "null"],
      },
    },
    bottom_type: { type: { is: "nothing" } },
    // Other uses of names.
    base_clause: INHERITING,
    class_interface_clause: INHERITING,
    use_declaration: INHERITING,
    use_list: IGNORED,
    attribute: { roles: { "0": "call" } },
    argument: { roles: { name: "none" } },
    namespace_definition: { roles: { name: "none" } },
    goto_statement: IGNORED,
    named_label_statement: IGNORED,
    // Imports.
    namespace_use_declaration: { imports: readUse },
    require_expression: LOADING,
    require_once_expression: LOADING,
    include_expression: LOADING,
    include_once_expression: LOADING,
  },
};

function setsVariable(node: number, tree: FlatSyntaxTree): boolean {
  const left = tree.childInField(node, "left");
  return left !== -1 && /^(?:variable_name|list_literal)$/.test(tree.typeName(left));
}

/** Returns `$item` of `foreach ($all as $key => $item)`. */
function variableOfLoop(node: number, tree: FlatSyntaxTree): number {
  const variable = tree.child(node, 1);
  if (variable === -1 || tree.typeName(variable) !== "pair") return variable;
  return tree.child(variable, -1);
}

const CLASS = /^(?:class|interface|trait|enum)_declaration$/;

/** Returns the enclosing class; -1 if it is anonymous. */
function classAround(node: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(node);
  while (around !== -1 && !CLASS.test(tree.typeName(around))) {
    if (tree.typeName(around) === "anonymous_class") return -1;
    around = tree.parent(around);
  }
  return around;
}

function nameOfClass(node: number, tree: FlatSyntaxTree): number {
  const around = classAround(node, tree);
  return around === -1 ? -1 : tree.childInField(around, "name");
}

function nameOfBase(node: number, tree: FlatSyntaxTree): number {
  const around = classAround(node, tree);
  const [base] = around === -1 ? [] : tree.childrenOfType(around, "base_clause");
  return base === undefined ? -1 : tree.child(base, 0);
}

/** Returns the class that `self`, `static` or `parent` refers to; undefined for other names. */
function resolveStaticName(node: number, tree: FlatSyntaxTree): number | undefined {
  const text = tree.textOf(node);
  if (text === "self" || text === "static") return nameOfClass(node, tree);
  return text === "parent" ? nameOfBase(node, tree) : undefined;
}

function typeOfScope(node: number, tree: FlatSyntaxTree): number {
  return resolveStaticName(node, tree) ?? -1;
}

function typeNamed(node: number, tree: FlatSyntaxTree): number {
  return resolveStaticName(node, tree) ?? tree.child(node, 0);
}

function typeOfCreated(node: number, tree: FlatSyntaxTree): number {
  const created = tree.child(node, 0);
  return created === -1 ? -1 : (resolveStaticName(created, tree) ?? created);
}

function isThis(variable: number, tree: FlatSyntaxTree): boolean {
  return tree.textOf(variable) === "$this";
}

function typeOfThis(variable: number, tree: FlatSyntaxTree): number {
  return isThis(variable, tree) ? nameOfClass(variable, tree) : -1;
}

function variableOtherThanThis(variable: number, tree: FlatSyntaxTree): number {
  return isThis(variable, tree) ? -1 : tree.child(variable, 0);
}

function isStaticProperty(variable: number, tree: FlatSyntaxTree): boolean {
  const around = tree.parent(variable);
  return (
    around !== -1 &&
    tree.typeName(around) === "scoped_property_access_expression" &&
    tree.fieldName(variable) === "name"
  );
}

/** Variables are not uses, but static properties are. */
function rolesOfVariable(node: number, tree: FlatSyntaxTree): Roles {
  return isStaticProperty(node, tree) ? { "*": "value" } : { "*": "none" };
}

/** Returns the qualifier of a name: `B` of `\A\B\name`, `self` of `self::$name`. */
function qualifierOf(leaf: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(leaf);
  if (around === -1) return -1;
  switch (tree.typeName(around)) {
    case "namespace_name": {
      const names = tree.children(around);
      return names[names.indexOf(leaf) - 1] ?? -1;
    }
    case "qualified_name": {
      const prefix = tree.child(around, 0);
      return prefix === leaf ? -1 : prefix;
    }
    case "variable_name":
      return isStaticProperty(around, tree) ? tree.childInField(tree.parent(around), "scope") : -1;
    default:
      return -1;
  }
}

/** Returns the name after a namespace. A name without a namespace belongs to PHP itself. */
function qualifiedName(node: number, tree: FlatSyntaxTree): number {
  return tree.child(node, 1);
}

function isCoalescing(node: number, tree: FlatSyntaxTree): boolean {
  return /\?[?:]\s*$/.test(operatorOf(node, tree));
}

function isTest(node: number, tree: FlatSyntaxTree): boolean {
  return operatorOf(node, tree).includes("instanceof");
}

function operatorOf(node: number, tree: FlatSyntaxTree): string {
  const [left = -1, right = -1] = tree.children(node);
  return right === -1 ? "" : tree.textBetween(left, right);
}

/** Reads `use A\{B, C as D}` as one import per name. */
function readUse(node: number, { tree, add }: ImportReader): boolean {
  const [group] = tree.childrenOfType(node, "namespace_use_group");
  const prefix = group === undefined ? "" : `${tree.textOf(tree.child(node, 0))}\\`;
  for (const clause of tree.childrenOfType(group ?? node, "namespace_use_clause")) {
    const path = tree
      .childrenOfType(clause, "qualified_name", "name", "namespace_name")
      .find((child) => tree.fieldName(child) !== "alias");
    if (path === undefined) continue;
    const module = `${prefix}${tree.textOf(path).replaceAll(/\s|^\\/g, "")}`;
    add({ node: clause, module, bindings: [bindingOf(clause, path, tree)] });
  }
  return true;
}

function bindingOf(clause: number, path: number, tree: FlatSyntaxTree): FoundBinding {
  const alias = tree.childInField(clause, "alias");
  const leaf = tree.isLeaf(path) ? path : tree.child(path, -1);
  const name = tree.textOf(leaf);
  return { name, local: alias === -1 ? name : tree.textOf(alias), node: leaf };
}

/** Reads `require "a.php"` and `require __DIR__ . "/a.php"`. */
function readRequire(node: number, { tree, add }: ImportReader): boolean {
  const end = tree.next(node);
  for (let inside = node + 1; inside < end; inside += 1) {
    if (tree.typeName(inside) !== "string_content") continue;
    const module = tree.textOf(inside);
    if (module.endsWith(".php")) add({ node, module, bindings: [], isWildcard: true });
  }
  return false;
}

/** Longer comments before a property are not read. */
const MAX_COMMENT = 600;
const BUILT_IN =
  /^(?:array|bool|boolean|callable|false|float|int|integer|iterable|mixed|object|resource|self|static|string|true|void)$/;

/** Returns the type of a property after `@var`: `Foo`, `Foo|null`, `\App\Foo[]`. */
function documentedType(node: number, tree: FlatSyntaxTree): string {
  const start = tree.start(node);
  const before = tree.text.slice(Math.max(0, start - MAX_COMMENT), start).trimEnd();
  if (!before.endsWith("*/")) return "";
  const comment = before.slice(before.lastIndexOf("/**"));
  const types = (/@var\s+(\S+)/.exec(comment)?.[1] ?? "")
    .replace(/^\?/, "")
    .split("|")
    .filter((type) => type.toLowerCase() !== "null");
  const [, name = "", list = ""] = /^\\?([A-Za-z_][\w\\]*)(\[\])?$/.exec(types[0] ?? "") ?? [];
  if (types.length !== 1 || name === "" || BUILT_IN.test(name)) return "";
  return `@${name.replaceAll("\\", ".")}${list === "" ? "" : "*"}`;
}
