import { expect, test } from "vitest";

import { namespaceMark } from "../../../src/tools/search/namespace-mark.ts";

test("only a result of several namespaces has a mark", () => {
  expect(namespaceMark({ namespace: "gin" })).toBe("  [gin]");
  expect(namespaceMark({})).toBe("");
  expect(namespaceMark({ namespace: undefined })).toBe("");
});
