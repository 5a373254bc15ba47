import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Returns `Foo` of `{ [K in keyof Foo]: … }`, which has the members of `Foo`; -1 for other types. */
export function mappedType(object: number, tree: FlatSyntaxTree): number {
  const [signature = -1, ...others] = tree.children(object);
  if (signature === -1 || others.length > 0 || tree.typeName(signature) !== "index_signature")
    return -1;
  const [clause = -1] = tree.childrenOfType(signature, "mapped_type_clause");
  if (clause === -1 || tree.childInField(clause, "alias") !== -1) return -1;
  const keys = tree.childInField(clause, "type");
  return keys !== -1 && tree.typeName(keys) === "index_type_query" ? tree.child(keys, 0) : -1;
}
