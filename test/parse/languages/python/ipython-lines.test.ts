import { describe, expect, it } from "vitest";

import { withoutCommands } from "../../../../src/parse/languages/python/ipython-lines.ts";

/** Python of the same length, without the blanks at the ends of lines. */
function read(source: string): string {
  const lines = source.split("\n");
  const python = withoutCommands(lines);
  expect(python.map(({ length }) => length)).toEqual(lines.map(({ length }) => length));
  return python.map((line) => line.trimEnd()).join("\n");
}

describe("withoutCommands", () => {
  it.each([
    ["%matplotlib inline", "0"],
    ["%%time\nf()", "0\nf()"],
    ["!pip install x", "0"],
    ["if x:\n    !ls\n    %cd ..", "if x:\n    0\n    0"],
    ["?load", "0"],
    ["load?", "0"],
    ["xr.open_dataset??", "0"],
    ["files = !ls *.nc", "files = 0"],
    ["a, b = %magic x", "a, b = 0"],
  ])("replaces the command of %j by a statement without a name", (source, python) => {
    expect(read(source)).toBe(python);
  });

  it.each([
    ["%time x = f()", "if 1: x = f()"],
    ["%timeit -n 10 -r3 f(x)", "if 1: f(x)"],
    ["%prun -s cum -q f(x)", "if 1: f(x)"],
    ["  %lprun -f f f(x)", "  if 1: f(x)"],
  ])("keeps the statement that %j runs", (source, python) => {
    expect(read(source).replace(/ {2,}(?=f)/u, " ")).toBe(python);
  });

  it.each([
    "x = 7 % y",
    "text = '''\n%not a command\n!not one\nnone?\n'''",
    'text = """a""" + """\n!no\n""" + "it\'s"\nx = 1',
    "x = (\n    '%s'\n    %name\n)",
    "x = [\n    a,  # [\n    %b\n]",
    "x = 1 \\\n    %b",
    "x != y",
    "a = b if c else '?'",
    "# what is this?",
    "'unclosed [\nx = {}",
  ])("leaves Python as it is: %j", (source) => {
    expect(read(source)).toBe(source);
  });

  it("finds commands again after strings and brackets are closed", () => {
    expect(read("f('''a\nb''', [1,\n2])\n!ls\n'it\\'s'\n%cd\n")).toBe(
      "f('''a\nb''', [1,\n2])\n0\n'it\\'s'\n0\n",
    );
  });

  it("takes linear time", () => {
    const hostile = [
      "'\\".repeat(500_000),
      `%time${" -f a".repeat(200_000)}`,
      `${"a".repeat(500_000)}!`,
    ];
    expect(withoutCommands(hostile).map(({ length }) => length)).toEqual(
      hostile.map(({ length }) => length),
    );
  });
});
