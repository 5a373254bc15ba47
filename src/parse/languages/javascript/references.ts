import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { UseRole } from "../../references/references.ts";
import { conditionsOn } from "./conditions.ts";
import { knownCalls } from "./known-calls.ts";
import { jsdocTypes } from "./jsdoc.ts";
import { loadedModule, readExportsAssignment } from "./exports.ts";
import { listedParts } from "./listed-parts.ts";
import { selfInObject, selfOfFunction } from "./self.ts";
import { modelResult } from "./prisma-calls.ts";
import { returnsObject, wrappedFunction } from "./returned-objects.ts";
import type { Declaration, NodeRule, ReferenceRules } from "../reference-rules.ts";

const PARAMETER: Declaration = {
  names: ["pattern", "name"],
  type: "type",
  value: "value",
  listed: listedParts,
  isParameter: true,
  isField: (node, tree) => tree.childrenOfType(node, ...FIELD_MODIFIERS).length > 0,
};
const FIELD_MODIFIERS = ["accessibility_modifier", "override_modifier", "readonly"];
const TYPED_PARAMETER: NodeRule = {
  declares: [PARAMETER],
  holds: { type: "type", value: "value" },
};

const FUNCTION: NodeRule = {
  scope: "function",
  self: selfOfFunction,
  value: { is: "function", returns: "return_type", body: "body" },
};
const DECLARED_FUNCTION: NodeRule = { ...FUNCTION, declares: [{ names: "name", value: "." }] };
const NAMED_FUNCTION: NodeRule = {
  ...FUNCTION,
  declares: [{ names: "name", value: ".", in: "own" }],
};
const METHOD: NodeRule = {
  scope: "function",
  self: (node, tree) => {
    const object = tree.parent(node);
    return tree.typeName(object) === "object" ? selfInObject(object, tree) : undefined;
  },
  isKey: true,
  value: { is: "function", returns: "return_type", body: "body" },
};
const CLASS: NodeRule = { scope: "type", self: "own" };

/**
 * Typed separately, because TypeScript infers no type for the property `constructor` of the literal below.
 */
const CALL: UseRole = "call";

/** These methods pass the elements to a function. */
const EACH = ["[]"];
const PAIR = ["[]", "[]"];
const REDUCE = ["?", "[]"];

