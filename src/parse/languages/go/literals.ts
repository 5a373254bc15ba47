// Composite literals of Go. Their keys are fields or map keys, and nested literals may omit their type.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Returns the literal that contains an element without a type: `[]Point{{1, 2}}`. */
export function literalAround(node: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(node);
  while (/^(?:literal|keyed)_element$/.test(tree.typeName(around))) around = tree.parent(around);
  return tree.typeName(tree.parent(around)) === "composite_literal" ? tree.parent(around) : around;
}

/** Returns the literal whose field a key names; -1 if it is the key of a map or list. */
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

/** Returns the node of the literal's type if it is written out; -1 if only a name is known. */
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
