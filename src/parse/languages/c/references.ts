import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NodeRule, ReferenceRules } from "../reference-rules.ts";
import { namesInMacro } from "./macro-bodies.ts";

const THROUGH_DECLARATOR: NodeRule = {
  pattern: { is: "through", of: ["declarator", 0] },
  value: { is: "through", of: ["declarator", 0] },
};
const BLOCK: NodeRule = { scope: "block" };
/**
 * `struct point`. The body of an anonymous structure is named by the typedef or declaration that contains it.
 */
const TAGGED: NodeRule = {
  type: { is: "through", of: tagOf },
  holds: { type: typedefAround },
  self: "own",
  // A declaration without a body is not a use: `struct point;`.
  roles: (node, tree) => (isForwardDeclaration(node, tree) ? { name: "none" } : undefined),
};
const INNER: NodeRule = { type: { is: "through", of: "type" }, isType: true };

export const cReferences: ReferenceRules = {
  names: { identifier: "value", field_identifier: "member", type_identifier: "type" },
  returns: ["return_statement"],
  blocks: ["compound_statement"],
  isSequential: true,
  areTypesApart: true,
  macroArguments: "arguments",
  ignored: ["defined", "__VA_ARGS__", "__func__", "__FILE__", "__LINE__"],
  nodes: {
    // Scopes and declarations.
    function_definition: {
      scope: "function",
      value: { is: "function", returns: "type", body: "body" },
      // The grammar reads a macro before the type as the type, and the type as part of the declarator.
      roles: { declarator: "none" },
    },
    compound_statement: BLOCK,
    for_statement: BLOCK,
    field_declaration_list: { scope: "type", self: "own" },
    declaration: {
      declares: [{ names: "declarator", type: "type", when: isVariable }],
      holds: { type: "type" },
      roles: { declarator: "none" },
    },
    field_declaration: { holds: { type: "type" }, roles: { declarator: "none" } },
    type_definition: {
      declares: [{ names: "declarator", type: "type" }],
      holds: { type: "type" },
      roles: { declarator: "none" },
    },
    parameter_declaration: {
      declares: [{ names: "declarator", type: "type", when: isOfFunction, isParameter: true }],
      type: { is: "through", of: "type" },
      roles: { declarator: "none" },
    },
    enumerator: { holds: { type: enumAround }, roles: { name: "none" } },
    struct_specifier: TAGGED,
    union_specifier: TAGGED,
    enum_specifier: TAGGED,
    init_declarator: {
      pattern: { is: "through", of: "declarator" },
      value: { is: "through", of: "declarator" },
    },
    pointer_declarator: THROUGH_DECLARATOR,
    array_declarator: THROUGH_DECLARATOR,
    function_declarator: THROUGH_DECLARATOR,
    parenthesized_declarator: THROUGH_DECLARATOR,
    attributed_declarator: THROUGH_DECLARATOR,
    // Expressions. Pointers and arrays have the type of their targets and elements.
    field_expression: { value: { is: "member", object: "argument", name: "field" } },
    call_expression: { value: { is: "call", callee: "function" }, roles: { function: "call" } },
    subscript_expression: { value: { is: "through", of: "argument" } },
    pointer_expression: { value: { is: "through", of: "argument" } },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    cast_expression: { value: { is: "cast", type: "type", value: "value" } },
    compound_literal_expression: { value: { is: "construction", type: "type" } },
    assignment_expression: {
      value: { is: "either", of: ["left", "right"], when: isPlainAssignment },
    },
    conditional_expression: { value: { is: "either", of: ["consequence", "alternative"] } },
    binary_expression: { value: { is: "either", of: ["left", "right"], when: isArithmetic } },
    comma_expression: { value: { is: "through", of: "right" } },
    update_expression: { value: { is: "through", of: "argument" } },
    field_designator: { value: { is: "member", object: initialized, name: 0 } },
    // Types.
    type_descriptor: INNER,
    macro_type_specifier: INNER,
    // Other uses of names.
    preproc_def: { roles: { name: "none" }, text: namesInMacro },
    preproc_function_def: { roles: { name: "none" }, text: namesInMacro },
    preproc_params: { isIgnored: true },
    preproc_call: { isIgnored: true },
    attribute_specifier: { isIgnored: true },
    attribute_declaration: { isIgnored: true },
    ms_declspec_modifier: { isIgnored: true },
    // Imports.
    preproc_include: { imports: readInclude },
  },
};

/**
 * Returns the tag of a structure that is only mentioned. A structure with a body is named by its typedef or
 * declaration.
 */
