import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { lineTerms, termHits, totalWeight } from "../../src/search/line-terms.ts";
import { parseQuery } from "../../src/search/parse-query.ts";

const query = parseQuery("revoke tokens", createTokenizer());

test("the terms of a query are found in the words of a line, inflected and within names", () => {
  const line = "  revokeToken(token); // revoked the other";
  expect([...lineTerms(line, query).keys()].toSorted()).toEqual(["revok", "token"]);
  expect(termHits(line, query).map(({ start }) => line.slice(start, start + 6))).toEqual([
    "revoke",
    "revoke",
    "token)",
    "revoke",
  ]);
});

function weight(line: string): number {
  return totalWeight(lineTerms(line, query));
}

test("the weight of a line is that of its distinct terms", () => {
  expect(weight("nothing of it")).toBe(0);
  expect(weight("token token token")).toBe(weight("token"));
  expect(weight("revoke token")).toBe(weight("revoke") + weight("token"));
});
