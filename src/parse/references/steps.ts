// The steps of expressions: see `Use.receiver`.
import type { ReferenceRules } from "../languages/reference-rules.ts";

/** What nothing is known of. */
export const UNKNOWN = "?";
/** Longer expressions are not worth their place. */
export const MAX_EXPRESSION_CHARS = 120;

export type CollectionMembers = NonNullable<ReferenceRules["collectionMembers"]>;

/** The expression with one more step; "?" where that leads nowhere. */
export function withStep(expression: string, step: string, members: CollectionMembers): string {
  if (step.startsWith("=")) return step.slice(1);
  if (expression === UNKNOWN || step === UNKNOWN || expression.length > MAX_EXPRESSION_CHARS)
    return UNKNOWN;
  if (step === "[]") return elementOf(expression);
  return step === "()" ? calledOf(expression, members) : expression + step;
}

export function withSteps(
  base: string,
  steps: readonly string[],
  members: CollectionMembers,
): string {
  let expression = base;
  for (const step of steps) expression = withStep(expression, step, members);
  return expression;
}

/** One of what an expression holds several of. */
function elementOf(expression: string): string {
  return expression.endsWith("*") ? expression.slice(0, -1) : `${expression}[]`;
}

/** Of the methods of what holds several most give as many, or one of them. */
function calledOf(expression: string, members: CollectionMembers): string {
  const dot = expression.lastIndexOf(".");
  const name = expression.slice(dot + 1);
  if (dot === -1 || expression[dot - 1] !== "*" || !Object.hasOwn(members, name)) {
    return `${expression}()`;
  }
  const collection = expression.slice(0, dot);
  return members[name] === "same" ? collection : elementOf(collection);
}
