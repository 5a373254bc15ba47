import { array, assert, property, stringMatching } from "fast-check";
import { expect, test } from "vitest";
import { createTokenizer, scanWords, splitWord, stemWord } from "../../src/parse/tokenizer.ts";
import { anyText } from "../helpers/any-text.ts";

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
    property(anyText({ maxLength: 300 }), (text) => {
      scanWords(text, (word, start) => expect(text.startsWith(word, start)).toBe(true));
      expect(typeof terms(text)).toBe("string");
    }),
  );
});
