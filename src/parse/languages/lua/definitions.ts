import type { Node, Tree } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  nameAt,
  nameWithin,
  splitQualified,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

type Naming = Pick<DefinitionRule, "name" | "owner">;

const REQUIRED = /^require\s*\(?\s*["'][^"']*["']\s*\)?(?:\.\w+)?$/;
const REQUIRED_SAFELY = /^pcall\s*\(\s*require\b/;

export const lua: LanguageRules = {
  definitions: {
    function_declaration: (node) => ({ kind: "function", ...naming(fieldNode(node, "name")) }),
    assignment_statement: (node) => {
      const target = childOfType(node, "variable_list")?.firstNamedChild ?? undefined;
      const value = childOfType(node, "expression_list")?.firstNamedChild ?? undefined;
      const rule = classRule(node, target) ?? valueRule(value, naming(target));
      const isLocal = node.parent?.type === "variable_declaration";
      // It is another name of a definition.
      if (isLocal && REQUIRED.test(value?.text ?? "")) return undefined;
      return rule.kind === "constant" && rule.hasMembers !== true && !isLocal ? undefined : rule;
    },
    field: (node) => {
      const rule = valueRule(fieldNode(node, "value"), naming(fieldNode(node, "name")));
      return rule.kind === "function" ? rule : undefined;
    },
  },
  wrappers: new Set(["variable_declaration"]),
  blocks: new Set(["if_statement", "do_statement", "block"]),
  enter: returnedTable,
  additionalDefinitions: { assignment_statement: additionalNames },
  attached: new Set(["comment"]),
  access: accessOf,
  hasNestedFunctions: true,
};

function naming(target: Node | undefined): Naming {
  const { owner, name } = splitQualified(target?.text ?? "");
  const positioned = (): Name | undefined => nameWithin(target, name);
  return owner === undefined ? { name: positioned } : { name: positioned, owner: () => owner };
}

/** Returns rules for `b` of `local a, b = 1, 2`. */
function additionalNames(node: Node): readonly DefinitionRule[] {
  const annotated = annotatedClass(node);
  if (annotated.length > 0) return annotated;
  if (node.parent?.type !== "variable_declaration") return [];
  const [value] = childOfType(node, "expression_list")?.namedChildren ?? [];
  if (REQUIRED.test(value?.text ?? "") || REQUIRED_SAFELY.test(value?.text ?? "")) return [];
  const [, ...names] = childOfType(node, "variable_list")?.namedChildren ?? [];
  return names.map((name) => ({
    kind: "constant",
    name: () => nameAt(name),
    body: () => undefined,
  }));
}

/** A Lua module is a local table that the file returns, so its members are exported. */
function accessOf({ head }: AccessFacts): AccessLevel {
  if (/^\s*local\b/.test(head)) return "private";
  return "exported";
}

function valueRule(value: Node | undefined, names: Naming): DefinitionRule {
  if (value?.type === "function_definition") {
    return { ...names, kind: "function", body: () => fieldNode(value, "body") };
  }
  if (value?.type === "table_constructor" && value.namedChildCount > 0) {
    return { ...names, kind: "constant", hasMembers: true, body: () => value };
  }
  return { ...names, kind: "constant", body: () => value };
}

/** Returns the rule for a table that is a class, because it has methods. */
function classRule(node: Node, target: Node | undefined): DefinitionRule | undefined {
  const { names, locals } = classesIn(node.tree);
  if (target?.type !== "identifier" || !names.has(target.text)) return undefined;
  // An assignment to a local variable.
  if (node.parent?.type !== "variable_declaration" && locals.has(target.text)) return undefined;
  const value = childOfType(node, "expression_list")?.firstNamedChild ?? undefined;
  const isTable = value?.type === "table_constructor" && value.namedChildCount > 0;
  return {
    ...naming(target),
    kind: "class",
    ...(isTable && { hasMembers: true }),
    body: () => value,
  };
}

/** What comments and methods say about the tables of a file. */
interface Classes {
  readonly names: ReadonlySet<string>;
  readonly locals: ReadonlySet<string>;
  /** The names that comments give to classes, by the line of the table, 0-based. */
  readonly annotated: ReadonlyMap<number, Name>;
}

const classesOfTrees = new WeakMap<Tree, Classes>();
const METHOD = /\bfunction[ \t]+(\w+):\w|^[ \t]*(\w+)\.__index[ \t]*=/;
const FUNCTION = /\bfunction[ \t]+(\w+)\.\w|^[ \t]*(\w+)\.\w+[ \t]*=[ \t]*function\b/;
const TABLE = /^[ \t]*(?:local[ \t]+)?(\w+)[ \t]*=(?<isSet>[ \t]*setmetatable\b)?/;
const ANNOTATION = /^([ \t]*---?[ \t]*@class[ \t]+(?:\(exact\)[ \t]*)?)([\w.]+)/;

/** Returns the tables of a file that have methods or are metatables, or that a comment declares to be classes. */
function classesIn(tree: Tree): Classes {
  const known = classesOfTrees.get(tree);
  if (known !== undefined) return known;
  const classes = new ClassReader().read(tree.rootNode.text);
  classesOfTrees.set(tree, classes);
  return classes;
}

/** Reads the lines of a file. */
class ClassReader {
  readonly #names = new Set<string>();
  readonly #locals = new Set<string>();
  /** Tables with functions, and those that have members of other tables: classes have both. */
  readonly #withFunctions = new Set<string>();
  readonly #withOthers = new Set<string>();
  readonly #annotated = new Map<number, Name>();
  #pending: Name | undefined;
  #isTyped = false;

  read(text: string): Classes {
    let index = 0;
    for (const [row, line] of text.split("\n").entries()) {
      this.#readMembers(line);
      if (/^[ \t]*--/.test(line)) this.#readComment(line, row, index);
      else this.#readTable(line, row);
      index += line.length + 1;
    }
    for (const name of this.#withOthers) if (this.#withFunctions.has(name)) this.#names.add(name);
    return { names: this.#names, locals: this.#locals, annotated: this.#annotated };
  }

  #readMembers(line: string): void {
    const method = METHOD.exec(line);
    if (method !== null) this.#names.add(method[1] ?? method[2] ?? "");
    const owner = FUNCTION.exec(line);
    if (owner !== null) this.#withFunctions.add(owner[1] ?? owner[2] ?? "");
  }

  #readComment(line: string, row: number, index: number): void {
    if (/^[ \t]*---?[ \t]*@type\b/.test(line)) this.#isTyped = true;
    const [, before = "", text] = ANNOTATION.exec(line) ?? [];
    if (text !== undefined) this.#pending = { text, index: index + before.length, row };
  }

  #readTable(line: string, row: number): void {
    const table = TABLE.exec(line);
    const name = table?.[1];
    if (name !== undefined) {
      if (this.#isTyped || table?.groups?.["isSet"] !== undefined) this.#withOthers.add(name);
      if (/^[ \t]*local\b/.test(line)) this.#locals.add(name);
      if (this.#pending !== undefined) this.#names.add(name);
      if (this.#pending !== undefined && name !== this.#pending.text)
        this.#annotated.set(row, this.#pending);
    }
    this.#pending = undefined;
    this.#isTyped = false;
  }
}

/** Returns the rule for the name that a comment gives to the class of a table. */
function annotatedClass(node: Node): readonly DefinitionRule[] {
  const name = classesIn(node.tree).annotated.get(node.startPosition.row);
  if (name === undefined) return [];
  return [{ kind: "type", isInline: true, name: () => name, body: () => undefined }];
}

/** Returns the table that a file returns, whose functions others call. */
function returnedTable(node: Node): Node | undefined {
  if (node.type !== "return_statement" || node.parent?.type !== "chunk") return undefined;
  const value = childOfType(node, "expression_list")?.firstNamedChild;
  return value?.type === "table_constructor" ? value : undefined;
}
