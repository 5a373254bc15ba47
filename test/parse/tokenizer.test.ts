import {
  array,
  assert,
  constantFrom,
  nat,
  oneof,
  property,
  string,
  stringMatching,
} from "fast-check";
import { expect, test } from "vitest";
import { foldWord } from "../../src/base/fold-word.ts";
import {
  createTokenizer,
  isPrefixTerm,
  partTerms,
  prefixTerm,
  scanWords,
  splitWord,
  stemWord,
  withPrefixes,
} from "../../src/parse/tokenizer.ts";
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
  ["naïve café", "naiv cafe"],
  ["GrößeÄndern", "gross andern grosseandern"],
  ["検索エンジン", "検索 索エ エン ンジ ジン"],
  ["使用Docker部署，第3章", "使用 docker 部署 第 章"],
  ["ﾃﾞｰﾀ ＡＢＣ１２", "デー ータ abc 12 abc12"],
  ["데이터베이스를 연결", "데이 이터 터베 베이 이스 스를 연결"],
  ["เชื่อมต่อ", "เชื่ ชื่อ อม มต่ ต่อ"],
  ["ПолучитьДанныеФормы", "получ данны формы получитьданныеформы"],
  ["ΛΌΓΟΣ λόγος", "λογοσ λογοσ"],
  ["🚀Deploy — «done» ≠ 5 µs", "deploy done μs"],
  ["\u0301\u0301", ""],
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
      const parts = foldWord(word)
        .split(BOUNDARY)
        .filter((part) => part !== "");
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

test("a word in an alphabet other than Latin has the first five letters as its stem", () => {
  const forms = ["пользователь", "пользователя", "пользователями"];
  expect(new Set(forms.map(stemWord)).size).toBe(1);
  expect(stemWord("поле")).toBe("поле");
  // Letters beyond the basic plane are not cut in half.
  expect(Array.from(stemWord("𞤀𞤁𞤂𞤃𞤄𞤅𞤆"))).toHaveLength(5);
});

test("a part of a text without spaces has terms of the text only", () => {
  const letter = constantFrom(...Array.from("数据库连接データベースの接続데이터ฐานข้อมูล"));
  assert(
    property(
      array(letter, { minLength: 2, maxLength: 40 }),
      nat(38),
      nat(38),
      (letters, one, other) => {
        const from = Math.min(one, other);
        const part = letters.slice(from, Math.max(one, other) + 2).join("");
        // A vowel sign at the beginning belongs to a letter outside the part.
        if (Array.from(part).length < 2 || /^.?\p{M}/u.test(part)) return;
        // At the end of the part, a sign may be missing.
        const found = terms(part).split(" ").slice(0, -1);
        const all = new Set(terms(letters.join("")).split(" "));
        expect(found.filter((term) => !all.has(term))).toEqual([]);
      },
    ),
  );
});

test("a text has the same terms whether its characters are composed or decomposed", () => {
  assert(
    property(
      oneof(anyText({ maxLength: 60 }), string({ unit: "grapheme", maxLength: 60 })),
      (text) => {
        expect(terms(text.normalize("NFD"))).toBe(terms(text.normalize("NFC")));
      },
    ),
    { numRuns: 2000 },
  );
});

test("terms of a query are those of the same words in a text around them", () => {
  assert(
    property(anyText({ maxLength: 60 }), anyText({ maxLength: 60 }), (query, rest) => {
      const all = new Set(terms(`${rest}\n${query} ${rest}`).split(" "));
      for (const term of terms(query).split(" ")) expect([...all, ""]).toContain(term);
    }),
  );
});

test.each(["a\u0301", "\u0301", "数", "ก็", "한", "a数", "é-", "𠀀", "🚀", "Ａ1"])(
  "a text of %j alone is split in linear time, into short terms",
  (unit) => {
    let count = 0;
    let longest = 0;
    createTokenizer().terms(unit.repeat(200_000), (term) => {
      count += 1;
      longest = Math.max(longest, term.length);
    });
    expect(count).toBeLessThanOrEqual(400_000);
    expect(longest).toBeLessThanOrEqual(64);
  },
);

test.each([
  ["Druckern", "druck~"],
  ["müßte", "musst~"],
  ["Wort", "wort~"],
  ["und", undefined],
  ["parseConfig", undefined],
  ["TOKEN", undefined],
  ["принтер", undefined],
  ["数据", undefined],
])("the prefix of %s is %s", (word, prefix) => {
  expect(prefixTerm(word)).toBe(prefix);
});

test("with prefixes, a word has its other terms first, and its forms share the last one", () => {
  const { split, terms: termsOf } = withPrefixes(createTokenizer());
  expect(split("hasłami")).toEqual(["haslami", "hasla~"]);
  expect(split("parseConfig")).toEqual(createTokenizer().split("parseConfig"));
  const found: string[] = [];
  termsOf("Drucker, Druckern", (term) => void found.push(term));
  expect(found).toEqual(["drucker", "druck~", "druckern", "druck~"]);
});

test("the parts of a word are its terms without the whole word, or its prefix", () => {
  expect(partTerms(["pars", "config", "parseconfig"])).toEqual(["pars", "config"]);
  expect(partTerms(["token"])).toEqual(["token"]);
  expect(partTerms(["druckern", "druck~"])).toEqual(["druck~"]);
  expect(partTerms([])).toEqual([]);
});

test("no term of a text is mistaken for a prefix", () => {
  assert(
    property(anyText({ maxLength: 100 }), (text) => {
      createTokenizer().terms(`~${text}~`, (term) => expect(isPrefixTerm(term)).toBe(false));
    }),
  );
});
