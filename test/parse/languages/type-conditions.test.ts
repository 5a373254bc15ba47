import { expect, test } from "vitest";

import { constantText, stringText } from "../../../src/parse/languages/type-conditions.ts";

test("literals have texts that fit into expressions", () => {
  expect(stringText("text/html")).toBe("text/html");
  expect(stringText("a b")).toBeUndefined();
  expect(stringText("a|b")).toBeUndefined();
  expect(constantText("true")).toBe("=true");
  expect(constantText("Kind.Open")).toBe("=Kind:Open");
  expect(constantText("f()")).toBeUndefined();
});