/** The rules that JavaScript and TypeScript share. JavaScript ignores the fields and types of TypeScript. */
export const javascriptReferences: ReferenceRules = {
  names: {
    identifier: "value",
    shorthand_property_identifier: "value",
    shorthand_property_identifier_pattern: "value",
    property_identifier: "member",
    private_property_identifier: "member",
    type_identifier: "type",
  },
  returns: ["return_statement"],
  returnsObject,
  wrappedFunction,
  resultOfCallee: modelResult,
  blocks: ["statement_block"],
  ignored: ["arguments", "undefined"],
  documented: jsdocTypes,
  conditionsOn,
  calls: knownCalls,
  callbacks: {
    map: EACH,
    forEach: EACH,
    filter: EACH,
    some: EACH,
    every: EACH,
    find: EACH,
    findIndex: EACH,
    findLast: EACH,
    findLastIndex: EACH,
    flatMap: EACH,
    reduce: REDUCE,
    reduceRight: REDUCE,
    sort: PAIR,
    toSorted: PAIR,
    // oxlint-disable-next-line unicorn/no-thenable -- A key to look up: the method of promises.
    then: [""],
  },
  collectionMembers: {
    filter: "same",
    slice: "same",
    sort: "same",
    toSorted: "same",
    reverse: "same",
    toReversed: "same",
    concat: "same",
    values: "same",
    find: "element",
    findLast: "element",
    at: "element",
    pop: "element",
    shift: "element",
    get: "element",
    current: "value",
  },
  nodes: {
    // Scopes and declarations.
    function_declaration: DECLARED_FUNCTION,
    generator_function_declaration: DECLARED_FUNCTION,
    function_expression: NAMED_FUNCTION,
    generator_function: NAMED_FUNCTION,
    arrow_function: {
      scope: "function",
      value: { is: "function", returns: "return_type", body: "body" },
      declares: [{ names: "parameter", in: "own", isParameter: true }],
    },
    method_definition: METHOD,
    class_declaration: { ...CLASS, declares: [{ names: "name" }] },
    class: { ...CLASS, declares: [{ names: "name", in: "own" }] },
    class_static_block: { scope: "function" },
    // In TypeScript, every parameter has its own node.
    formal_parameters: { declares: [{ names: "*", isParameter: true }] },
    required_parameter: TYPED_PARAMETER,
    optional_parameter: TYPED_PARAMETER,
    statement_block: { scope: "block" },
    switch_body: { scope: "block" },
    for_statement: { scope: "block" },
    for_in_statement: {
      scope: "block",
      declares: [{ names: "left", value: "right", step: "[]", in: "own" }],
    },
    catch_clause: {
      scope: "block",
      declares: [{ names: "parameter", type: "type", in: "own" }],
    },
    variable_declarator: {
      declares: [
        { names: "name", type: "type", value: "value", in: hoisting, listed: listedParts },
      ],
      holds: { type: "type", value: "value" },
      imports: readRequire,
    },
    // Patterns.
    object_pattern: { pattern: { is: "each", step: "" } },
    array_pattern: { pattern: { is: "each", step: "[]", inLoop: ["?", "[]"] } },
    rest_pattern: { pattern: { is: "through", of: 0 } },
    assignment_pattern: { pattern: { is: "through", of: "left" } },
    object_assignment_pattern: { pattern: { is: "through", of: "left" } },
    pair_pattern: { pattern: { is: "pair", key: "key", value: "value" } },
    shorthand_property_identifier_pattern: { pattern: { is: "shorthand" } },
    // Expressions.
    member_expression: { value: { is: "member", object: "object", name: "property" } },
    subscript_expression: { value: { is: "element", of: "object", index: "index" } },
    call_expression: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
      imports: readDynamicImport,
    },
    new_expression: {
      value: { is: "construction", type: "constructor" },
      roles: { constructor: CALL },
    },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    await_expression: { value: { is: "through", of: 0 } },
    assignment_expression: {
      value: { is: "through", of: "right" },
      sets: { member: "left", value: "right" },
      imports: readExportsAssignment,
      holds: { value: "right" },
    },
    binary_expression: { value: { is: "either", of: ["left", "right"], when: isAlternative } },
    ternary_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    array: { value: { is: "list", type: "Array" } },
    spread_element: { value: { is: "element", of: 0 } },
    string: { value: { is: "literal", type: "string" } },
    template_string: { value: { is: "literal", type: "string" } },
    number: { value: { is: "literal", type: "number" } },
    true: { value: { is: "literal", type: "boolean" } },
    false: { value: { is: "literal", type: "boolean" } },
    regex: { value: { is: "literal", type: "RegExp" } },
    this: { value: { is: "self" } },
    super: { value: { is: "base" } },
    field_definition: { holds: { value: "value" } },
    pair: { holds: { value: "value" }, isKey: true },
    // Other uses of names.
    class_heritage: { roles: { "*": "inherit" } },
    decorator: { roles: { "*": "call" }, leads: true },
    jsx_opening_element: { roles: { name: "call" }, accepts: isComponent },
    jsx_self_closing_element: { roles: { name: "call" }, accepts: isComponent },
    jsx_closing_element: { accepts: isComponent },
    jsx_namespace_name: { roles: { "*": "none" } },
    meta_property: { roles: { "*": "none" } },
    export_specifier: { roles: { alias: "none" } },
    // Imports.
    import_statement: { imports: readImportStatement },
    export_statement: { imports: readReexport },
  },
};

function isAlternative(node: number, tree: FlatSyntaxTree): boolean {
  const [left = -1, right = -1] = tree.children(node);
  return right !== -1 && /\?\?|\|\|/.test(tree.textBetween(left, right));
}

function hoisting(node: number, tree: FlatSyntaxTree): "function" | undefined {
  return tree.typeName(tree.parent(node)) === "variable_declaration" ? "function" : undefined;
}

/** Returns whether a JSX element is a component. Lower-case elements are HTML. */
function isComponent(name: string): boolean {
  return !/^[a-z]/.test(name);
}

function readImportStatement(node: number, { tree, add }: ImportReader): boolean {
  const [required] = tree.childrenOfType(node, "import_require_clause");
  const source = tree.childInField(required ?? node, "source");
  if (source === -1) return true;
  const module = tree.literalOf(source);
  if (required !== undefined) {
    const local = tree.textOf(tree.child(required, 0));
    add({ node, module, bindings: [{ name: "*", local, node: -1 }] });
    return true;
  }
  const bindings: FoundBinding[] = [];
  for (const clause of tree.childrenOfType(node, "import_clause")) {
    for (const child of tree.children(clause)) readClause(tree, child, bindings);
  }
  add({ node, module, bindings });
  return true;
}

function readClause(tree: FlatSyntaxTree, child: number, bindings: FoundBinding[]): void {
  switch (tree.typeName(child)) {
    case "identifier":
      bindings.push({ name: "default", local: tree.textOf(child), node: child });
      return;
    case "namespace_import":
      bindings.push({ name: "*", local: tree.textOf(tree.child(child, 0)), node: -1 });
      return;
    case "named_imports":
      for (const one of tree.childrenOfType(child, "import_specifier")) {
        bindings.push(readSpecifier(tree, one, true));
      }
      return;
    default:
  }
}

function readSpecifier(tree: FlatSyntaxTree, node: number, isLocal: boolean): FoundBinding {
  const named = tree.childInField(node, "name");
  const alias = tree.childInField(node, "alias");
  const name = named === -1 ? "" : tree.literalOf(named);
  const local = alias === -1 ? (isLocal ? name : "") : tree.literalOf(alias);
  return { name, local, node: named };
}

