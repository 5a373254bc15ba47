// Steps of expressions: see `Use.receiver`.
import { OR_ELSE } from "../../base/receiver-marks.ts";
import type { ReferenceRules } from "../languages/reference-rules.ts";

/** The expression of an unknown value. */
export const UNKNOWN = "?";
/** After an object: what it inherits from. */
export const OF_BASES = ".super";
/** The name of a use that tells what a method passes to its block. */
export const YIELD = "yield";
/** Longer expressions are replaced by UNKNOWN to save space. */
export const MAX_EXPRESSION_CHARS = 120;
/** The same for a type that has a name and stands for one of several: the index has it once. */
export const MAX_UNION_CHARS = 1000;

/** The step from a function to the type for which it tests its argument. */
export const TESTED_STEP = "{is}";

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
  if (expression.includes(OR_ELSE)) {
    return eitherOf(expression.split(OR_ELSE).map((one) => withStep(one, step, members)));
  }
  if (expression === UNKNOWN || step === UNKNOWN || expression.length > MAX_EXPRESSION_CHARS)
    return UNKNOWN;
  if (step === "[]") return elementOf(expression);
  return step.startsWith("(") ? calledOf(expression, step, members) : expression + step;
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

/** Returns the expression of an element of a collection. */
function elementOf(expression: string): string {
  return expression.endsWith("*") ? expression.slice(0, -1) : `${expression}[]`;
}

/**
 * Returns the expression of a call. Most collection methods return the same collection or one of its
 * elements.
 */
function calledOf(expression: string, step: string, members: CollectionMembers): string {
  const dot = expression.lastIndexOf(".");
  const name = expression.slice(dot + 1);
  if (dot === -1 || expression[dot - 1] !== "*" || !Object.hasOwn(members, name)) {
    return expression + step;
  }
  const collection = expression.slice(0, dot);
  return members[name] === "same" ? collection : elementOf(collection);
}
