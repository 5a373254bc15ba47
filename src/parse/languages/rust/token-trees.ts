// What is handed to a macro is no syntax to the grammar. Names in it are told apart by what stands between them.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Behind a list its bracket is still to come. */
const BETWEEN_PARTS = /^\s*[)\]}?]?\s*\??\s*(?:\.|::)\s*$/;

/** What a name behind a "." or "::" is a member of; -1 for all other names. */
export function objectInTokens(leaf: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(tree.parent(leaf)) !== "token_tree") return -1;
  const before = siblingBefore(leaf, tree);
  return before !== -1 && BETWEEN_PARTS.test(textBetween(before, leaf, tree)) ? before : -1;
}

/** What is called with a list of arguments: the name directly before it. */
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
