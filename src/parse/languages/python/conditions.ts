// Conditions of Python that show the type of a value where they hold: `isinstance(node, Call)`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import {
  conditionsAround,
  factsBefore,
  pathTo,
  type ConditionReading,
  type ConditionScope,
  type KnownFact,
  type ReadFacts,
  type TypeCondition,
} from "../type-conditions.ts";

const FUNCTION = /^(?:function_definition|lambda|class_definition)$/;
const EXIT = /^(?:return|raise|continue|break)_statement$/;

interface Place {
  /** The value: `node` or `self.node`. */
  readonly path: string;
  readonly tree: FlatSyntaxTree;
}

/** Returns what the conditions around a value say about it. */
export function pythonConditions(
  value: number,
  tree: FlatSyntaxTree,
  scope: ConditionScope,
): readonly TypeCondition[] {
  return conditionsAround(value, tree, scope, READING);
}

/** Returns the path to a value from a name; "" for other values. */
function pathOf(value: number, tree: FlatSyntaxTree): string {
  return pathTo(value, tree, (node) => {
    const type = tree.typeName(node);
    if (type === "identifier") return { start: node };
    if (type !== "attribute") return undefined;
    return {
      object: tree.childInField(node, "object"),
      member: tree.childInField(node, "attribute"),
    };
  });
}

const inComprehension: ReadFacts<KnownFact> = (around, node, tree) =>
  tree.fieldName(node) === "body"
    ? tree
        .childrenOfType(around, "if_clause")
        .map((clause) => ({ about: tree.child(clause, 0), isTrue: true }))
    : [];

/** In a branch its condition holds, and those of the branches before do not. */
const inIf: ReadFacts<KnownFact> = (around, node, tree) => {
  const condition = tree.childInField(around, "condition");
  if (tree.fieldName(node) === "consequence") return [{ about: condition, isTrue: true }];
  if (node === condition) return [];
  const before = tree.childrenOfType(around, "elif_clause").filter((clause) => clause < node);
  const others = before.map((clause) => tree.childInField(clause, "condition"));
  return [...others.toReversed(), condition].map((one) => ({ about: one, isTrue: false }));
};

const inBlock = factsBefore((statement, tree): KnownFact | undefined => {
  const type = tree.typeName(statement);
  if (type === "assert_statement") return { about: tree.child(statement, 0), isTrue: true };
  if (type !== "if_statement" || tree.childInField(statement, "alternative") !== -1)
    return undefined;
  const body = tree.childInField(statement, "consequence");
  const last = body === -1 ? -1 : tree.child(body, -1);
  return last !== -1 && EXIT.test(tree.typeName(last))
    ? { about: tree.childInField(statement, "condition"), isTrue: false }
    : undefined;
});

/** By the type of a node. */
const FACTS: Readonly<Record<string, ReadFacts<KnownFact>>> = {
  if_statement: inIf,
  elif_clause: (around, node, tree) =>
    tree.fieldName(node) === "consequence"
      ? [{ about: tree.childInField(around, "condition"), isTrue: true }]
      : [],
  while_statement: (around, node, tree) =>
    tree.fieldName(node) === "body"
      ? [{ about: tree.childInField(around, "condition"), isTrue: true }]
      : [],
  conditional_expression: (around, node, tree) => {
    const [consequence, condition = -1] = tree.children(around);
    return node === condition ? [] : [{ about: condition, isTrue: node === consequence }];
  },
  boolean_operator: (around, node, tree) => {
    const condition = tree.childInField(around, "left");
    return node === condition ? [] : [{ about: condition, isTrue: isAnd(around, tree) }];
  },
  list_comprehension: inComprehension,
  set_comprehension: inComprehension,
  generator_expression: inComprehension,
  dictionary_comprehension: inComprehension,
  block: inBlock,
  module: inBlock,
};

const READING: ConditionReading<KnownFact> = {
  functions: FUNCTION,
  facts: FACTS,
  pathOf,
  conditionsIn,
};

function isAnd(operator: number, tree: FlatSyntaxTree): boolean {
  const left = tree.childInField(operator, "left");
  const right = tree.childInField(operator, "right");
  return /\band\s*\(*$/.test(tree.textBetween(left, right));
}

function conditionsIn(
  { about: condition, isTrue }: KnownFact,
  place: Place,
): readonly TypeCondition[] {
  const { tree } = place;
  const type = condition === -1 ? "" : tree.typeName(condition);
  if (type === "parenthesized_expression") {
    return conditionsIn({ about: tree.child(condition, 0), isTrue }, place);
  }
  if (type === "not_operator") {
    return conditionsIn({ about: tree.child(condition, 0), isTrue: !isTrue }, place);
  }
  if (type === "boolean_operator") {
    if (isAnd(condition, tree) !== isTrue) return [];
    const parts = ["right", "left"].map((field) => tree.childInField(condition, field));
    return parts.flatMap((part) => conditionsIn({ about: part, isTrue }, place));
  }
  return type === "call" ? testIn(condition, isTrue, place) : [];
}

/** `isinstance(node, (Call, Name))` */
function testIn(call: number, isTrue: boolean, { path, tree }: Place): readonly TypeCondition[] {
  const callee = tree.childInField(call, "function");
  const list = tree.childInField(call, "arguments");
  if (callee === -1 || list === -1 || tree.textOf(callee) !== "isinstance") return [];
  const [value = -1, classes = -1] = tree.children(list);
  if (classes === -1 || pathOf(value, tree) !== path) return [];
  const isTuple = tree.typeName(classes) === "tuple";
  return [{ is: "instance", types: isTuple ? tree.children(classes) : [classes], isTrue }];
}
