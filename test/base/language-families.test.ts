import { expect, test } from "vitest";

import { languageFamily } from "../../src/base/language-families.ts";

test("languages that use each other's definitions are one family, any other one is its own", () => {
  const families = Object.groupBy(
    [
      "c",
      "cpp",
      "go",
      "java",
      "javascript",
      "kotlin",
      "notebook",
      "objc",
      "python",
      "tsx",
      "typescript",
      "vue",
    ],
    languageFamily,
  );
  expect(Object.values(families)).toEqual([
    ["c", "cpp", "objc"],
    ["go"],
    ["java", "kotlin"],
    ["javascript", "tsx", "typescript", "vue"],
    ["notebook", "python"],
  ]);
});
