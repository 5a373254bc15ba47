import { expect, test } from "vitest";

import { requireQuery } from "../../src/engine/require-query.ts";

test("a query has 3 to 10,000 characters, or fewer where a caller allows it", () => {
  expect(() => requireQuery("abc")).not.toThrow();
  expect(() => requireQuery("a".repeat(10_000))).not.toThrow();
  expect(() => requireQuery("Go", 1)).not.toThrow();
  for (const query of ["", "Go", "a".repeat(10_001)])
    expect(() => requireQuery(query)).toThrow("characters");
});
