import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";

import { readClass, readEscape } from "../../src/search/regex-class.ts";

function texts(characters: readonly number[] | undefined): string | undefined {
  return characters === undefined ? undefined : String.fromCodePoint(...characters);
}

test.each<[source: string, characters: string | undefined, end: number]>([
  [String.raw`\n.`, "\n", 2],
  [String.raw`\x41B`, "A", 4],
  [String.raw`\x{1F600}x`, "😀", 9],
  [String.raw`\101`, "A", 4],
  [String.raw`\.`, ".", 2],
  [String.raw`\d`, undefined, 2],
  [String.raw`\p{Greek}a`, undefined, 9],
  [String.raw`\pL`, undefined, 3],
])("the escape %s", (source, characters, end) => {
  const item = readEscape(source, 0);
  expect([texts(item?.characters), item?.end]).toEqual([characters, end]);
});

test.each([String.raw`\x{110000}`, String.raw`\b`, String.raw`\Q`, "\\"])(
  "the escape %s is not supported",
  (source) => {
    expect(readEscape(source, 0)).toBeUndefined();
  },
);

test.each<[source: string, characters: string | undefined]>([
  ["[abc]", "abc"],
  ["[a-e]", "abcde"],
  ["[]a]", "]a"],
  ["[a-]", "a-"],
  [String.raw`[\]\-x]`, "]-x"],
  ["[^a]", undefined],
  ["[[:alpha:]]", undefined],
  ["[\\d_]", undefined],
  ["[ -~]", undefined],
  ["[😀-😂]", "😀😁😂"],
])("the class %s", (source, characters) => {
  const item = readClass(source, 0);
  expect([texts(item?.characters), item?.end]).toEqual([characters, source.length]);
});

test.each(["[abc", "[z-a]", "[", "[^"])("the class %s is not supported", (source) => {
  expect(readClass(source, 0)).toBeUndefined();
});

test("the known characters of a class are exactly those that RE2 matches", () => {
  const member = fc.oneof(
    fc.constantFrom("a", "b", "z", "-", "^", "0"),
    fc.constantFrom("a-c", "0-9", "x-z"),
  );
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 4 }), (members) => {
      const source = `[${members.join("")}]`;
      const characters = readClass(source, 0)?.characters;
      if (characters === undefined) return;
      let expression: RE2JS;
      try {
        expression = RE2JS.compile(source);
      } catch {
        return;
      }
      for (let code = 0x20; code < 0x7f; code += 1) {
        const isMatch = expression.matcher(String.fromCharCode(code)).matches();
        expect([source, code, characters.includes(code)]).toEqual([source, code, isMatch]);
      }
    }),
  );
});
