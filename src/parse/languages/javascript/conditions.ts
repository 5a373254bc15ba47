// Conditions that show the type of a value where they hold: `if (error instanceof Failure) …`, `if (!isOpen(file)) return;`,
// `case "circle":`.
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
import { textOfLiteral } from "./literals.ts";

const LATER = /^(?:arrow_function|function_expression)$/;
const FUNCTION = /function|method_definition|^class_body$/;
const EXIT = /^(?:return|throw|continue|break)_statement$/;
const ASSERTION = /^(?:assert(?:\.ok)?|ok|invariant)$/;
const EQUALITY = /^[!=]==?$/;
/** A member that is false in some types and true in others. */
const FALSY = ["=false", "=undefined", "=null"];

/** A condition; with `among`, a value that is one of some others. */
interface Fact extends KnownFact {
  readonly among?: readonly number[];
}

interface Place {
  /** The value: `shape` or `this.shape`. */
  readonly path: string;
  readonly tree: FlatSyntaxTree;
}

/** Returns what the conditions around a value say about it. */
export function conditionsOn(
  value: number,
  tree: FlatSyntaxTree,
  scope: ConditionScope,
): readonly TypeCondition[] {
  return conditionsAround(value, tree, scope, READING);
}

/** Returns the path to a value from a name or `this`; "" for other values. */
function pathOf(value: number, tree: FlatSyntaxTree): string {
  return pathTo(value, tree, (node) => {
    switch (tree.typeName(node)) {
      case "identifier":
      case "this":
        return { start: node };
      case "member_expression":
        return {
          object: tree.childInField(node, "object"),
          member: tree.childInField(node, "property"),
        };
      case "non_null_expression":
      case "parenthesized_expression":
        return { of: tree.child(node, 0) };
      default:
        return undefined;
    }
  });
}

const inBranch: ReadFacts<Fact> = (around, node, tree) => {
  const field = tree.fieldName(node);
  if (field !== "consequence" && field !== "alternative") return [];
  const condition = tree.childInField(around, "condition");
  return [{ about: condition, isTrue: field === "consequence" }];
};
const inLoop: ReadFacts<Fact> = (around, node, tree) =>
  tree.fieldName(node) === "body"
    ? [{ about: tree.childInField(around, "condition"), isTrue: true }]
    : [];
const inCase: ReadFacts<Fact> = (around, node, tree) =>
  tree.fieldName(node) === "value" ? [] : casesOf(around, tree);

/** `if (condition) return;` makes the condition false for what follows, `assert(condition)` makes it true. */
const afterExits = factsBefore((statement, tree): Fact | undefined => {
  if (tree.typeName(statement) === "expression_statement") return assertedIn(statement, tree);
  if (tree.typeName(statement) !== "if_statement") return undefined;
  if (tree.childInField(statement, "alternative") !== -1) return undefined;
  return leaves(tree.childInField(statement, "consequence"), tree)
    ? { about: tree.childInField(statement, "condition"), isTrue: false }
    : undefined;
});

/** By the type of a node: what is known in a part of it. */
const FACTS: Readonly<Record<string, ReadFacts<Fact>>> = {
  if_statement: inBranch,
  ternary_expression: inBranch,
  while_statement: inLoop,
  for_statement: inLoop,
  binary_expression: (around, node, tree) => {
    const isRight = tree.fieldName(node) === "right";
    const condition = isRight ? tree.childInField(around, "left") : -1;
    const operator = operatorBetween(condition, node, tree);
    const isKnown = operator.startsWith("&&") || operator.startsWith("||");
    return isKnown ? [{ about: condition, isTrue: operator.startsWith("&&") }] : [];
  },
  switch_case: inCase,
  switch_default: inCase,
  statement_block: afterExits,
  program: afterExits,
};

const READING: ConditionReading<Fact> = {
  functions: FUNCTION,
  later: LATER,
  facts: FACTS,
  pathOf,
  conditionsIn,
};

function assertedIn(statement: number, tree: FlatSyntaxTree): Fact | undefined {
  const call = tree.child(statement, 0);
  if (call === -1 || tree.typeName(call) !== "call_expression") return undefined;
  const callee = tree.childInField(call, "function");
  const list = tree.childInField(call, "arguments");
  const condition = list === -1 ? -1 : tree.child(list, 0);
  const isAsserted = condition !== -1 && ASSERTION.test(tree.textOf(callee));
  return isAsserted ? { about: condition, isTrue: true } : undefined;
}

/** Returns whether a statement leaves the block around it at its end. */
function leaves(statement: number, tree: FlatSyntaxTree): boolean {
  const isBlock = statement !== -1 && tree.typeName(statement) === "statement_block";
  const last = isBlock ? tree.child(statement, -1) : statement;
  return last !== -1 && EXIT.test(tree.typeName(last));
}

/** Returns which value a `switch` has in one of its cases. */
function casesOf(one: number, tree: FlatSyntaxTree): readonly Fact[] {
  const body = tree.parent(one);
  const value = unwrapped(tree.childInField(tree.parent(body), "value"), tree);
  const all = tree.children(body);
  const valueOf = (each: number): number => tree.childInField(each, "value");
  if (tree.typeName(one) === "switch_default") {
    const others = all.filter((each) => each !== one).map(valueOf);
    return [{ about: value, among: others, isTrue: false }];
  }
  const among = [valueOf(one)];
  for (const each of all.slice(0, all.indexOf(one)).toReversed()) {
    const last = tree.child(each, -1);
    if (last !== valueOf(each) && leaves(last, tree)) break;
    // What falls through from the others is known of none.
    if (tree.typeName(each) === "switch_default") return [];
    among.push(valueOf(each));
  }
  return [{ about: value, among, isTrue: true }];
}

