import { expect, test } from "vitest";

import {
  endOfBrackets,
  parseParameters,
  spaced,
  splitOutside,
} from "../../../src/engine/api-changes/parameters.ts";

/** `name:type?=value` of each, with `...` before variadic parameters and `@` before the passing mode. */
function read(text: string, language: string, hasReceiver = false): readonly string[] {
  return parseParameters(text, language, hasReceiver).map(
    ({ name, type, isOptional, value, isRest, by }) =>
      `${isRest ? "..." : ""}${name}:${type}${isOptional ? "?" : ""}${value === "" ? "" : `=${value}`}${by === "either" ? "" : `@${by}`}`,
  );
}

test.each([
  [
    "typescript",
    "a: string, b?: Map<string, number>, c = 1, ...d: string[]",
    ["a:string", "b:Map<string, number>?", "c:?=1", "...:string[]?"],
  ],
  [
    "typescript",
    "{ a, b }: { a: string; b?: number }, f: (x: A) => void = () => {}",
    [":{a: string; b?: number}", "f:(x: A) => void?=() => {}"],
  ],
  ["typescript", "this: Window, a: string, /* not b */", ["a:string"]],
  [
    "python",
    "a, /, b: int = 1, *args: t.Any, c, d=None, **kwargs",
    ["a:@position", "b:int?=1", "...:t.Any?", "c:@name", "d:?=None@name", "...**:?@name"],
  ],
  ["python", "a, *, b", ["a:", "b:@name"]],
  ["python", "__a, b", ["__a:@position", "b:"]],
  [
    "go",
    "ctx context.Context, a, b int, opts ...Option",
    ["ctx:context.Context", "a:int", "b:int", "...opts:...Option?"],
  ],
  ["go", "string, error", [":string", ":error"]],
  [
    "java",
    "final Map<String, Integer> a, @Nullable String[] b, Object... c",
    ["a:Map<String, Integer>", "b:String[]", "...:Object...?"],
  ],
  ["c", "void", []],
  ["c", "const char *name, int flags[2], ...", ["name:const char *", "flags:int[2]", "...:...?"]],
  ["php", "?string $a, int $b = 5", ["$a:?string", "$b:int?=5"]],
  ["rust", "&mut self, a: &'a str, b: Vec<u8>", ["a:&'a str", "b:Vec<u8>"]],
  [
    "kotlin",
    'a: Int, b: String = "x, y", vararg c: Int',
    ["a:Int", 'b:String?="x, y"', "...:Int?"],
  ],
  [
    "ruby",
    "a, b = 1, *rest, key:, other: 2, **opts, &block",
    [
      "a:@position",
      "b:?=1@position",
      "...:?@position",
      "key:@name",
      "other:?=2@name",
      "...**:?@position",
      "block:?@position",
    ],
  ],
])("%s: %s", (language, text, expected) => {
  expect(read(text, language)).toEqual(expected);
});

test("the first parameter of a method in Python is the object, whatever its name is", () => {
  expect(read("__self, a", "python", true)).toEqual(["a:"]);
  expect(read("*args", "python", true)).toEqual(["...:?"]);
});

test("texts are divided outside of brackets and strings only", () => {
  expect(splitOutside('a, f(b, c), "d, e", g<h, i>', ",")).toEqual([
    "a",
    " f(b, c)",
    ' "d, e"',
    " g<h, i>",
  ]);
  expect(splitOutside("(a: A) => B, c -> d, e", ",")).toHaveLength(3);
  const text = "f(a, (b), ')') tail";
  expect(text.slice(endOfBrackets(text, 1))).toBe(" tail");
});

test("spaces do not tell types apart", () => {
  expect(spaced("Map< string ,number >")).toBe(spaced("Map<string, number>"));
  expect(spaced("a|b")).toBe("a | b");
  expect(spaced("{\n  a: string,\n}")).toBe("{a: string}");
});
