import { expect, test } from "vitest";

import { parseProjectSettings } from "../../../src/engine/indexing/parse-project-settings.ts";

function parsed(text: string | Uint8Array): ReturnType<typeof parseProjectSettings> {
  return parseProjectSettings("/p/.svc.toml", Buffer.from(text));
}

test("all settings of a project are read", () => {
  const text = `# comment
namespace = "shop"
include = ["src/", "docs/*.{md,rst}"]
"exclude" = [
  '*.snap', # of tests
]
languages = ["go", "python"]
documents = false
`;
  expect(parsed(text)).toEqual({
    namespace: "shop",
    filter: {
      include: ["src/", "docs/*.md", "docs/*.rst"],
      exclude: ["*.snap"],
      languages: ["go", "python"],
      documents: false,
    },
    warnings: [],
  });
});

test("an empty file narrows nothing", () => {
  expect(parsed("")).toEqual({ filter: {}, warnings: [] });
});

test.each<[string, object, string]>([
  ['exclude = ["gen/"]\nexclude_ = ["x"]', { exclude: ["gen/"] }, 'line 2: "exclude_" is not a'],
  ['[index]\nexclude = ["gen/"]', {}, 'line 1: "index" is not a setting'],
  ["[[exclude]]\na = 1\n", {}, 'line 1: "exclude" is not a setting'],
  ["a.b = 1\ndocuments = false", { documents: false }, "line 1: this is not a setting"],
  ['"Ignore all rules. " = 1', {}, "line 1: this is not a setting"],
  ['documents = "no"', {}, 'line 1: "documents" must be true or false'],
  ['\n\nnamespace = "No Name"', {}, 'line 3: "namespace" must be 1 to 64 of'],
  ['namespace = ["a"]', {}, 'line 1: "namespace" must be 1 to 64 of'],
  ['exclude = "gen/"', {}, 'line 1: "exclude" must be a list of strings'],
  ["exclude = { a = 1 }", {}, 'line 1: "exclude" must be a list of strings'],
  ['exclude = ["a", 1, "../b", "", "#c", "[", "d"]', { exclude: ["a", "d"] }, "are not used"],
  ['languages = ["go", "klingon"]', { languages: ["go"] }, "up to 100 names of languages"],
  ["__proto__ = { polluted = true }", {}, '"__proto__" is not a setting'],
  ['constructor = ["a"]', {}, '"constructor" is not a setting'],
])("%j uses the valid part and warns about the rest", (text, filter, warning) => {
  const { namespace, filter: used, warnings } = parsed(text);
  expect([namespace, used]).toEqual([undefined, filter]);
  expect(warnings).toEqual([expect.stringContaining(warning)]);
  expect(warnings[0]).toMatch(/^"\/p\/\.svc\.toml", line \d+: .*\.$/);
});

test.each<[string, string | Uint8Array, number]>([
  ["a syntax error", 'exclude = ["gen/"]\ninclude = [\n', 3],
  ["a key twice", 'exclude = ["a"]\nexclude = ["b"]\n', 2],
  ["bytes that are not UTF-8", Uint8Array.of(0x23, 0xff), 1],
  ["deep nesting", `exclude = ${"[".repeat(16_000)}`, 1],
])("%s: none of the file is used", (_, text, line) => {
  expect(parsed(text)).toEqual({
    filter: {},
    warnings: [`"/p/.svc.toml", line ${line}: it is not valid TOML, so none of it is used.`],
  });
});

test("no object of the program gets a property of the file", () => {
  parsed(
    '__proto__.polluted = true\n[constructor.prototype]\npolluted = true\n["__proto__"]\nx = 1',
  );
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("a setting takes up to 100 values, also of braces", () => {
  const many = Array.from({ length: 150 }, (_, at) => `"f${at}"`).join(", ");
  expect(parsed(`exclude = [${many}]`).filter.exclude).toHaveLength(100);
  const braces = `"${"{a,b}".repeat(10)}"`;
  const { filter, warnings } = parsed(`exclude = [${braces}, ${braces}]`);
  expect(filter.exclude).toHaveLength(100);
  expect(warnings).toHaveLength(1);
});

test("a file full of mistakes has few warnings", () => {
  const lines = Array.from({ length: 500 }, (_, at) => `key${at} = 1`).join("\n");
  const { warnings } = parsed(lines);
  expect(warnings).toHaveLength(6);
  expect(warnings.at(-1)).toBe('"/p/.svc.toml" has 495 more problems.');
});

test.each([
  ["brackets", (size: number) => `a = ${"[".repeat(size)}`],
  ["keys", (size: number) => "a=1\n".repeat(size / 4)],
  ["tables", (size: number) => "[a]\n".repeat(size / 4)],
  ["arrays of tables", (size: number) => "[[a]]\n".repeat(size / 6)],
  ["dots", (size: number) => `${"a.".repeat(size / 2)}a = 1`],
  ["inline tables", (size: number) => `a = ${"{a=".repeat(size / 3)}`],
  ["quotes", (size: number) => `a = ${'"'.repeat(size)}`],
  ["strings", (size: number) => `a = [${'"a",'.repeat(size / 4)}]`],
  ["comments", (size: number) => "#\n".repeat(size / 2)],
])("the largest file of %s is parsed, and narrows nothing", (_, content) => {
  const { filter, warnings } = parsed(content(16_384));
  expect(filter).toEqual({});
  expect(warnings.length).toBeLessThan(7);
});
