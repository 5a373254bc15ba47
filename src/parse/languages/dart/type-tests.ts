// Tests of types in Dart: conditions that determine the type of a variable where they hold, `if (shape is Circle) …`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NarrowedType } from "../type-conditions.ts";
import { typeIn } from "./parts.ts";

/** Levels between a name and the condition. */
const MAX_LEVELS = 48;
/** Statements before a name in its block. */
const MAX_STATEMENTS = 40;
/** Conditions in a condition. */
const MAX_DEPTH = 8;
const FUNCTIONS = /^(?:function|constructor|class_body|extension_body|enum_body)$/;
const EXIT = /^(?:return|throw|continue|break|rethrow)\b/;

interface Place {
  /** The part that has the name. */
  readonly node: number;
  readonly name: string;
  readonly tree: FlatSyntaxTree;
}

/** Returns the type that the conditions around a name give to its variable; undefined if there are none. */
export function typeTestOf(leaf: number, tree: FlatSyntaxTree): NarrowedType | undefined {
  const name = tree.textOf(leaf);
  let node = leaf;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    if (around === -1 || FUNCTIONS.test(tree.typeName(around))) return undefined;
    const type = typeFrom(around, { node, name, tree });
    if (type !== undefined) return { type };
    node = around;
  }
  return undefined;
}

function typeFrom(around: number, place: Place): number | undefined {
  const { node, tree } = place;
  const [first = -1] = tree.children(around);
  switch (tree.typeName(around)) {
    case "if_statement":
    case "conditional_expression":
    case "if_element":
      return typeOfBranch(first, place);
    case "while_statement":
      return tree.fieldName(node) === "body"
        ? typeIf(tree.child(first, 0), place, true)
        : undefined;
    case "switch_expression_case":
    case "switch_statement_case":
      return typeOfCase(around, place);
    case "logical_and_expression":
      return typeOfAny(around, place, true);
    case "logical_or_expression":
      return typeOfAny(around, place, false);
    case "block":
      return afterExits(around, place);
    default:
      return undefined;
  }
}

function typeOfBranch(condition: number, place: Place): number | undefined {
  const field = place.tree.fieldName(place.node);
  if (field === "alternative") return typeIf(condition, place, false);
  if (field !== "consequence") return undefined;
  const matched = typeOfPattern(condition, place);
  return matched === -1 ? typeIf(condition, place, true) : matched;
}

/** Returns the type in `if (shape case Circle()) …`, or -1. */
function typeOfPattern(value: number, { name, tree }: Place): number {
  const pattern = value === -1 ? -1 : tree.next(value);
  const isPattern = pattern < tree.count && tree.typeName(pattern).endsWith("_pattern");
  const isMeant = isPattern && tree.isLeaf(value) && tree.textOf(value) === name;
  return isMeant ? typeIn(pattern, tree) : -1;
}

/** Returns the type in `case Circle(): …`, if the switch is about the variable. */
function typeOfCase(around: number, { node, name, tree }: Place): number | undefined {
  const patterns = tree
    .children(around)
    .filter((child) => tree.typeName(child).endsWith("_pattern"));
  const [pattern = -1] = patterns;
  if (patterns.length !== 1 || node === pattern) return undefined;
  let outer = tree.parent(around);
  if (outer !== -1 && tree.typeName(outer) === "switch_block") outer = tree.parent(outer);
  const condition = outer === -1 ? -1 : tree.childInField(outer, "condition");
  const value = condition === -1 ? -1 : tree.child(condition, 0);
  const isMeant = value !== -1 && tree.isLeaf(value) && tree.textOf(value) === name;
  const type = isMeant ? typeIn(pattern, tree) : -1;
  return type === -1 ? undefined : type;
}

/** One of the operands before the name determines the type. */
function typeOfAny(around: number, place: Place, isTrue: boolean): number | undefined {
  const { node, tree } = place;
  const before = tree.children(around).filter((child) => child < node);
  return before.map((one) => typeIf(one, place, isTrue)).find(isKnown);
}

/** An earlier statement determines the type: `if (shape is! Circle) return;`. */
function afterExits(block: number, place: Place): number | undefined {
  const { node, tree } = place;
  const before = tree.children(block).filter((child) => child < node);
  for (const statement of before.slice(-MAX_STATEMENTS).toReversed()) {
    const [condition = -1, ...parts] = tree.children(statement);
    const type = tree.typeName(statement);
    const [exit] = parts;
    if (type === "if_statement" && exit !== undefined && parts.length === 1) {
      const isBlock = tree.typeName(exit) === "block";
      const last = isBlock ? tree.child(exit, -1) : exit;
      const isExit =
        last !== -1 && EXIT.test(tree.text.slice(tree.start(last), tree.start(last) + 9));
      const found = isExit ? typeIf(condition, place, false) : undefined;
      if (found !== undefined) return found;
    } else if (type === "assert_statement") {
      const list = tree.child(condition, -1);
      const found = list === -1 ? undefined : typeIf(tree.child(list, 0), place, true);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the type of the variable if a condition is true, or if it is false. */
function typeIf(condition: number, place: Place, isTrue: boolean, depth = 0): number | undefined {
  const { tree } = place;
  if (condition === -1 || depth > MAX_DEPTH) return undefined;
  const children = tree.children(condition);
  const [first = -1, second = -1] = children;
  switch (tree.typeName(condition)) {
    case "parenthesized_expression":
      return typeIf(first, place, isTrue, depth + 1);
    case "unary_expression": {
      const isNegation = tree.text[tree.start(condition)] === "!";
      return isNegation ? typeIf(second, place, !isTrue, depth + 1) : undefined;
    }
    case "logical_and_expression":
    case "logical_or_expression": {
      const isAnd = tree.typeName(condition) === "logical_and_expression";
      if (isAnd !== isTrue) return undefined;
      return children.map((part) => typeIf(part, place, isTrue, depth + 1)).find(isKnown);
    }
    case "type_test_expression":
      return testedBy(condition, place, isTrue);
    default:
      return undefined;
  }
}

/** Returns the type in `shape is Circle`, or with `isTrue` false in `shape is! Circle`. */
function testedBy(test: number, { name, tree }: Place, isTrue: boolean): number | undefined {
  const [value = -1, tested = -1] = tree.children(test);
  if (tested === -1 || !tree.isLeaf(value) || tree.textOf(value) !== name) return undefined;
  const isPositive = !tree.textOf(tree.child(tested, 0)).endsWith("!");
  const type = typeIn(tested, tree);
  return isPositive === isTrue && type !== -1 ? type : undefined;
}

function isKnown(type: number | undefined): boolean {
  return type !== undefined;
}
