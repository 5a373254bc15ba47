import { array, assert, property, string, stringMatching } from "fast-check";
import { expect, test } from "vitest";

import { WordTable } from "../../src/parse/word-table.ts";
import { scanWords } from "../../src/parse/tokenizer.ts";

/**
 * Returns the words that a table finds in a text. Runs that the table does not store are split separately.
 */
function tableWords(table: WordTable, text: string, lines = Infinity): string[] {
  const found: string[] = [];
  const bytes = Buffer.from(text);
  const split = (run: string): void => scanWords(run, (word) => void found.push(word));
  table.scan(
    bytes,
    { word: (word) => split(table.word(word)), run: split },
    0,
    bytes.length,
    lines,
  );
  return found;
}

test("a word table finds the words that a plain scan finds, and numbers the distinct ones", () => {
  const ascii = array(stringMatching(/^[a-dA-D0-3_$ ,.\n-]{0,40}$/), { maxLength: 8 });
  assert(
    property(ascii, (texts) => {
      const table = new WordTable();
      const expected: string[] = [];
      for (const text of texts) scanWords(text, (word) => void expected.push(word));
      expect(texts.flatMap((text) => tableWords(table, text))).toEqual(expected);
      expect(table.size).toBe(new Set(expected).size);
    }),
  );
});

test("words beyond ASCII are found as a plain scan finds them", () => {
  assert(
    property(string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const expected: string[] = [];
      scanWords(text.toWellFormed(), (word) => void expected.push(word));
      expect(tableWords(new WordTable(), text)).toEqual(expected);
    }),
  );
});

test("a scan ends after the given number of lines", () => {
  const table = new WordTable();
  expect(tableWords(table, "one two\nthree\n\nfour\n", 2)).toEqual(["one", "two", "three"]);
  const bytes = Buffer.from("one two\nthree\n\nfour");
  const skip = { word: () => undefined, run: () => undefined };
  const ends = [1, 2, 3, 4].map((lines) => table.scan(bytes, skip, 0, bytes.length, lines));
  expect(ends).toEqual([8, 14, 15, 19]);
});

test("a word table distinguishes 100,000 words", () => {
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}x`);
  const bytes = Buffer.from(words.join(" "));
  const table = new WordTable();
  const numbers = (): number[] => {
    const numbersInOrder: number[] = [];
    const visitor = {
      word: (word: number) => void numbersInOrder.push(word),
      run: () => undefined,
    };
    table.scan(bytes, visitor, 0, bytes.length, 1);
    return numbersInOrder;
  };
  expect(numbers()).toEqual(words.map((_, at) => at));
  expect(numbers()).toEqual(words.map((_, at) => at));
  expect(table.word(77_777)).toBe(words[77_777]);
});
