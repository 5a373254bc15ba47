// Smart casts of Kotlin: conditions that determine the type of a variable where they hold, `if (shape is Circle) …`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NarrowedType } from "../type-conditions.ts";

/** Levels between a name and the condition. */
const MAX_LEVELS = 16;
/** Statements before a name in its block. */
const MAX_STATEMENTS = 40;
/** Conditions in a condition. */
const MAX_DEPTH = 8;
const FUNCTIONS = new Set(["function_declaration", "anonymous_function", "class_body"]);
const EXIT = /^(?:return|throw|continue|break)\b/;
const CHECK = /^(?:check|require)$/;

interface Place {
  /** The part that has the name. */
  readonly node: number;
  readonly name: string;
  readonly tree: FlatSyntaxTree;
}

/** Returns the type that the conditions around a name give to its variable; undefined if there are none. */
export function smartCastOf(leaf: number, tree: FlatSyntaxTree): NarrowedType | undefined {
  const name = tree.textOf(leaf);
  let node = leaf;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    if (around === -1 || FUNCTIONS.has(tree.typeName(around))) return undefined;
    const type = typeAround(around, { node, name, tree });
    if (type !== undefined) return { type };
    node = around;
  }
  return undefined;
}

function typeAround(around: number, place: Place): number | undefined {
  const { node, tree } = place;
  switch (tree.typeName(around)) {
    case "when_entry":
      return ofEntry(around, place);
    case "if_expression":
      if (node === tree.child(around, 1)) return typeIf(tree.child(around, 0), place, true);
      return node === tree.child(around, 2)
        ? typeIf(tree.child(around, 0), place, false)
        : undefined;
    case "binary_expression": {
      const [left = -1, right] = tree.children(around);
      if (node !== right) return undefined;
      const operator = operatorBetween(left, right, tree);
      if (operator.startsWith("&&")) return typeIf(left, place, true);
      return operator.startsWith("||") ? typeIf(left, place, false) : undefined;
    }
    case "block":
    case "lambda_literal":
      return afterExits(around, place);
    default:
      return undefined;
  }
}

/** Returns the type in `is Circle -> …`, if it is the only condition and about the variable. */
function ofEntry(entry: number, place: Place): number | undefined {
  const { node, name, tree } = place;
  const [condition = -1, body] = tree.children(entry);
  if (node !== body) return undefined;
  if (tree.typeName(condition) !== "type_test") return typeIf(condition, place, true);
  const [subject = -1] = tree.childrenOfType(tree.parent(entry), "when_subject");
  const isNegated = tree.text[tree.start(condition)] === "!";
  if (subject === -1 || isNegated) return undefined;
  const variable = tree.child(subject, 0);
  const isDeclared = variable !== -1 && tree.typeName(variable) === "variable_declaration";
  const isMeant = isName(isDeclared ? tree.child(variable, 0) : variable, name, tree);
  return isMeant ? tree.child(condition, 0) : undefined;
}

/** An earlier statement determines the type: `if (shape !is Circle) return`, `check(shape is Circle)`. */
function afterExits(block: number, place: Place): number | undefined {
  const { node, tree } = place;
  const before = tree.children(block).filter((child) => child < node);
  for (const statement of before.slice(-MAX_STATEMENTS).toReversed()) {
    const found = afterStatement(statement, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function afterStatement(statement: number, place: Place): number | undefined {
  const { tree } = place;
  const [first = -1, second = -1, third] = tree.children(statement);
  if (first === -1 || second === -1) return undefined;
  if (tree.typeName(statement) === "if_expression") {
    const isBlock = tree.typeName(second) === "block";
    const last = isBlock ? tree.child(second, -1) : second;
    const isExit = third === undefined && last !== -1 && EXIT.test(tree.textOf(last));
    return isExit ? typeIf(first, place, false) : undefined;
  }
  const isCheck = tree.typeName(statement) === "call_expression" && isCheckName(first, tree);
  const argument = isCheck ? tree.child(second, 0) : -1;
  return argument === -1 ? undefined : typeIf(tree.child(argument, 0), place, true);
}

function isCheckName(callee: number, tree: FlatSyntaxTree): boolean {
  return tree.isLeaf(callee) && CHECK.test(tree.textOf(callee));
}

/** Returns the type of the variable if a condition is true, or if it is false. */
function typeIf(condition: number, place: Place, isTrue: boolean, depth = 0): number | undefined {
  const { tree } = place;
  if (condition === -1 || depth > MAX_DEPTH) return undefined;
  const [left = -1, right = -1] = tree.children(condition);
  switch (tree.typeName(condition)) {
    case "parenthesized_expression":
      return typeIf(left, place, isTrue, depth + 1);
    case "unary_expression": {
      const isNegation = tree.text[tree.start(condition)] === "!";
      return isNegation ? typeIf(left, place, !isTrue, depth + 1) : undefined;
    }
    case "binary_expression": {
      const both = operatorBetween(left, right, tree).startsWith(isTrue ? "&&" : "||");
      const parts = both ? [right, left] : [];
      return parts.map((part) => typeIf(part, place, isTrue, depth + 1)).find(isKnown);
    }
    case "is_expression":
      return isTested({ left, right }, isTrue, place) ? right : undefined;
    default:
      return undefined;
  }
}

/** Returns whether `left is right`, or with `isTrue` false `left !is right`, is a test of the variable. */
function isTested(
  { left, right }: { readonly left: number; readonly right: number },
  isTrue: boolean,
  { name, tree }: Place,
): boolean {
  const isPositive = !operatorBetween(left, right, tree).startsWith("!");
  return isPositive === isTrue && isName(left, name, tree);
}

function isKnown(type: number | undefined): boolean {
  return type !== undefined;
}

/** The text of a node ends before its closing brackets and quotes. */
function operatorBetween(left: number, right: number, tree: FlatSyntaxTree): string {
  return left === -1 || right === -1
    ? ""
    : tree.textBetween(left, right).replace(/^[\s)\]}"'`]+/, "");
}

function isName(node: number, name: string, tree: FlatSyntaxTree): boolean {
  return node !== -1 && tree.typeName(node) === "identifier" && tree.textOf(node) === name;
}
