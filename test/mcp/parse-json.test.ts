import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isJson, parseJson } from "../../src/mcp/parse-json.ts";

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SIGNS = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"a"',
  '"\\u00e9"',
  '"\\x"',
  '"\\',
  '"',
  "-",
  "0",
  "01",
];
const MORE = [
  "1.5e+3",
  "1.",
  ".5",
  "true",
  "null",
  "nul",
  " ",
  "\n",
  "\u00a0",
  "\ufeff",
  "\0",
  "\t",
];

test("a text counts as JSON exactly when the parser accepts it", () => {
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...SIGNS, ...MORE, ""))
    .map(([text, at, drop, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + drop);
    });
  const pieces = fc.array(fc.constantFrom(...SIGNS, ...MORE)).map((some) => some.join(""));
  fc.assert(
    fc.property(fc.oneof(spoilt, pieces, fc.string(), fc.json()), (text) => {
      expect(isJson(text)).toBe(isParsed(text));
    }),
    { numRuns: 3000 },
  );
});

test("deep and long texts are handled", () => {
  const deep = "[".repeat(30_000) + "]".repeat(30_000);
  expect(isJson(deep)).toBe(true);
  expect(isJson(deep.slice(1))).toBe(false);
  expect(isJson(JSON.stringify('\\"'.repeat(30_000)))).toBe(true);
});

test("bad and good lines are distinguished in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (texts) => {
      const read = texts.map((text) => parseJson(text));
      expect(read).toEqual(
        texts.map((text): unknown => (isParsed(text) ? JSON.parse(text) : undefined)),
      );
    }),
  );
});
