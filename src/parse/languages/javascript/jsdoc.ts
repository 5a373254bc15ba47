// Types that JSDoc comments declare: `@param {Type} name`, `@returns {Type}`, `@type {Type}`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { DocumentedTypes } from "../reference-rules.ts";

/** Longer comments are not read. */
const MAX_COMMENT_CHARS = 6000;
/** Maximum parents of a function or value that begin at its comment. */
const MAX_PARENTS = 5;

const TAG =
  /@(?<tag>param|arg|argument|returns?|type)\s+\{(?<type>[^{}]{1,80})\}\s*(?<name>\[?[\w$.]*)/g;
/** What a comment can be before, with the function or value in it. */
const HEADS = new Set([
  "assignment_expression",
  "expression_statement",
  "variable_declarator",
  "lexical_declaration",
  "variable_declaration",
  "export_statement",
  "pair",
  "field_definition",
  "await_expression",
  "parenthesized_expression",
]);
/** Types without definitions. */
const BUILT_IN =
  /^(?:any|unknown|void|null|undefined|never|object|Object|Function|function|string|String|number|Number|boolean|Boolean|symbol|Symbol|bigint|true|false|Array|Promise|Error|Date|RegExp|Map|Set|Buffer)$/;

export const jsdocTypes: DocumentedTypes = {
  ofParameter(callable, parameter, tree) {
    const types = tagsBefore(callable, tree)
      .filter(({ tag, name }) => /^arg|^param/.test(tag) && !name.includes("."))
      .map(({ type }) => type);
    return instanceOf(types[parameter]);
  },
  ofResult: (callable, tree) =>
    instanceOf(tagsBefore(callable, tree).find(({ tag }) => tag.startsWith("return"))?.type),
  ofValue: (node, tree) =>
    node === -1 ? "" : instanceOf(tagsBefore(node, tree).find(({ tag }) => tag === "type")?.type),
};

interface Tag {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
}

const NO_TAGS: readonly Tag[] = [];

/** Returns the tags with types of the comment before the statement or member that a node is the value of. */
function tagsBefore(node: number, tree: FlatSyntaxTree): readonly Tag[] {
  let start = node;
  for (let left = MAX_PARENTS; left > 0; left -= 1) {
    const parent = tree.parent(start);
    if (parent === -1 || !HEADS.has(tree.typeName(parent))) break;
    start = parent;
  }
  const { text } = tree;
  let end = tree.start(start);
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end -= 1;
  if (text[end - 1] !== "/" || text[end - 2] !== "*") return NO_TAGS;
  const from = text.lastIndexOf("/*", end - 2);
  if (from === -1 || text[from + 2] !== "*" || end - from > MAX_COMMENT_CHARS) return NO_TAGS;
  return tagsOf(tree, from, end);
}

/** The tags of the comments that were read, by where they end. A function asks for its comment once for each parameter. */
const tagsOfTrees = new WeakMap<FlatSyntaxTree, Map<number, readonly Tag[]>>();

function tagsOf(tree: FlatSyntaxTree, from: number, end: number): readonly Tag[] {
  const known = tagsOfTrees.get(tree) ?? new Map<number, readonly Tag[]>();
  tagsOfTrees.set(tree, known);
  let tags = known.get(end);
  if (tags === undefined) {
    tags = [...tree.text.slice(from, end).matchAll(TAG)].map(({ groups }) => ({
      tag: groups?.["tag"] ?? "",
      type: groups?.["type"] ?? "",
      name: groups?.["name"] ?? "",
    }));
    known.set(end, tags);
  }
  return tags;
}

/** Returns an instance of `Foo`, `?Foo`, `Foo | null`, `Foo=`, `Promise<Foo>`, `Foo[]`; "" for other types. */
function instanceOf(written: string | undefined): string {
  if (written === undefined) return "";
  const members = written
    .replace(/^[?!]|^\.\.\.|=$/g, "")
    .split("|")
    .map((member) => member.trim().replace(/^\((.*)\)$/, "$1"))
    .filter((member) => !/^(?:null|undefined|void)$/.test(member));
  const [only = ""] = members;
  if (members.length !== 1) return "";
  const wrapped = /^(?:Promise|Readonly|Partial)\.?<(.+)>$/.exec(only)?.[1];
  if (wrapped !== undefined) return instanceOf(wrapped);
  const element =
    /^(?:Array|Set|Iterable)\.?<(.+)>$/.exec(only)?.[1] ?? /^(.+)\[\]$/.exec(only)?.[1];
  if (element !== undefined) {
    const one = instanceOf(element);
    return one === "" ? "" : `${one}*`;
  }
  return /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/.test(only) && !BUILT_IN.test(only) ? `@${only}` : "";
}
