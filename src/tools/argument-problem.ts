import type * as v from "valibot";

/** Types of JSON as a sentence names them. */
const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  Array: "a list",
  Object: "an object",
};

const MAX_QUOTED_LENGTH = 60;

/** Why an argument does not fit its schema, after "NAME: ": "must be a number, not "ten"". */
export function argumentProblem({
  message,
  expected,
  received,
}: Pick<v.BaseIssue<unknown>, "message" | "expected" | "received">): string {
  // Schemas say in their own words what they take; only a wrong type has the message of the library.
  if (!message.startsWith("Invalid type: ") || expected === null) return message;
  const wanted = TYPES[expected] ?? expected.replaceAll(/[()]/g, "").replaceAll(" | ", " or ");
  const given =
    received.length <= MAX_QUOTED_LENGTH ? received : `${received.slice(0, MAX_QUOTED_LENGTH)}…`;
  return `must be ${wanted}, not ${TYPES[given] ?? given}`;
}
