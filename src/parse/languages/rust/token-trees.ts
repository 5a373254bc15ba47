// Macro arguments, which the grammar does not parse. The text between two names determines how they are
// related.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** After a nested list, its closing bracket precedes the separator. */
const BETWEEN_PARTS = /^\s*[)\]}?]?\s*\??\s*(?:\.|::)\s*$/;

/** Returns the receiver of a name after "." or "::", or the type whose field it is; -1 for all other names. */
export function objectInTokens(leaf: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(leaf);
  if (tree.typeName(parent) !== "token_tree") return -1;
  const before = siblingBefore(leaf, tree);
  if (before !== -1 && BETWEEN_PARTS.test(textBetween(before, leaf, tree))) return before;
  return tree.text[tree.start(parent)] === "{" ? typeOfField(leaf, parent, tree) : -1;
}

/** Returns `Node` for `next` in `Node { next: None }`; -1 if that is no literal. */
function typeOfField(leaf: number, list: number, tree: FlatSyntaxTree): number {
  const { text } = tree;
  const type = siblingBefore(list, tree);
  if (type === -1 || !tree.isLeaf(type) || textBetween(type, list, tree).trim() !== "") return -1;
  const isField =
    /^\s*:[^:]/.test(text.slice(tree.end(leaf), tree.end(leaf) + 20)) &&
    /[{,]\s*$/.test(text.slice(Math.max(0, tree.start(leaf) - 80), tree.start(leaf)));
  const start = tree.start(type);
  const isLiteral =
    /^\p{Lu}/u.test(text.slice(start, start + 2)) &&
    !/\b(?:struct|enum|union|trait|impl|for|mod)\s+$/.test(text.slice(Math.max(0, start - 20), start));
  return isField && isLiteral ? type : -1;
}

/** Returns the callee of an argument list: the name directly before it. */
export function calleeInTokens(list: number, tree: FlatSyntaxTree): number {
  const before = tree.text[tree.start(list)] === "(" ? siblingBefore(list, tree) : -1;
  return before !== -1 && textBetween(before, list, tree) === "" ? before : -1;
}

function siblingBefore(node: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(node);
  let before = node - 1;
  if (before <= parent) return -1;
  while (tree.parent(before) !== parent) before = tree.parent(before);
  return before;
}

function textBetween(before: number, after: number, tree: FlatSyntaxTree): string {
  return tree.text.slice(tree.end(before), tree.start(after));
}
