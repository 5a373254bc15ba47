import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

const IN_CIRCLE = "value ?!@Circle.r in f";

test.each([
  ["a condition", "if (s is Circle) s.r", IN_CIRCLE],
  ["both conditions", "if (big && (s is Circle)) { s.r }", IN_CIRCLE],
  ["the rest of a condition", "big(s is Circle && s.r > 1)", IN_CIRCLE],
  ["what is left", "if (s !is Circle) big() else s.r", IN_CIRCLE],
  ["an early return", "if (s !is Circle) return; s.r", IN_CIRCLE],
  ["an early return of a block", "if (!(s is Circle)) { throw Bad() }; s.r", IN_CIRCLE],
  ["a check", "require(s is Circle); s.r", IN_CIRCLE],
  ["a case", "when (s) { is Circle -> s.r }", IN_CIRCLE],
  ["a case without a subject", "when { s is Circle -> s.r }", IN_CIRCLE],
  ["either condition", "if (big || s is Circle) s.r", "value ?.r in f"],
  ["a negation", "if (s !is Circle) s.r", "value ?.r in f"],
  ["another name", "if (t is Circle) s.r", "value ?.r in f"],
  ["several cases", "when (s) { is Circle, is Square -> s.r }", "value ?.r in f"],
  ["a negated case", "when (s) { !is Circle -> s.r }", "value ?.r in f"],
])("%s", async (_what, code, expected) => {
  const uses = await usesIn(
    "kotlin",
    `fun f(s: T, t: T, big: Boolean) { val s = any()\n${code}\n}`,
  );
  expect(uses).toContain(`2 ${expected.replace("?!", "any()!").replace("?.", "any().")}`);
});