function tagOf(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(node, "body") === -1 ? tree.childInField(node, "name") : -1;
}

function isForwardDeclaration(node: number, tree: FlatSyntaxTree): boolean {
  if (tree.childInField(node, "body") !== -1) return false;
  const around = tree.parent(node);
  if (around === -1) return true;
  return /^(?:translation_unit|declaration_list|template_declaration|preproc_(?:if|ifdef|else|elif))$/.test(
    tree.typeName(around),
  )
    ? true
    : tree.typeName(around) === "field_declaration" &&
        tree.childInField(around, "declarator") === -1;
}

/** Returns `T` of `typedef struct S {…} T`, the name that has the members. */
function typedefAround(node: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(node);
  if (tree.childInField(node, "body") === -1 || tree.typeName(around) !== "type_definition") {
    return -1;
  }
  return leafOf(tree.childInField(around, "declarator"), tree);
}

/** Returns the name in a declarator. */
function leafOf(declarator: number, tree: FlatSyntaxTree): number {
  let node = declarator;
  while (node !== -1 && !tree.isLeaf(node)) {
    const inner = tree.childInField(node, "declarator");
    node = inner === -1 ? tree.child(node, 0) : inner;
  }
  return node;
}

/** Returns the name of the enumeration that contains an enumerator. */
export function enumAround(node: number, tree: FlatSyntaxTree): number {
  const specifier = tree.parent(tree.parent(node));
  const named = typedefAround(specifier, tree);
  return named === -1 ? tree.childInField(specifier, "name") : named;
}

/**
 * Returns whether a declaration declares a variable. A function declared in another one refers to the global
 * function.
 */
function isVariable(node: number, tree: FlatSyntaxTree): boolean {
  let declarator = tree.childInField(node, "declarator");
  while (declarator !== -1 && tree.typeName(declarator) === "pointer_declarator") {
    declarator = tree.childInField(declarator, "declarator");
  }
  if (declarator === -1 || tree.typeName(declarator) !== "function_declarator") return true;
  return tree.typeName(tree.childInField(declarator, "declarator")) !== "identifier";
}

/**
 * Returns whether a parameter belongs to a function with a body. Parameters of prototypes and function
 * pointers have no scope.
 */
export function isOfFunction(node: number, tree: FlatSyntaxTree): boolean {
  let around = tree.parent(tree.parent(node));
  const type = tree.typeName(around);
  if (type === "catch_clause") return true;
  if (type !== "function_declarator" && type !== "abstract_function_declarator") return false;
  for (let left = 8; left > 0; left -= 1) {
    around = tree.parent(around);
    const outer = tree.typeName(around);
    if (outer === "function_definition" || outer === "lambda_expression") return true;
    if (outer !== "pointer_declarator" && outer !== "reference_declarator") return false;
  }
  return false;
}

function isPlainAssignment(node: number, tree: FlatSyntaxTree): boolean {
  const [left = -1, right = -1] = tree.children(node);
  return right !== -1 && tree.textBetween(left, right).trim() === "=";
}

/** Returns whether the expression adds a number to a pointer or subtracts one. */
function isArithmetic(node: number, tree: FlatSyntaxTree): boolean {
  const [left = -1, right = -1] = tree.children(node);
  return right !== -1 && /^[\s)]*[-+][\s(]*$/.test(tree.textBetween(left, right));
}

/**
 * Returns the node whose type has the member that a designator names: the variable, the literal's type, or
 * the enclosing designator.
 */
function initialized(node: number, tree: FlatSyntaxTree): number {
  let list = tree.parent(tree.parent(node));
  for (let left = 20; left > 0 && list !== -1; left -= 1) {
    const around = tree.parent(list);
    switch (tree.typeName(around)) {
      case "initializer_pair": {
        const [designator] = tree.childrenOfType(around, "field_designator");
        if (designator !== undefined) return designator;
        list = tree.parent(around);
        break;
      }
      case "initializer_list":
        list = around;
        break;
      case "init_declarator":
        return leafOf(tree.childInField(around, "declarator"), tree);
      case "compound_literal_expression":
        return around;
      default:
        return -1;
    }
  }
  return -1;
}

function readInclude(node: number, { tree, add }: ImportReader): boolean {
  const path = tree.childInField(node, "path");
  if (path === -1 || !/^(?:string_literal|system_lib_string)$/.test(tree.typeName(path))) {
    return false;
  }
  const module = tree.textOf(path).replaceAll(/^[<"]|[>"]$/g, "");
  if (module !== "") add({ node, module, bindings: [], isWildcard: true });
  return true;
}
