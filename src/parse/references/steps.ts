// Steps of expressions: see `Use.receiver`.
import { OR_ELSE } from "../../base/receiver-marks.ts";
import type { ReferenceRules } from "../languages/reference-rules.ts";

/** The expression of an unknown value. */
export const UNKNOWN = "?";
/** After an object: what it inherits from. */
export const OF_BASES = ".super";
/** The name of a use that shows what a method passes to its block. */
export const YIELD = "yield";
/** Longer expressions are replaced by UNKNOWN to save space. */
export const MAX_EXPRESSION_CHARS = 120;
/** The same for a union of types that has a name: the index has it once. */
export const MAX_UNION_CHARS = 1000;

/** The step from a function to the type for which it tests its argument. */
const TESTED_STEP = "{is}";
/** Steps that say which type a value has, or what a function gets, are left out of longer expressions. */
const MAX_NARROWED_CHARS = 90;

/** Returns the step from a function to the type of one of its parameters. */
export function parameterStep(index: number): string {
  return `{${index}}`;
}

/** Returns the step from a method to what it passes to a parameter of its block. */
export function blockStep(index: number): string {
  return `{&${index}}`;
}

export type CollectionMembers = NonNullable<ReferenceRules["collectionMembers"]>;

/** Returns the expression with one more step; "?" if the result is unknown. */
export function withStep(expression: string, step: string, members: CollectionMembers): string {
  if (step.startsWith("=")) return step.slice(1);
  if (isNarrowing(step)) return narrowed(expression, step);
  if (expression.includes(OR_ELSE)) {
    return eitherOf(expression.split(OR_ELSE).map((one) => withStep(one, step, members)));
  }
  if (expression === UNKNOWN || step === UNKNOWN || expression.length > MAX_EXPRESSION_CHARS)
    return UNKNOWN;
  if (step.startsWith("<") && !isApplicable(expression, step, members)) return expression;
  if (step === "[]" || isElement(expression, step, members)) return elementOf(expression);
  return step.startsWith("(") ? calledOf(expression, step, members) : expression + step;
}

/** What a method of a collection gets does not matter, and type arguments are left out of longer expressions. */
function isApplicable(expression: string, step: string, members: CollectionMembers): boolean {
  return (
    expression.length + step.length <= MAX_NARROWED_CHARS &&
    calledOf(expression, "()", members) === `${expression}()`
  );
}

function isElement(expression: string, step: string, members: CollectionMembers): boolean {
  const name = step.slice(1);
  return (
    expression.endsWith("*") &&
    step.startsWith(".") &&
    Object.hasOwn(members, name) &&
    members[name] === "value"
  );
}

/** Returns whether a step says which of its types a value has. */
function isNarrowing(step: string): boolean {
  return /^\{(?:[-.%@#]|\w+[=~])/.test(step);
}

/** What a condition says is left out if the result would be too long, or unknown. */
function narrowed(expression: string, step: string): string {
  if (expression === UNKNOWN) return testedIn(step);
  const all = expression.split(OR_ELSE).map((one) => one + step);
  const joined = all.join(OR_ELSE);
  const isShort = withoutApplied(joined).length <= MAX_NARROWED_CHARS;
  if (isShort && joined.length <= MAX_EXPRESSION_CHARS) return joined;
  const plain = withoutApplied(expression);
  if (plain !== expression) return narrowed(plain, step);
  const tested = testedIn(step);
  return tested === UNKNOWN ? expression : tested;
}

/** Returns an expression without what its types and functions are applied to. */
function withoutApplied(expression: string): string {
  let plain = expression;
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/<[^<>]*>/g, "");
  }
  return plain;
}

/** Returns the expression of the type for which a step tests a value. */
function testedIn(step: string): string {
  const tested = step.slice(1, -1);
  if (tested.startsWith("%")) return tested.slice(1) + TESTED_STEP;
  return /^[@#]/.test(tested) ? tested.replaceAll("|", OR_ELSE) : UNKNOWN;
}

/** Returns the expression of a value that has one of some expressions. */
export function eitherOf(all: readonly string[]): string {
  const known = [...new Set(all.flatMap((one) => one.split(OR_ELSE)))].filter(
    (one) => one !== UNKNOWN,
  );
  const joined = known.join(OR_ELSE);
  return joined.length > MAX_EXPRESSION_CHARS ? (known[0] ?? UNKNOWN) : joined || UNKNOWN;
}

/** Returns the expression with all steps applied. */
export function withSteps(
  base: string,
  steps: readonly string[],
  members: CollectionMembers,
): string {
  let expression = base;
  for (const step of steps) expression = withStep(expression, step, members);
  return expression;
}

/** Returns the expression of a collection of values. */
export function severalOf(element: string): string {
  return element
    .split(OR_ELSE)
    .map((one) => `${one}*`)
    .join(OR_ELSE);
}

/** Returns the expression of an element of a collection. */
function elementOf(expression: string): string {
  return expression.endsWith("*") ? expression.slice(0, -1) : `${expression}[]`;
}

/**
 * Returns the expression of a call. Most collection methods return the same collection or one of its
 * elements.
 */
function calledOf(expression: string, step: string, members: CollectionMembers): string {
  // `list(index)` of Scala.
  if (expression.endsWith("*") && Object.hasOwn(members, "apply")) return elementOf(expression);
  const dot = expression.lastIndexOf(".");
  const name = expression.slice(dot + 1);
  if (dot === -1 || expression[dot - 1] !== "*" || !Object.hasOwn(members, name)) {
    return expression + step;
  }
  const collection = expression.slice(0, dot);
  return members[name] === "same" ? collection : elementOf(collection);
}