/** Reads `export … from`. */
function readReexport(node: number, reader: ImportReader): boolean {
  const { tree, add } = reader;
  const source = tree.childInField(node, "source");
  if (source === -1) return readOwnExports(node, reader);
  const bindings: FoundBinding[] = [];
  for (const clause of tree.childrenOfType(node, "export_clause", "namespace_export")) {
    if (tree.typeName(clause) === "namespace_export") {
      bindings.push({ name: "*", local: tree.literalOf(tree.child(clause, 0)), node: -1 });
    } else {
      for (const one of tree.childrenOfType(clause, "export_specifier")) {
        bindings.push(readSpecifier(tree, one, false));
      }
    }
  }
  const isWildcard =
    bindings.length === 0 && tree.childrenOfType(node, "export_clause").length === 0;
  add({ node, module: tree.literalOf(source), bindings, isWildcard, isReexport: true });
  return true;
}

/** Reads exports of own names under other names: `export { a as b }`, `export default a`. */
function readOwnExports(node: number, { tree, add }: ImportReader): boolean {
  const passOn = (name: string, local: string): void =>
    add({ node, module: "", bindings: [{ name, local, node: -1 }], isReexport: true });
  for (const clause of tree.childrenOfType(node, "export_clause")) {
    for (const one of tree.childrenOfType(clause, "export_specifier")) {
      const { name, local } = readSpecifier(tree, one, false);
      if (local !== "" && local !== name) passOn(name, local);
    }
  }
  const value = tree.childInField(node, "value");
  if (value !== -1 && tree.typeName(value) === "identifier") passOn(tree.textOf(value), "default");
  const declaration = tree.childInField(node, "declaration");
  const isDefault =
    declaration !== -1 && /^export\s+default\b/.test(tree.textOf(node).slice(0, 40));
  const name = isDefault ? tree.childInField(declaration, "name") : -1;
  if (name !== -1) passOn(tree.textOf(name), "default");
  return false;
}

/** Reads `const x = require("y")` and `const { a } = await import("y")`. */
function readRequire(node: number, { tree, add }: ImportReader): boolean {
  const pattern = tree.childInField(node, "name");
  let value = tree.childInField(node, "value");
  if (value === -1 || pattern === -1) return false;
  const members: number[] = [];
  while (tree.typeName(value) === "await_expression") value = tree.child(value, 0);
  if (tree.typeName(value) === "member_expression") {
    members.push(tree.childInField(value, "property"));
    value = tree.childInField(value, "object");
  }
  const module = value === -1 ? undefined : loadedModule(tree, value);
  if (module === undefined) return false;
  const bindings = readLoaded(tree, pattern, members[0]);
  if (bindings === undefined) return false;
  add({ node, module, bindings });
  return true;
}

/** Returns the bindings of a pattern; undefined if it destructures more than the module. */
function readLoaded(
  tree: FlatSyntaxTree,
  pattern: number,
  member: number | undefined,
): FoundBinding[] | undefined {
  if (tree.typeName(pattern) === "identifier") {
    const local = tree.textOf(pattern);
    if (member === undefined) return [{ name: "*", local, node: -1 }];
    return [{ name: tree.textOf(member), local, node: member }];
  }
  if (tree.typeName(pattern) !== "object_pattern" || member !== undefined) return undefined;
  const bindings: FoundBinding[] = [];
  for (const child of tree.children(pattern)) {
    const name = tree.textOf(child);
    if (tree.typeName(child) === "shorthand_property_identifier_pattern") {
      bindings.push({ name, local: name, node: child });
    } else if (tree.typeName(child) === "pair_pattern") {
      const key = tree.childInField(child, "key");
      const value = tree.childInField(child, "value");
      if (tree.typeName(value) !== "identifier") return undefined;
      bindings.push({ name: tree.textOf(key), local: tree.textOf(value), node: key });
    } else return undefined;
  }
  return bindings;
}

function readDynamicImport(node: number, { tree, add }: ImportReader): boolean {
  const module = loadedModule(tree, node);
  if (module === undefined) return false;
  const parent = tree.parent(node);
  const bindings = isOpen(parent, tree) ? [{ name: "*", local: loadedName(module), node: -1 }] : [];
  add({ node, module, bindings, isValue: true });
  return false;
}

/** Returns whether a name of the module is used at once, and no other rule reads it. */
function isOpen(parent: number, tree: FlatSyntaxTree): boolean {
  const type = parent === -1 ? "" : tree.typeName(parent);
  if (/^(?:member_expression|assignment_expression|pair)$/.test(type)) return true;
  if (type !== "variable_declarator") return false;
  const pattern = tree.childInField(parent, "name");
  return pattern !== -1 && readLoaded(tree, pattern, undefined) === undefined;
}

/** Returns a name for the module that `require("y")` loads: no name of the source is equal to it. */
function loadedName(module: string): string {
  return `require ${module.replaceAll(/[.()[\]#@?*]/g, "_")}`;
}
