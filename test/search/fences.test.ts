import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isFenceLine, readFences, withCompleteFences } from "../../src/search/fences.ts";
import { fenceLines } from "../helpers/fence-lines.ts";
import { arbitraryProse } from "./arbitrary-prose.ts";

/** Returns the pairs of these lines as "open-close", then the lone ones. */
function fencesOf(...lines: readonly string[]): string[] {
  const { pairs, lone } = readFences(lines);
  return [...pairs.map(({ open, close }) => `${open}-${close}`), ...[...lone].map(String)];
}

test.each<[string, readonly string[], readonly string[]]>([
  ["a fence has two lines", ["```js", "a", "```", "b", "~~~", "~~~"], ["1-3", "5-6"]],
  ["at any indentation", ["1. a", "", "      ```sh", "      b", "      ```"], ["3-5"]],
  [
    "the closing fence is at least as long as the opening one",
    ["````", "```", "`````"],
    ["1-3", "2"],
  ],
  ["and of the same kind", ["~~~", "```", "~~~"], ["1-3", "2"]],
  ["a longer fence may hold others", ["````md", "```js", "```", "````"], ["2-3", "1-4"]],
  ["code on one line is no fence", ["```npm test```", "a"], ["1"]],
  ["a fence without an end has no partner", ["a", "```js", "b"], ["2"]],
  ["nor has one in which another begins", ["```", "a", "```js", "b", "```"], ["3-5", "1"]],
  ["the underline of a title is no fence", ["Tokens", "~~~~~~", "a", "Keys", "````"], ["2", "5"]],
  ["nor is a fence indented so far that it may be cut off", [`${" ".repeat(101)}\`\`\``], ["1"]],
  ["fences in quotes and comments do not count", ["> ```", " * ```", "/// ```"], []],
])("%s", (_rule, lines, expected) => {
  expect(fencesOf(...lines)).toEqual(expected);
});

test("every fence line is in a pair or lone, and pairs do not cross", () => {
  fc.assert(
    fc.property(arbitraryProse(), (lines) => {
      const { pairs, lone } = readFences(lines);
      const all = [...lone, ...pairs.flatMap(({ open, close }) => [open, close])];
      const expected = lines.flatMap((line, at) => (isFenceLine(line) ? [at + 1] : []));
      expect(all.toSorted((one, other) => one - other)).toEqual(expected);
      for (const one of pairs) {
        expect(one.open).toBeLessThan(one.close);
        for (const other of pairs) {
          const crosses =
            one.open < other.open && other.open < one.close && one.close < other.close;
          expect(crosses).toBe(false);
        }
      }
    }),
  );
});

test("both lines of a fence are shown if any content is, else neither", () => {
  const fences = readFences(["```js", "a", "b", "```", "c", "~~~"]);
  const call2 = (...lines: readonly number[]): readonly number[] =>
    withCompleteFences(new Set(lines), fences);
  expect(call2(2)).toEqual([1, 2, 4]);
  expect(call2(5, 3)).toEqual([1, 3, 4, 5]);
  expect(call2(1)).toEqual([]);
  expect(call2(4, 5)).toEqual([5]);
  expect(call2(1, 4)).toEqual([1, 4]);
  expect(call2(5, 6)).toEqual([5]);
});

test("any excerpt has an even number of fence lines", () => {
  const shown = fc.array(fc.integer({ min: 1, max: 80 }));
  fc.assert(
    fc.property(arbitraryProse(), shown, (lines, wanted) => {
      const inside = wanted.filter((line) => line <= lines.length);
      const all = withCompleteFences(new Set(inside), readFences(lines));
      const text = all.map((line) => lines[line - 1]).join("\n");
      expect(fenceLines(text) % 2).toBe(0);
      const others = inside.filter((line) => !isFenceLine(lines[line - 1] ?? ""));
      expect(all).toEqual(expect.arrayContaining(others));
      expect(all).toEqual(all.toSorted((one, other) => one - other));
    }),
  );
});

test("fences of any kind are parsed in linear time", () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? "```js" : "~~~"));
  const { pairs, lone } = readFences(lines);
  expect(pairs.length * 2 + lone.size).toBe(lines.length);
});
