import { array, assert, property, string, stringMatching } from "fast-check";
import { expect, test } from "vitest";

import { WordTable } from "../../src/chunk/word-table.ts";
import { createTokenizer, scanWords, stem } from "../../src/chunk/words.ts";

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
])("%s gives the terms %s", (text, expected) => {
  expect(terms(text)).toBe(expected);
});

test("the forms of a word share a stem, and different words keep theirs", () => {
  expect(["index", "indexes", "indexed", "indexing"].map(stem)).toEqual(Array(4).fill("index"));
  expect(stem("general")).not.toBe(stem("generate"));
});

test("an identifier and its words spelled out share terms, whatever the convention", () => {
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

test("a word table finds the words that a plain scan finds, and numbers the distinct ones", () => {
  assert(
    property(array(string({ unit: "binary", maxLength: 120 }), { maxLength: 8 }), (texts) => {
      const table = new WordTable();
      const expected: string[] = [];
      const found: string[] = [];
      for (const text of texts) {
        scanWords(text, (word) => void expected.push(word));
        table.scan(text, (word) => void found.push(table.word(word)));
      }
      expect(found).toEqual(expected);
      expect(table.size).toBe(new Set(expected).size);
    }),
  );
});

test("a word table keeps a hundred thousand words apart", () => {
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}x`);
  const table = new WordTable();
  const numbers = (): number[] => {
    const seen: number[] = [];
    table.scan(words.join(" "), (word) => void seen.push(word));
    return seen;
  };
  expect(numbers()).toEqual(words.map((_, at) => at));
  expect(numbers()).toEqual(words.map((_, at) => at));
  expect(table.word(77_777)).toBe(words[77_777]);
});

test("any text is read without an error, and every word stands where it is said to", () => {
  assert(
    property(string({ unit: "binary", maxLength: 300 }), (text) => {
      scanWords(text, (word, start) => expect(text.startsWith(word, start)).toBe(true));
      expect(typeof terms(text)).toBe("string");
    }),
  );
});
