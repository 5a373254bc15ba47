// Types that comments declare: `---@param name Type`, `---@return Type`, `---@type Type`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { DocumentedTypes } from "../reference-rules.ts";

/** Maximum lines of a comment. */
const MAX_LINES = 60;
/** Longer lines have no types. */
const MAX_CHARS = 300;
const TAG = /^\s*---?\s*@(param|return|type|class)\s+(.+)$/;
const BUILT_IN =
  /^(?:any|nil|boolean|bool|string|number|integer|int|function|fun|table|thread|userdata|lightuserdata|self|void|true|false|unknown|object)$/;
/** Nodes that begin at their value, or at the name to which it is assigned. */
const HEADS =
  /^(?:expression_list|assignment_statement|variable_declaration|field|function_declaration)$/;
const MAX_PARENTS = 4;

export const luaTypes: DocumentedTypes = {
  ofParameter(callable, parameter, tree) {
    const name = parameterName(callable, parameter, tree);
    const found = tagsBefore(callable, tree).find(
      ({ tag, text }) => tag === "param" && /^[\w.]+/.exec(text)?.[0] === name,
    );
    return name === "" ? "" : typeIn(found?.text.replace(/^[\w.]+\??\s+/, ""));
  },
  ofResult: (callable, tree) =>
    typeIn(tagsBefore(callable, tree).find(({ tag }) => tag === "return")?.text),
  ofValue: (node, tree) =>
    node === -1 ? "" : typeIn(tagsBefore(node, tree).find(({ tag }) => tag === "type")?.text),
};

interface Tag {
  readonly tag: string;
  readonly text: string;
}

function parameterName(callable: number, parameter: number, tree: FlatSyntaxTree): string {
  const list = tree.childInField(callable, "parameters");
  const name = list === -1 ? -1 : tree.child(list, parameter);
  return name === -1 ? "" : tree.textOf(name);
}

const tagsOfTrees = new WeakMap<FlatSyntaxTree, Map<number, readonly Tag[]>>();

/** Returns the tags of the comment before the statement that a node is the value of. */
function tagsBefore(node: number, tree: FlatSyntaxTree): readonly Tag[] {
  let start = node;
  for (let left = MAX_PARENTS; left > 0; left -= 1) {
    const parent = tree.parent(start);
    if (parent <= 0 || !HEADS.test(tree.typeName(parent))) break;
    start = parent;
  }
  const known = tagsOfTrees.get(tree) ?? new Map<number, readonly Tag[]>();
  tagsOfTrees.set(tree, known);
  const at = tree.start(start);
  const tags = known.get(at) ?? readTags(tree.text, at);
  known.set(at, tags);
  return tags;
}

/** Reads the lines before a place as long as they are comments. */
function readTags(text: string, at: number): readonly Tag[] {
  const tags: Tag[] = [];
  let end = text.lastIndexOf("\n", at - 1);
  for (let left = MAX_LINES; end > 0 && left > 0; left -= 1) {
    const begin = text.lastIndexOf("\n", end - 1) + 1;
    const line = end - begin > MAX_CHARS ? "" : text.slice(begin, end);
    if (!/^\s*--/.test(line)) break;
    const [, tag, rest = ""] = TAG.exec(line) ?? [];
    if (tag !== undefined) tags.push({ tag, text: rest.trim() });
    end = begin - 1;
  }
  return tags.toReversed();
}

/** Returns the expression of an object of `Foo`, `Foo?`, `Foo|nil`, `Foo[]`, `table<string, Foo>`; "" for other types. */
function typeIn(written: string | undefined): string {
  if (written === undefined) return "";
  const pattern = /^(?:table<\s*[\w.]+\s*,\s*([\w.]+)\s*>|([\w.]+))((?:\[\])*)/;
  const text = written.replace(/^\(|^nil\s*\|\s*/, "");
  const [whole = "", value, plain, layers = ""] = pattern.exec(text) ?? [];
  const name = value ?? plain ?? "";
  const rest = text.slice(whole.length).trimStart();
  // A union, a generic type or a function.
  if (name === "" || BUILT_IN.test(name) || /^(?:\|(?!\s*nil)|[<(:])/.test(rest)) return "";
  const depth = layers.length / 2 + (value === undefined ? 0 : 1);
  return `@${inOnePart(name)}${"*".repeat(depth)}`;
}

/** Returns the expression of what a class inherits from: `---@class Big : Item`; "" if it inherits from nothing. */
export function annotatedBase(node: number, tree: FlatSyntaxTree): string {
  const found = tagsBefore(node, tree).find(({ tag }) => tag === "class");
  const [, base] = /^(?:\(exact\)\s*)?[\w.]+\s*:\s*([\w.]+)/.exec(found?.text ?? "") ?? [];
  return base === undefined || BUILT_IN.test(base) ? "" : `@${inOnePart(base)}`;
}

/** In an expression, a dot is before a member. */
function inOnePart(name: string): string {
  return name.replaceAll(".", ":");
}
