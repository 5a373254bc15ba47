// How patterns of Scala name parts of values: cases, generators of `for`, and the left sides of definitions.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { Declaration, NodeRule } from "../reference-rules.ts";

/** Extractors of the elements of a collection. */
const COLLECTION = /^(?:Some|Success|List|Seq|Vector|Array|IndexedSeq|Stream)$/;
const CONSTANT = /^[\p{Lu}`]/u;

/** A case of `value match { … }`, whose pattern matches the value. */
const OF_VALUE: Declaration = {
  names: "pattern",
  value: matchedValue,
  in: "own",
  when: (node, tree) => !isConstant(node, tree) && matchedValue(node, tree) !== -1,
};
/** A case of a function literal, `{ case … }`: its pattern matches the parameter. */
const OF_PARAMETER: Declaration = {
  names: "pattern",
  in: "own",
  isParameter: true,
  when: (node, tree) => !isConstant(node, tree) && matchedValue(node, tree) === -1,
};

export const patternRules = {
  case_clause: { scope: "block", declares: [OF_VALUE, OF_PARAMETER] },
  enumerator: {
    declares: [
      { names: 0, value: 1, step: "[]", when: (node, tree) => isGenerator(node, tree) },
      { names: 0, value: 1, when: (node, tree) => !isGenerator(node, tree) },
    ],
  },
  identifiers: { pattern: { is: "each", step: "" } },
  tuple_pattern: {
    pattern: { is: "each", step: (node, tree) => (tree.child(node, 1) === -1 ? "" : "?") },
  },
  alternative_pattern: { pattern: { is: "each", step: "" } },
  typed_pattern: {
    declares: [{ names: "pattern", type: "type" }],
  },
  capture_pattern: { pattern: { is: "each", step: capturedStep } },
  repeat_pattern: { pattern: { is: "through", of: "pattern" } },
  case_class_pattern: {
    pattern: { is: "each", step: fieldStep, except: "type" },
    roles: { type: "call" },
  },
  infix_pattern: {
    pattern: { is: "each", step: infixStep, except: "operator" },
    value: { is: "member", object: nothing, name: "operator" },
  },
  interpolated_string_expression: { pattern: { is: "each", step: "?", except: "interpolator" } },
  interpolated_string: { pattern: { is: "each", step: "?" } },
  interpolation: { pattern: { is: "each", step: "?" } },
} satisfies Readonly<Record<string, NodeRule>>;

function nothing(): number {
  return -1;
}

/** Returns whether a pattern is the name of a value to compare with. */
function isConstant(clause: number, tree: FlatSyntaxTree): boolean {
  const pattern = tree.childInField(clause, "pattern");
  return pattern !== -1 && tree.isLeaf(pattern) && CONSTANT.test(tree.textOf(pattern));
}

/** Returns the value that the cases around a clause match; -1 in a function literal. */
function matchedValue(clause: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(tree.parent(clause));
  return around !== -1 && tree.typeName(around) === "match_expression"
    ? tree.childInField(around, "value")
    : -1;
}

function isGenerator(node: number, tree: FlatSyntaxTree): boolean {
  const [pattern = -1, value = -1] = tree.children(node);
  return value !== -1 && /<-|←/.test(tree.textBetween(pattern, value));
}

/** Returns the step to the name in `name @ Type(…)`, or to the pattern after it. */
function capturedStep(node: number, tree: FlatSyntaxTree, child: number): string {
  const isName = tree.fieldName(child) === "name";
  const pattern = tree.childInField(node, "pattern");
  if (!isName || pattern === -1) return "";
  const type = tree.childInField(pattern, "type");
  const path = type === -1 ? "" : pathOf(type, tree);
  return path === "" ? "" : `=@${path}`;
}

/** Returns the step to a part of `Type(…)`: a parameter of the case class, or an element of a collection. */
function fieldStep(node: number, tree: FlatSyntaxTree, child: number): string {
  const type = tree.childInField(node, "type");
  const path = type === -1 ? "" : pathOf(type, tree);
  if (COLLECTION.test(path)) return "[]";
  // The type is the first child.
  return path === "" ? "?" : `=${path}{${tree.children(node).indexOf(child) - 1}}`;
}

/** Returns the step to a part of `first :: rest`. */
function infixStep(node: number, tree: FlatSyntaxTree, child: number): string {
  const operator = tree.childInField(node, "operator");
  const text = operator === -1 ? "" : tree.textOf(operator);
  const isLeft = tree.fieldName(child) === "left";
  if (text === "::" || text === "+:") return isLeft ? "[]" : "";
  return text === ":+" ? (isLeft ? "" : "[]") : "?";
}

/** Returns `a.B` of a type without arguments; "" for others. */
function pathOf(type: number, tree: FlatSyntaxTree): string {
  const text = tree.textOf(type);
  return /^[\w.]+$/.test(text) ? text : "";
}
