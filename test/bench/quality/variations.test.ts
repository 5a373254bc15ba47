import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import { VARIATIONS } from "../../../bench/quality/variations.ts";

function vary(name: string, query: string, seed = "seed"): string {
  const variation = VARIATIONS[name];
  if (variation === undefined) throw new Error(`there is no variation "${name}"`);
  return variation(query, seededRandom(seed));
}

function letters(text: string): string {
  return Array.from(text).toSorted().join("");
}

const QUERY = fc
  .array(fc.constantFrom("how", "does", "parseFlags", "HTTP_server", "handle", "requests", "the"))
  .map((words) => words.join(" "));

test.each(Object.keys(VARIATIONS))("%s: the same question is varied in the same way", (name) => {
  const query = "how does parseFlags normalize the unknown commands of children";
  expect(vary(name, query)).not.toBe(query);
  expect(vary(name, query)).toBe(vary(name, query));
  expect(vary(name, "")).toBe("");
});

describe("typo in a word", () => {
  const name = "typo in a word";

  test("swaps two letters of one long word, and never the first", () => {
    const seen = new Set(
      Array.from({ length: 100 }, (_try, at) => vary(name, "the letters", String(at))),
    );
    // t and t are the same letter.
    expect([...seen].toSorted()).toEqual(
      ["the lettesr", "the lettres", "the letetrs", "the lteters"].toSorted(),
    );
  });

  test("leaves short words alone", () => {
    expect(vary(name, "read a short text")).toBe("read a short text");
  });

  test("keeps the letters", () => {
    fc.assert(
      fc.property(QUERY, fc.string(), (query, seed) => {
        expect(letters(vary(name, query, seed))).toBe(letters(query));
      }),
    );
  });
});

test("another slip in a word: leaves out, doubles or replaces a letter of a word, never the first", () => {
  const seen = new Set(
    Array.from({ length: 2000 }, (_try, at) =>
      vary("another slip in a word", "the words", String(at)),
    ),
  );
  for (const one of ["the wrds", "the woords", "the wards", "the wordx"])
    expect(seen).toContain(one);
  // "words" has four further letters: each is left out, doubled, or one of 25 others.
  expect(seen.size).toBe(4 * 27);
  for (const one of seen) expect(one).toMatch(/^the w[a-z]{3,5}$/);
});

test.each([
  ["how are routes matched", "how are route matched"],
  ["class for directory entries", "classes for directories entry"],
  ["quickly parsing the cached process", "quickly parsing the cached processes"],
  ["matches, patches and keys!", "match, patch and key!"],
  [
    "handle_requests in app.set of node.js and parse() -- Cache",
    "handle_requests in app.set of node.js and parse() -- Cache",
  ],
  ["status of a bus", "statuses of a buses"],
])("singular and plural: %s", (query, expected) => {
  expect(vary("singular and plural", query)).toBe(expected);
});

test.each([
  ["parseFlags and HTTPServer", "parse flags and http server"],
  ["snake_case_name _private __init__", "snake case name _private __init__"],
  ["Picker:move_selection of Version2Reader", "Picker:move selection of version2 reader"],
  ["plain Words and HTTP", "plain Words and HTTP"],
])("identifiers as words: %s", (query, expected) => {
  expect(vary("identifiers as words", query)).toBe(expected);
});

test.each([
  ["how does parse flags", "how does parseFlags"],
  ["how are the routes", "how are the routes"],
  ["match (route table) first,", "match (routeTable) first,"],
  ["route, table", "route, table"],
])("two words as identifier: %s", (query, expected) => {
  expect(vary("two words as identifier", query)).toBe(expected);
});

describe("words in another order", () => {
  const name = "words in another order";

  test("keeps the words and changes their order", () => {
    fc.assert(
      fc.property(QUERY, fc.string(), (query, seed) => {
        const words = query.split(" ");
        const varied = vary(name, query, seed);
        expect(varied.split(" ").toSorted()).toEqual(words.toSorted());
        expect(varied === query).toBe(new Set(words).size < 2);
      }),
    );
  });
});

test("random numbers are even, and others for another text", () => {
  const random = seededRandom("a");
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 10_000; draw += 1) {
    const at = Math.floor(random() * 10);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(Math.max(...counts)).toBeLessThan(1100);
  expect(seededRandom("a")()).not.toBe(seededRandom("b")());
});
