import { array, assert, property, string, stringMatching } from "fast-check";
import { expect, test } from "vitest";

import { WordTable } from "../../src/parse/word-table.ts";
import { createTokenizer, scanWords, splitWord, stemWord } from "../../src/parse/tokenizer.ts";

function terms(text: string): string {
  const found: string[] = [];
  createTokenizer().terms(text, (term) => void found.push(term));
  return found.join(" ");
}

function capital(part: string): string {
  return (part[0] ?? "").toUpperCase() + part.slice(1);
}

test.each([
  ["parseConfigFile", "pars config file parseconfigfile"],
  ["parse_config_files", "pars config file parseconfigfiles"],
  ["HTTPServer", "http server httpserver"],
  ["sha256sum", "sha 256 sum sha256sum"],
  ["utf8", "utf8"],
  ["$scope.apply()", "scop apply"],
  ["i = 10", "10"],
  ["0123456789", ""],
  ["mapping mapped maps", "map map map"],
  ["queries query", "query query"],
  ["classes class", "class class"],
  ["naïve café", "naïv café"],
  ["検索エンジン", "検索 索エ エン ンジ ジン"],
])("%s has the terms %s", (text, expected) => {
  expect(terms(text)).toBe(expected);
});

test("the forms of a word share a stem, and different words keep theirs", () => {
  expect(["index", "indexes", "indexed", "indexing"].map(stemWord)).toEqual(Array(4).fill("index"));
  expect(stemWord("general")).not.toBe(stemWord("generate"));
});

test("an identifier and its words spelled out share terms, in any convention", () => {
  const word = stringMatching(/^[a-z]{3,8}$/);
  assert(
    property(array(word, { minLength: 2, maxLength: 4 }), (words) => {
      const plain = new Set(terms(words.join(" ")).split(" "));
      const camel = words.map((part, at) => (at === 0 ? part : capital(part))).join("");
      for (const form of [camel, words.join("_"), words.join("_").toUpperCase()]) {
        const found = new Set(terms(form).split(" "));
        expect([...plain].filter((term) => !found.has(term))).toEqual([]);
      }
    }),
  );
});

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

/** The boundaries between the parts of a word, as one regular expression. */
const BOUNDARY =
  /[_$]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z]{2})(?=[0-9]{2})|(?<=[0-9])(?=[A-Za-z]{2})/;

test("a word is split at the boundaries that the regular expression matches", () => {
  assert(
    property(stringMatching(/^[abABé12_$]{1,12}$/), (word) => {
      const parts = word.split(BOUNDARY).filter((part) => part !== "");
      const whole = parts.join("").toLowerCase();
      const long = parts
        .map((part) => stemWord(part.toLowerCase()))
        .filter(({ length }) => length > 1);
      const expected = new Set(parts.length > 1 ? [...long, whole] : long);
      expect([...splitWord(word)]).toEqual([...expected]);
    }),
    { numRuns: 5000 },
  );
});

test("any text is read without an error, and every word is at its reported offset", () => {
  assert(
    property(string({ unit: "binary", maxLength: 300 }), (text) => {
      scanWords(text, (word, start) => expect(text.startsWith(word, start)).toBe(true));
      expect(typeof terms(text)).toBe("string");
    }),
  );
});
