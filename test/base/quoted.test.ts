import { execFileSync } from "node:child_process";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { quoted } from "../../src/base/quoted.ts";

test.each([
  ["src/a-b_c.ts", "src/a-b_c.ts"],
  ["--max-tokens=100", "--max-tokens=100"],
  ["two words", "'two words'"],
  ["", "''"],
  ["it's", `'it'\\''s'`],
  ["$HOME", "'$HOME'"],
  ["~", "'~'"],
])("%j is written %s", (word, expected) => {
  expect(quoted(word)).toBe(expected);
});

test("a shell reads any word as it was", () => {
  const word = fc
    .string({ unit: "grapheme" })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(word, { minLength: 50, maxLength: 50 }), (words) => {
      const script = `printf '%s\\0' ${words.map(quoted).join(" ")}`;
      const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      expect(output.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 10 },
  );
});
