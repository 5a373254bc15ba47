// Lists that are written out in full: `const [user, posts] = await Promise.all([loadUser(), loadPosts()])`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

const LISTS = /^(?:array|array_pattern|tuple_type)$/;
const WRAPPERS =
  /^(?:(?:await|parenthesized|as|satisfies|non_null)_expression|type_annotation|readonly_type|parenthesized_type)$/;
/** Parts that stand for any number of elements. */
const OPEN_PARTS = /^(?:spread_element|rest_pattern|rest_type)$/;
/** Elements of a tuple with names: `[user: User, posts?: Post[]]`. */
const NAMED_PARTS = /^(?:required|optional)_parameter$/;

/**
 * Returns the elements of a pattern, a value or a type by their places, -1 for one that is left out; undefined if it is no
 * list, or if an element stands for several.
 */
export function listedParts(node: number, tree: FlatSyntaxTree): readonly number[] | undefined {
  const list = listIn(node, tree);
  if (list === -1) return undefined;
  const parts: number[] = [];
  let from = tree.start(list);
  for (const part of tree.children(list)) {
    const type = tree.typeName(part);
    if (OPEN_PARTS.test(type)) return undefined;
    const place =
      parts.length + commasIn(tree.text.slice(from, tree.start(part))) - Math.sign(parts.length);
    while (parts.length < place) parts.push(-1);
    parts.push(NAMED_PARTS.test(type) ? tree.childInField(part, "type") : part);
    from = tree.end(part);
  }
  return parts;
}

/** Counts the commas after an element. A tree has no end of its brackets, which may follow a comma of their own. */
function commasIn(between: string): number {
  const after = between.slice(between.search(/[)\]}>"'`][^)\]}>"'`]*$/) + 1);
  return after.split(",").length - 1;
}

function listIn(node: number, tree: FlatSyntaxTree): number {
  let inner = node;
  while (inner !== -1) {
    const type = tree.typeName(inner);
    if (LISTS.test(type)) return inner;
    if (type === "call_expression") {
      if (tree.textOf(tree.childInField(inner, "function")) !== "Promise.all") return -1;
      inner = tree.child(tree.childInField(inner, "arguments"), 0);
      continue;
    }
    // `value as Type` has the elements of the type.
    if (!WRAPPERS.test(type) || tree.children(inner).length > 1) return -1;
    inner = tree.child(inner, 0);
  }
  return -1;
}
