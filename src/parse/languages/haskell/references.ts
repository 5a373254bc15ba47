import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { TextName } from "../../references/text-names.ts";
import type {
  Declaration,
  NodeRule,
  PatternRule,
  ReferenceRules,
  Roles,
} from "../reference-rules.ts";
import { declaredName, definedName, infixOf, leafOf } from "./names.ts";
import { readExportList, readModuleImport } from "./imports.ts";

/** The scope of a field is never that of the file: a local may have its name. */
const UNKNOWN = "?";
const LOCALS = new Set(["variable", "operator"]);
/** Nodes between a pattern and the parts of it. */
const IN_PATTERN =
  /^(?:apply|parens|tuple|list|strict|irrefutable|as|infix|signature|unboxed_tuple|record|field_pattern)$/;

const each: PatternRule = { is: "each", step: "" };
const isType: NodeRule = { isType: true };
const patternsInOwn = { names: "patterns", in: "own" } as const;
const bindsInOwn = { names: "binds", in: "own" } as const;
/** What is on both sides of an operator that is defined: `a <+> b = …`. */
const operands: readonly Declaration[] = ["left_operand", "right_operand"].map((field) => ({
  names: (node, tree) => operandOf(node, field, tree),
  in: "own",
}));

/** What a function and its clauses declare: parameters, and the names after `where`. */
const equation: NodeRule = {
  scope: "function",
  declares: [patternsInOwn, ...operands, bindsInOwn],
  pattern: { is: "through", of: declaredName },
  text: methodOfClass,
};

export const haskellReferences: ReferenceRules = {
  names: {
    variable: "value",
    constructor: "value" as const,
    name: "type",
    operator: "value",
    constructor_operator: "value",
  },
  package: { node: "header", name: "module" },
  definedName,
  isSequential: true,
  areTypesApart: true,
  typesOnly: ["data_type", "newtype", "type_synomym", "type_family", "data_family", "class"],
  patternNames: /^[^\p{Lu}:]/u,
  typeNames: /^[^\p{Ll}_]/u,
  nodes: {
    header: { imports: readExportList },
    import: { imports: readModuleImport },
    fixity: { isIgnored: true },
    pragma: { isIgnored: true },

    function: equation,
    bind: {
      ...equation,
      // `pattern <- expression` is a statement.
      scope: (node, tree) => (isStatement(node, tree) ? undefined : "function"),
      declares: [
        { names: patternOf, when: isStatement },
        { ...bindsInOwn, when: (node, tree) => !isStatement(node, tree) },
      ],
      pattern: { is: "through", of: nameOrPattern },
    },
    local_binds: { pattern: each },
    match: { scope: "block" },
    pattern_guard: { declares: [{ names: patternOf }] },
    let: {
      declares: [
        { names: "binds", when: isQualifier, isParameter: true },
        { names: "binds", when: isInBlock, isRecursive: true },
      ],
    },
    let_in: { scope: "block", declares: [bindsInOwn] },
    lambda: { scope: "function", declares: [patternsInOwn] },
    alternative: {
      scope: "block",
      declares: [{ names: patternOf, in: "own" }, patternsInOwn, bindsInOwn],
    },
    do: { scope: "block" },
    list_comprehension: { scope: "block" },
    generator: { declares: [{ names: patternOf, isParameter: true }] },
    pattern_synonym: { scope: "block" },
    equation: { declares: [{ names: "synonym" }, { names: "pattern" }] },
    constructor_synonym: { scope: "block", declares: [{ names: patternOf, in: "own" }] },

    patterns: { pattern: each },
    tuple: { pattern: each },
    unboxed_tuple: { pattern: each },
    list: { pattern: each },
    parens: { pattern: each },
    strict: { pattern: each },
    irrefutable: { pattern: each },
    as: { pattern: each },
    apply: { pattern: each, roles: calledIn("function") },
    infix: { pattern: each, roles: { operator: "call" } },
    view_pattern: { pattern: { is: "through", of: "pattern" } },
    field_pattern: {
      pattern: { is: "through", of: ["pattern", "field"] },
      text: punnedField,
    },
    record: {
      pattern: { is: "each", step: "", except: "constructor" },
      roles: calledIn("expression"),
    },

    qualified: {
      value: { is: "member", object: "module", name: "id" },
      pattern: { is: "through", of: "id" },
    },
    module: { value: { is: "text" } },
    prefix_id: { value: { is: "through", of: 0 }, pattern: { is: "through", of: 0 } },
    infix_id: { value: { is: "through", of: 0 } },
    field_name: {
      value: { is: "member", object: objectOfField, name: 0 },
      pattern: { is: "through", of: 0 },
    },

    signature: { isType: "type", pattern: { is: "through", of: "pattern" } },
    data_type: isType,
    newtype: isType,
    type_synomym: isType,
    type_family: isType,
    type_instance: isType,
    data_family: isType,
    data_instance: isType,
    kind_signature: { isType: "kind", roles: { name: "none" } },
    role_annotation: isType,
    deriving_instance: isType,
    default_types: isType,
    type_application: isType,
    context: isType,
    forall: isType,
    type_params: isType,
    type_patterns: isType,
    fundeps: isType,
    class: { scope: "block", declares: [{ names: infixOf, in: "own" }] },
    // The name of an instance is no name of the file.
    instance: { isKey: true, roles: { name: "inherit" } },
  },
};

