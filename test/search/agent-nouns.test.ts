import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { verbStemsOf } from "../../src/search/agent-nouns.ts";
import { parseQuery } from "../../src/search/parse-query.ts";

test.each<[string, readonly string[]]>([
  ["refresher", ["refresh"]],
  ["calculator", ["calculat"]],
  ["formatter", ["formatt", "format"]],
  ["caller", ["call"]],
  ["folder", []],
  ["user", []],
  ["parse", []],
])("%s may come from %j", (noun, stems) => {
  expect(verbStemsOf(noun)).toEqual(stems);
});

test("only the name of a thing is also searched as what it does", () => {
  const { terms } = parseQuery("FeedRefresher", createTokenizer());
  expect(terms.get("refresh")).toBeLessThan(1);
  expect(parseQuery("the refresher", createTokenizer()).terms.has("refresh")).toBe(false);
});
