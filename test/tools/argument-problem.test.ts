import { expect, test } from "vitest";

import { argumentProblem } from "../../src/tools/argument-problem.ts";

test.each([
  ["number", '"ten"', 'must be a number, not "ten"'],
  ["string", "5", "must be a text, not 5"],
  ["boolean", "null", "must be true or false, not null"],
  ["Array", "Object", "must be a list, not an object"],
  ['("a" | "b")', '"c"', 'must be "a" or "b", not "c"'],
  ["string", "x".repeat(100), `must be a text, not ${"x".repeat(60)}…`],
])("expected %s, received %s: %s", (expected, received, problem) => {
  const message = `Invalid type: Expected ${expected} but received ${received}`;
  expect(argumentProblem({ message, expected, received })).toBe(problem);
});

test("other problems are in the words of the schema", () => {
  const message = "must be 3 to 10,000 characters long";
  expect(argumentProblem({ message, expected: ">=3", received: "2" })).toBe(message);
});