/** Whether a node is a part of a list comprehension, whose first expression sees all names. */
function isQualifier(node: number, tree: FlatSyntaxTree): boolean {
  return tree.typeName(tree.parent(node)) === "qualifiers";
}

function isInBlock(node: number, tree: FlatSyntaxTree): boolean {
  return !isQualifier(node, tree);
}

function isStatement(node: number, tree: FlatSyntaxTree): boolean {
  return tree.childInField(node, "expression") !== -1;
}

/** Returns the pattern of a node. One that is only a constructor declares nothing. */
function patternOf(node: number, tree: FlatSyntaxTree): number {
  const pattern = tree.childInField(node, "pattern");
  const isDeclaring = !tree.isLeaf(pattern) || LOCALS.has(tree.typeName(pattern));
  return pattern !== -1 && isDeclaring ? pattern : -1;
}

function nameOrPattern(node: number, tree: FlatSyntaxTree): number {
  const name = declaredName(node, tree);
  return name === -1 ? tree.childInField(node, "pattern") : name;
}

/** Returns an operand of the head of `a <+> b = …`. One that is only a constructor declares nothing. */
function operandOf(node: number, field: string, tree: FlatSyntaxTree): number {
  const infix = infixOf(node, tree);
  const operand = infix === -1 ? -1 : tree.childInField(infix, field);
  const isDeclaring =
    operand !== -1 && (!tree.isLeaf(operand) || LOCALS.has(tree.typeName(operand)));
  return isDeclaring ? operand : -1;
}

/** A constructor that is not part of a pattern is called, and so is a function. */
function calledIn(field: string): (node: number, tree: FlatSyntaxTree) => Roles | undefined {
  const called: Roles = { [field]: "call" };
  return (node, tree) => {
    const child = tree.childInField(node, field);
    if (child === -1) return undefined;
    const type = tree.typeName(child);
    if (field === "expression" && type !== "constructor") return undefined;
    return type === "constructor" && isInPattern(node, tree) ? undefined : called;
  };
}

function isInPattern(node: number, tree: FlatSyntaxTree): boolean {
  let part = node;
  while (tree.fieldName(part) !== "pattern") {
    part = tree.parent(part);
    if (part === -1 || !IN_PATTERN.test(tree.typeName(part)))
      return part !== -1 && tree.typeName(part) === "patterns";
  }
  return true;
}

/** Returns the module before the name of a field, or a node without a value. */
function objectOfField(node: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(node);
  return tree.typeName(parent) === "qualified" ? tree.childInField(parent, "module") : parent;
}

/** `{name}` in a pattern declares a local, and is a use of the field. */
function punnedField(node: number, tree: FlatSyntaxTree): readonly TextName[] {
  const field = tree.childInField(node, "field");
  // `pattern Pair {left, right} = …` defines them.
  if (tree.fieldName(tree.parent(node)) === "synonym") return [];
  if (field === -1 || tree.childInField(node, "pattern") !== -1) return [];
  const isQualified = tree.typeName(field) === "qualified";
  const leaf = leafOf(isQualified ? tree.childInField(field, "id") : field, tree);
  if (leaf === -1) return [];
  const use = { name: tree.textOf(leaf), role: "value", receiver: UNKNOWN } as const;
  return [{ ...use, offset: tree.start(leaf), isUse: true }];
}

/** A method in an instance implements the method of the class. */
function methodOfClass(node: number, tree: FlatSyntaxTree): readonly TextName[] {
  const around = tree.parent(node);
  if (tree.typeName(around) !== "instance_declarations") return [];
  const leaf = declaredName(node, tree);
  if (leaf === -1) return [];
  const name = tree.textOf(leaf);
  const isFirst = !tree.children(around).some((one) => one < node && isEquationOf(one, name, tree));
  return isFirst ? [{ name, role: "inherit", receiver: "", offset: tree.start(leaf) }] : [];
}

function isEquationOf(node: number, name: string, tree: FlatSyntaxTree): boolean {
  const type = tree.typeName(node);
  if (type !== "function" && type !== "bind") return false;
  const leaf = declaredName(node, tree);
  return leaf !== -1 && tree.textOf(leaf) === name;
}
