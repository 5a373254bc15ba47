import { expect, test } from "vitest";

import { CODE_NAME_RULES } from "../../../src/parse/named-uses/code-name-rules.ts";
import { completeRules, wordSet } from "../../../src/parse/named-uses/name-rules.ts";

test("rules that a language does not have are empty", () => {
  const rules = completeRules({
    syntax: { comments: "#", texts: '"', names: "a" },
    keywords: wordSet("if else"),
    joins: new Set(),
    values: "own",
    ignoresCase: true,
  });
  expect(rules.keywords.has("else")).toBe(true);
  expect(rules).toMatchObject({ ignoresCase: true, hasAtoms: false, pathMark: "" });
  expect(rules.declares.size).toBe(0);
});

test("keywords of languages that ignore case are in lower case", () => {
  const rules = Object.values(CODE_NAME_RULES).filter((one) => one.ignoresCase === true);
  const keywords = rules.flatMap((one) => [...one.keywords]);
  expect(keywords.filter((word) => word !== word.toLowerCase())).toEqual([]);
});
