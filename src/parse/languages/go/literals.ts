// Literals of Go, whose keys are fields or keys, and which may leave out their type.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** The literal that one without a type of its own is an element of: `[]Point{{1, 2}}`. */
export function literalAround(node: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(node);
  while (/^(?:literal|keyed)_element$/.test(tree.typeName(around))) around = tree.parent(around);
  return tree.typeName(tree.parent(around)) === "composite_literal" ? tree.parent(around) : around;
}

/** The literal whose field a key names; -1 where the key is one of a map or a list. */
export function structOfKey(node: number, tree: FlatSyntaxTree): number {
  if (tree.fieldName(node) !== "key") return -1;
  const value = tree.parent(tree.parent(node));
  const isTyped = tree.typeName(tree.parent(value)) === "composite_literal";
  const literal = isTyped ? tree.parent(value) : value;
  const type = typeOfLiteral(literal, tree);
  return /^(?:map|slice|array|implicit_length_array)_type$/.test(tree.typeName(type))
    ? -1
    : literal;
}

/** Node of its type as far as it is written out; -1 where that is behind a name. */
function typeOfLiteral(literal: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(literal) === "composite_literal") return tree.childInField(literal, "type");
  const around = literalAround(literal, tree);
  if (!/^(?:composite_literal|literal_value)$/.test(tree.typeName(around))) return -1;
  const type = typeOfLiteral(around, tree);
  const element = type === -1 ? -1 : tree.child(type, -1);
  return element !== -1 && tree.typeName(element) === "pointer_type"
    ? tree.child(element, 0)
    : element;
}
