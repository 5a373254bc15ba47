import { expect, test } from "vitest";

import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { COLOR_KINDS } from "../../src/parse/color-kinds.ts";
import { codeColors } from "../../src/parse/code-colors.ts";

/** Returns the colored pieces of a text: "keyword if". */
async function colored(language: string, text: string): Promise<readonly string[]> {
  const grammars = await packedGrammars();
  const parsed = grammars.parse(language, text, (root) => codeColors(root, text));
  if (parsed === undefined || "problem" in parsed) throw new Error(`${language} was not parsed`);
  const found: string[] = [];
  for (let at = 0, end = 0; at < parsed.value.length; at += 3) {
    const [gap = 0, length = 0, kind = -1] = parsed.value.slice(at, at + 3);
    expect(Math.min(gap, length - 1)).toBeGreaterThanOrEqual(0);
    const start = end + gap;
    end = start + length;
    found.push(`${COLOR_KINDS[kind]} ${text.slice(start, end)}`);
  }
  return found;
}

test.each<[language: string, text: string, some: readonly string[]]>([
  [
    "typescript",
    "const a = `x ${f(1)} y`; // 𝒳 why\nconst g = () => 1;\nclass B extends C { m(): void { this.n(null); } }",
    [
      "keyword const",
      "function f",
      "function g",
      "literal 1",
      "comment // 𝒳 why",
      "type B",
      "function m",
    ],
  ],
  [
    "go",
    'func (s *T) Run() string { return "a" + strings.Trim(s.b) }',
    ["function Run", "type T", "type string", 'string "a"', "function Trim"],
  ],
  [
    "python",
    "@d\ndef f(x: int, tall: int = 2) -> str:\n    '''Doc.'''\n    return g(x, None)",
    ["keyword def", "function f", "string '''Doc.'''", "function g", "literal None"],
  ],
  [
    "rust",
    'fn f() -> u8 { let x = "a"; g::h(x) }',
    ["function f", "type u8", 'string "a"', "function h"],
  ],
  [
    "java",
    'class A { int f() { return b.c("x"); } }',
    ["type A", "function f", "function c", 'string "x"'],
  ],
  ["json", '{"a": ["b", 1, true]}', ['property "a"', 'string "b"', "literal 1", "literal true"]],
  ["yaml", "a: b # c\n", ["comment # c"]],
  [
    "ruby",
    "def f\n  g('x') # y\nend",
    ["keyword def", "function f", "string 'x'", "comment # y", "keyword end"],
  ],
  [
    "c",
    "int f(char *x) { return g(x, 1); }",
    ["function f", "function g", "literal 1", "keyword return"],
  ],
])("%s is colored by its grammar", async (language, text, some) => {
  expect(await colored(language, text)).toEqual(expect.arrayContaining([...some]));
});

test("a parameter is not a type", async () => {
  const found = await colored("python", "def f(tall: int = 2): pass");
  expect(found.filter((piece) => piece.endsWith("tall"))).toEqual([]);
});

test("text that cannot be parsed keeps the colors of what can be", async () => {
  const found = await colored("typescript", 'const a = "b";\n((((]]] const "');
  expect(found).toContain('string "b"');
});
