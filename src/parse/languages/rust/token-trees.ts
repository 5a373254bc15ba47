// Macro arguments, which the grammar does not parse. The text between two names determines how they are
// related.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Blanks and keywords next to a name that are read. */
const MAX_BLANKS = 80;
/** After a nested list, its closing bracket precedes the separator. */
const BETWEEN_PARTS = /^\s*[)\]}?]?\s*\??\s*(?:\.|::)\s*$/;

/** Returns the receiver of a name after "." or "::", or the type whose field it is; -1 for all other names. */
export function objectInTokens(leaf: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(leaf);
  if (tree.typeName(parent) !== "token_tree") return -1;
  const before = siblingBefore(leaf, tree);
  if (before !== -1 && BETWEEN_PARTS.test(textBetween(before, leaf, tree))) return before;
  return isFieldName(leaf, tree) && typeInTokens(parent, tree) !== -1 ? parent : -1;
}

/** Returns whether the name is followed by a colon, at the beginning of its part of the list. */
function isFieldName(leaf: number, tree: FlatSyntaxTree): boolean {
  const start = tree.start(leaf);
  const end = tree.end(leaf);
  const before = tree.text.slice(Math.max(0, start - MAX_BLANKS), start);
  return /^\s*:[^:]/.test(tree.text.slice(end, end + MAX_BLANKS)) && /[{,]\s*$/.test(before);
}

/** Returns `Node` for the fields in `Node { next: None }`; -1 if the list is not a literal. */
export function typeInTokens(list: number, tree: FlatSyntaxTree): number {
  if (tree.text[tree.start(list)] !== "{") return -1;
  const type = siblingBefore(list, tree);
  if (type === -1 || !tree.isLeaf(type) || textBetween(type, list, tree).trim() !== "") return -1;
  const start = tree.start(type);
  const before = tree.text.slice(Math.max(0, start - MAX_BLANKS), start);
  const isDefined = /\b(?:struct|enum|union|trait|impl|for|mod)\s+$/.test(before);
  return /^\p{Lu}/u.test(tree.text.slice(start, start + 2)) && !isDefined ? type : -1;
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
