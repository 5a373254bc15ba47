// Parts of nodes of Zig's grammar, which has few fields.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Types of nodes that are types with members. */
const CONTAINER = /^(?:struct|union|enum|opaque)_declaration$/;

/** The first nodes of a block in which `break` is searched. */
const MAX_BLOCK_NODES = 2000;

/** Returns whether the node declares a name: the grammar has the same node type for `x = y`. */
export function declares(node: number, tree: FlatSyntaxTree): boolean {
  const first = tree.child(node, 0);
  return (
    first !== -1 && /\b(?:const|var)\b/.test(tree.text.slice(tree.start(node), tree.start(first)))
  );
}

/** Returns the n-th name of a declaration; -1 if there is none. */
export function nthName(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const value = initialValue(node, tree);
    const names = tree
      .childrenOfType(node, "identifier")
      .filter((child) => child !== value && tree.fieldName(child) === "");
    return names[number] ?? -1;
  };
}

/** Returns what is assigned in a declaration or an assignment; -1 if nothing is. */
export function initialValue(node: number, tree: FlatSyntaxTree): number {
  const [before = -1, last = -1] = tree.children(node).slice(-2);
  return last !== -1 && tree.textBetween(before, last).includes("=") ? last : -1;
}

/** The same if the declaration has one name. */
export function valueOfOne(node: number, tree: FlatSyntaxTree): number {
  return nthName(1)(node, tree) === -1 ? initialValue(node, tree) : -1;
}

/** Returns the n-th name between the bars after a condition: `|x, i|`. */
export function captured(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const [payload = -1] = tree.childrenOfType(node, "payload");
    return payload === -1 ? -1 : tree.child(payload, number);
  };
}

/** Returns the n-th list of a loop: `for (a, b) |x, y|`. */
export function iterated(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const children = tree.children(node);
    const payload = children.findIndex((child) => tree.typeName(child) === "payload");
    return number < payload ? (children[number] ?? -1) : -1;
  };
}

/** Returns the value of which a case of a `switch` has a part: the pattern, or the compared value after `else`. */
export function matched(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  if (first === -1 || tree.typeName(first) === "payload") return tree.child(tree.parent(node), 0);
  return first;
}

/** Returns the value of one branch of an `if`. */
export function branch(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const branches = tree
      .children(node)
      .filter(
        (child) => tree.fieldName(child) !== "condition" && tree.typeName(child) !== "payload",
      );
    const found = branches[number] ?? -1;
    return found !== -1 && tree.typeName(found) === "else_clause"
      ? tree.childInField(found, "alternative")
      : found;
  };
}

/** Returns the value of one case of a `switch`. */
export function caseValue(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const one = tree.childrenOfType(node, "switch_case")[number];
    return one === undefined ? -1 : resultOfCase(one, tree);
  };
}

/** Returns the value of a case; -1 if that is a keyword, as in `.a => unreachable`. */
export function resultOfCase(node: number, tree: FlatSyntaxTree): number {
  const last = tree.child(node, -1);
  const before = last === -1 ? "" : tree.text.slice(tree.start(node), tree.start(last));
  return /(?:=>|\|)\s*$/.test(before) ? last : -1;
}

/** Returns the type of a field or of a value of an enum, which is the node itself: its type is that around it. */
export function fieldType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  return type === -1 ? node : type;
}

/** Returns the type that a function returns; of a generic type what it returns, unless that is its own structure. */
export function resultType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  if (!isType(type, tree)) return type;
  const value = returnedValue(node, tree);
  return value === -1 || CONTAINER.test(tree.typeName(value)) ? -1 : value;
}

/** Returns the structure that a generic type returns; -1 for other functions. */
export function returnedType(node: number, tree: FlatSyntaxTree): number {
  if (!isType(tree.childInField(node, "type"), tree)) return -1;
  const value = returnedValue(node, tree);
  return value !== -1 && CONTAINER.test(tree.typeName(value)) ? value : -1;
}

function isType(type: number, tree: FlatSyntaxTree): boolean {
  return type !== -1 && tree.textOf(type) === "type";
}

/** Returns the value of the last statement of a function if that returns one. */
function returnedValue(node: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(node, "body");
  const last = body === -1 ? -1 : tree.child(body, -1);
  const isWrapped = last !== -1 && tree.typeName(last) === "expression_statement";
  const statement = isWrapped ? tree.child(last, 0) : last;
  const isReturn = statement !== -1 && tree.typeName(statement) === "return_expression";
  return isReturn ? tree.child(statement, 0) : -1;
}

/** Returns whether the value of an operation is one of both sides. */
export function isAlternative(node: number, tree: FlatSyntaxTree): boolean {
  const left = tree.childInField(node, "left");
  const right = tree.childInField(node, "right");
  return left !== -1 && right !== -1 && /\borelse\s*$/.test(tree.textBetween(left, right));
}

/** Returns the label of a block or of what leaves it; "" if it has none. */
export function labelOf(
  node: number,
  type: "block_label" | "break_label",
  tree: FlatSyntaxTree,
): string {
  const [label = -1] = tree.childrenOfType(node, type);
  const name = label === -1 ? -1 : tree.child(label, 0);
  return name === -1 ? "" : tree.textOf(name);
}

/** Returns the first value that a labelled block is left with. */
export function brokenValue(node: number, tree: FlatSyntaxTree): number {
  const name = labelOf(node, "block_label", tree);
  const end = Math.min(tree.next(node), node + MAX_BLOCK_NODES);
  if (name === "") return -1;
  for (let inside = node; inside < end; inside += 1) {
    if (tree.typeName(inside) !== "break_expression") continue;
    const value = tree.child(inside, 1);
    if (value !== -1 && labelOf(inside, "break_label", tree) === name) return value;
  }
  return -1;
}

/** Returns false for the list in `[]a.Name`, which the grammar takes for a member of a list. */
export function isWholeType(node: number, tree: FlatSyntaxTree): boolean {
  return !/^(?:object|function)$/.test(tree.fieldName(node));
}