function conditionsIn(fact: Fact, place: Place): readonly TypeCondition[] {
  const { tree } = place;
  const { about, among, isTrue } = fact;
  if (among !== undefined) return equalTo(about, among, isTrue, place);
  const condition = unwrapped(about, tree);
  switch (condition === -1 ? "" : tree.typeName(condition)) {
    case "unary_expression": {
      const inner = tree.childInField(condition, "argument");
      return tree.text[tree.start(condition)] === "!"
        ? conditionsIn({ about: inner, isTrue: !isTrue }, place)
        : [];
    }
    case "binary_expression":
      return conditionsInBinary(condition, isTrue, place);
    case "call_expression":
      return testIn(condition, isTrue, place);
    case "member_expression":
      return ofTruth(condition, isTrue, place);
    default:
      return [];
  }
}

function conditionsInBinary(
  condition: number,
  isTrue: boolean,
  place: Place,
): readonly TypeCondition[] {
  const { tree, path } = place;
  const left = tree.childInField(condition, "left");
  const right = tree.childInField(condition, "right");
  const operator = operatorBetween(left, right, tree);
  if (operator.startsWith("&&") || operator.startsWith("||")) {
    const each = [right, left].map((one) => conditionsIn({ about: one, isTrue }, place));
    return operator.startsWith("&&") === isTrue ? each.flat() : eitherOf(each);
  }
  if (operator === "instanceof") {
    return pathOf(left, tree) === path ? [{ is: "instance", types: [right], isTrue }] : [];
  }
  if (operator === "in") {
    const isString = left !== -1 && tree.typeName(left) === "string";
    return isString && pathOf(right, tree) === path
      ? [{ is: "having", member: tree.literalOf(left), isTrue }]
      : [];
  }
  if (!EQUALITY.test(operator)) return [];
  const isEqual = operator.startsWith("=") === isTrue;
  const found = equalTo(left, [right], isEqual, place);
  return found.length > 0 ? found : equalTo(right, [left], isEqual, place);
}

/** Returns what is known if one of two conditions holds: a member has one of the values of both. */
function eitherOf(each: readonly (readonly TypeCondition[])[]): readonly TypeCondition[] {
  const [one, other] = each.map(([first]) => first);
  if (one?.is !== "equal" || other?.is !== "equal" || one.member !== other.member) return [];
  return one.isTrue && other.isTrue ? [{ ...one, values: [...one.values, ...other.values] }] : [];
}

/** `value` is a member of the value that is asked for. */
function equalTo(
  value: number,
  among: readonly number[],
  isTrue: boolean,
  place: Place,
): readonly TypeCondition[] {
  const { tree } = place;
  const member = memberOf(value, place);
  if (member === "") return [];
  const texts = among.map((one) => textOfLiteral(one, tree));
  const values = texts.filter((text) => text !== undefined);
  // If the value is not one of these, it is none of those that are known.
  const isKnown = values.length > 0 && (!isTrue || values.length === texts.length);
  return isKnown ? [{ is: "equal", member, values, isTrue }] : [];
}

/** `if (result.ok) …` */
function ofTruth(condition: number, isTrue: boolean, place: Place): readonly TypeCondition[] {
  const member = memberOf(condition, place);
  if (member === "") return [];
  return [{ is: "equal", member, values: isTrue ? FALSY : ["=true"], isTrue: false }];
}

/** Returns the name of a member of the value that is asked for; "" for others. */
function memberOf(node: number, { path, tree }: Place): string {
  if (node === -1 || tree.typeName(node) !== "member_expression") return "";
  const object = tree.childInField(node, "object");
  const name = tree.textOf(tree.childInField(node, "property"));
  return pathOf(object, tree) === path && /^\w+$/.test(name) ? name : "";
}

/** `isOpen(file)` and `file.isOpen()`. The grammar reads `!isOpen<Foo>(file)` as a call of `!isOpen`. */
function testIn(call: number, isTrue: boolean, { path, tree }: Place): readonly TypeCondition[] {
  const list = tree.childInField(call, "arguments");
  const [first = -1] = list === -1 ? [] : tree.children(list);
  const callee = tree.childInField(call, "function");
  if (callee === -1) return [];
  const isNegated =
    tree.typeName(callee) === "unary_expression" && tree.text[tree.start(callee)] === "!";
  const guard = isNegated ? tree.childInField(callee, "argument") : callee;
  const tested = first === -1 ? objectOf(guard, tree) : first;
  return tested !== -1 && pathOf(tested, tree) === path
    ? [{ is: "tested", guard, isTrue: isTrue !== isNegated }]
    : [];
}

function objectOf(callee: number, tree: FlatSyntaxTree): number {
  return callee !== -1 && tree.typeName(callee) === "member_expression"
    ? tree.childInField(callee, "object")
    : -1;
}

function unwrapped(node: number, tree: FlatSyntaxTree): number {
  let inner = node;
  while (inner !== -1 && tree.typeName(inner) === "parenthesized_expression") {
    inner = tree.child(inner, 0);
  }
  return inner;
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
