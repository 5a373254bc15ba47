// Macro arguments, which the grammar does not parse. The text between two names determines how they are
// related.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** After a nested list, its closing bracket precedes the separator. */
const BETWEEN_PARTS = /^\s*[)\]}?]?\s*\??\s*(?:\.|::)\s*$/;

/** Returns the receiver of a name after "." or "::"; -1 for all other names. */
export function objectInTokens(leaf: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(tree.parent(leaf)) !== "token_tree") return -1;
  const before = siblingBefore(leaf, tree);
  return before !== -1 && BETWEEN_PARTS.test(textBetween(before, leaf, tree)) ? before : -1;
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
