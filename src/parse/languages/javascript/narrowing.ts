// Conditions that determine the type of a variable where they hold: `if (error instanceof Failure) …`, `if (!isOpen(file)) return;`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NarrowedType } from "../shape-rules.ts";

/** Levels between a name and the condition. */
const MAX_LEVELS = 14;
/** Statements before a name in its block. */
const MAX_STATEMENTS = 40;
const FUNCTION = /function|method_definition/;
const EXIT = /^(?:return|throw|continue|break)_statement$/;

/** Returns the type that the conditions around a name give to its variable; undefined if there are none. */
export function narrowedType(leaf: number, tree: FlatSyntaxTree): NarrowedType | undefined {
  const name = tree.textOf(leaf);
  let node = leaf;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    if (around === -1 || FUNCTION.test(tree.typeName(around))) return undefined;
    const found = narrowedIn(around, { node, name, tree });
    if (found !== undefined) return found;
    node = around;
  }
  return undefined;
}

interface Place {
  /** The part that has the name. */
  readonly node: number;
  readonly name: string;
  readonly tree: FlatSyntaxTree;
}

function narrowedIn(around: number, place: Place): NarrowedType | undefined {
  const { node, tree } = place;
  const field = tree.fieldName(node);
  switch (tree.typeName(around)) {
    case "if_statement":
    case "ternary_expression": {
      const condition = tree.childInField(around, "condition");
      if (field === "consequence") return whereTrue(condition, place);
      return field === "alternative" ? whereFalse(condition, place) : undefined;
    }
    case "binary_expression": {
      if (field !== "right") return undefined;
      const left = tree.childInField(around, "left");
      const operator = operatorBetween(left, node, tree);
      if (operator.startsWith("&&")) return whereTrue(left, place);
      return operator.startsWith("||") ? whereFalse(left, place) : undefined;
    }
    case "statement_block":
    case "program":
      return afterExits(around, place);
    default:
      return undefined;
  }
}

/** An earlier statement makes the condition true: `if (!condition) return;`. */
function afterExits(block: number, place: Place): NarrowedType | undefined {
  const { node, tree } = place;
  const before = tree.children(block).filter((child) => child < node);
  for (const statement of before.slice(-MAX_STATEMENTS).toReversed()) {
    if (tree.typeName(statement) !== "if_statement") continue;
    if (tree.childInField(statement, "alternative") !== -1) continue;
    const consequence = tree.childInField(statement, "consequence");
    const isBlock = consequence !== -1 && tree.typeName(consequence) === "statement_block";
    const last = isBlock ? tree.child(consequence, -1) : consequence;
    if (last === -1 || !EXIT.test(tree.typeName(last))) continue;
    const found = whereFalse(tree.childInField(statement, "condition"), place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function whereTrue(condition: number, place: Place): NarrowedType | undefined {
  const { name, tree } = place;
  if (condition === -1) return undefined;
  switch (tree.typeName(condition)) {
    case "parenthesized_expression":
      return whereTrue(tree.child(condition, 0), place);
    case "unary_expression":
      return isNegation(condition, tree)
        ? whereFalse(tree.childInField(condition, "argument"), place)
        : undefined;
    case "binary_expression": {
      const left = tree.childInField(condition, "left");
      const right = tree.childInField(condition, "right");
      const operator = operatorBetween(left, right, tree);
      if (operator.startsWith("&&")) return whereTrue(right, place) ?? whereTrue(left, place);
      const isTest = operator === "instanceof" && isName(left, name, tree);
      return isTest ? { type: right } : undefined;
    }
    case "call_expression":
      return testIn(condition, place, false);
    default:
      return undefined;
  }
}

/** The grammar reads `!isFoo<Bar>(value)` as a call of `!isFoo`. */
function testIn(call: number, { name, tree }: Place, isNegated: boolean): NarrowedType | undefined {
  const list = tree.childInField(call, "arguments");
  const [first = -1] = list === -1 ? [] : tree.children(list);
  const callee = tree.childInField(call, "function");
  if (callee === -1 || !isName(first, name, tree)) return undefined;
  const isUnary = tree.typeName(callee) === "unary_expression" && isNegation(callee, tree);
  if (isUnary !== isNegated) return undefined;
  return { guard: isUnary ? tree.childInField(callee, "argument") : callee };
}

function whereFalse(condition: number, place: Place): NarrowedType | undefined {
  const { tree } = place;
  if (condition === -1) return undefined;
  switch (tree.typeName(condition)) {
    case "parenthesized_expression":
      return whereFalse(tree.child(condition, 0), place);
    case "unary_expression":
      return isNegation(condition, tree)
        ? whereTrue(tree.childInField(condition, "argument"), place)
        : undefined;
    case "call_expression":
      return testIn(condition, place, true);
    case "binary_expression": {
      const left = tree.childInField(condition, "left");
      const right = tree.childInField(condition, "right");
      const isEither = operatorBetween(left, right, tree).startsWith("||");
      return isEither ? (whereFalse(right, place) ?? whereFalse(left, place)) : undefined;
    }
    default:
      return undefined;
  }
}

/** The text of a node ends before its closing brackets and quotes. */
function operatorBetween(left: number, right: number, tree: FlatSyntaxTree): string {
  return left === -1 || right === -1
    ? ""
    : tree
        .textBetween(left, right)
        .replace(/^[\s)\]}"'`]+/, "")
        .trim();
}

function isNegation(node: number, tree: FlatSyntaxTree): boolean {
  return tree.text[tree.start(node)] === "!";
}

function isName(node: number, name: string, tree: FlatSyntaxTree): boolean {
  return node !== -1 && tree.typeName(node) === "identifier" && tree.textOf(node) === name;
}
