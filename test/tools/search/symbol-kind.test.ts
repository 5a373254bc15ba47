import * as v from "valibot";
import { expect, test } from "vitest";

import { symbolKind } from "../../../src/tools/search/symbol-kind.ts";

test("every word for a kind is accepted, also one that the schema does not name", () => {
  const kind = symbolKind(["function", "class"]);
  for (const word of [undefined, "function", "struct", "trait"])
    expect(v.safeParse(kind, word)).toMatchObject({ success: true, output: word });
  const { success, issues } = v.safeParse(kind, "gadget");
  expect(success).toBe(false);
  expect(issues?.[0].message).toMatch(/^must be one of .*function/);
});
