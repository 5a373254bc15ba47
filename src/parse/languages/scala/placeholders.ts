// `_` in an expression makes it a function: `_.name` of `people.map(_.name)`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** The parts of a node that belong to the function of a placeholder in them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  field_expression: ["value"],
  call_expression: ["function"],
  generic_function: ["function"],
  infix_expression: ["left", "right"],
  postfix_expression: [""],
  prefix_expression: [""],
};
const WORD = /^\p{L}/u;

/** Returns the expression that a placeholder makes a function, and the index of its parameter; undefined for other nodes. */
export function functionOf(
  node: number,
  tree: FlatSyntaxTree,
): { readonly callable: number; readonly parameter: number } | undefined {
  if (tree.typeName(node) !== "wildcard") return undefined;
  let callable = node;
  for (;;) {
    const around = tree.parent(callable);
    const parts = around === -1 ? undefined : PARTS[tree.typeName(around)];
    if (parts?.includes(tree.fieldName(callable)) !== true) break;
    if (isPassed(callable, around, tree)) break;
    callable = around;
  }
  if (callable === node) return undefined;
  let parameter = 0;
  for (let before = callable; before < node; before += 1) {
    if (tree.typeName(before) === "wildcard") parameter += 1;
  }
  return { callable, parameter };
}

/** Returns whether a function is passed to a method between two values: `people map _.name`. */
function isPassed(callable: number, around: number, tree: FlatSyntaxTree): boolean {
  if (tree.fieldName(callable) !== "right") return false;
  const operator = tree.childInField(around, "operator");
  return operator !== -1 && WORD.test(tree.textOf(operator));
}
