// Where the definitions of Haskell have their names in the copied tree.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Nodes around a name: `(<+>)`, a backquoted name, the name of a field. */
const AROUND_NAME = new Set(["prefix_id", "infix_id", "field_name", "binding_list"]);

/** Returns the leaf with the name that a declaration defines: `f` of `f x = …`, `<+>` of `a <+> b = …`; -1 if none. */
export function declaredName(node: number, tree: FlatSyntaxTree): number {
  const name = tree.childInField(node, "name");
  if (name !== -1) return leafOf(name, tree);
  const names = tree.childInField(node, "names");
  if (names !== -1) return leafOf(names, tree);
  const infix = infixOf(node, tree);
  return infix === -1 ? -1 : leafOf(tree.childInField(infix, "operator"), tree);
}

/** Returns the leaf with the name that a node of the outline defines; -1 if it defines nothing. */
export function definedName(node: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(node) === "pattern_synonym") return synonymIn(node, tree);
  const inner = tree.childInField(node, "constructor");
  if (inner === -1 || tree.isLeaf(inner)) return declaredName(node, tree);
  const operator = tree.typeName(inner) === "infix" ? tree.childInField(inner, "operator") : -1;
  return operator === -1 ? declaredName(inner, tree) : leafOf(operator, tree);
}

/** Returns `Head` of `pattern Head x <- x : _`. */
function synonymIn(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  let name = first === -1 ? -1 : tree.childInField(first, "synonym");
  while (name !== -1 && !tree.isLeaf(name) && !AROUND_NAME.has(tree.typeName(name))) {
    const inner = ["function", "operator", "constructor"].map((field) =>
      tree.childInField(name, field),
    );
    name = inner.find((one) => one !== -1) ?? -1;
  }
  return leafOf(name, tree);
}

/** Returns `a <+> b` of `a <+> b = …` and of `(a <+> b) c = …`; -1 if the name comes first. */
export function infixOf(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  if (first === -1) return -1;
  const type = tree.typeName(first);
  if (type === "function_head_parens") return infixOf(first, tree);
  return type === "infix" ? first : -1;
}

/** Returns the leaf in a node with one name; -1 if there is none. */
export function leafOf(node: number, tree: FlatSyntaxTree): number {
  let leaf = node;
  while (leaf !== -1 && AROUND_NAME.has(tree.typeName(leaf))) leaf = tree.child(leaf, 0);
  return leaf !== -1 && tree.isLeaf(leaf) ? leaf : -1;
}
