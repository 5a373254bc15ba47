import { array, assert, boolean, constantFrom, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { EditProblem, SyntaxProblem } from "../../src/clients/config-format.ts";
import { TOML_FORMAT } from "../../src/clients/toml.ts";

const PATH = ["mcp_servers", "svc"];
const ENTRY = { command: "/bin/svc", args: ["mcp", "--stdio"] };
const TABLE = '[mcp_servers.svc]\ncommand = "/bin/svc"\nargs = ["mcp", "--stdio"]\n';

/** Pieces that can follow each other in any order; N is replaced by a number that makes their keys distinct. */
const PIECES = [
  "# a comment [mcp_servers.svc]\n",
  "\n",
  "\n\n",
  '[tableN]\nkey = "a # b" # c\n',
  "[mcp_servers.otherN] # mine\ncommand = 'C:\\bin\\x'\n  args = [\n    'a', # first\n  ]\n",
  '[mcp_servers."dotted.N".env]\nA = "1"\n',
  '[textN]\nbody = """\n[mcp_servers.svc]\ncommand = "no"\n"""\n',
  "[[listN]]\nat = 1979-05-27T07:32:00Z\n",
  "[dotsN]\na.b.c = 1\ninline = { x = 1, y = [2, 3] }",
];

const configText = tuple(
  array(constantFrom(...PIECES), { maxLength: 8 }),
  boolean(),
  constantFrom("\n", "\r\n"),
).map(([pieces, isBroken, lineBreak]) => {
  const parts = pieces.map((piece, at) => piece.replaceAll("N", String(at)));
  const text = parts.map((part) => (part.endsWith("\n") ? part : `${part}\n`)).join("");
  const whole = isBroken ? text : text.replace(/\n$/, "");
  return whole.replaceAll("\n", lineBreak);
});

test("removing the added table restores the bytes of any file", () => {
  assert(
    property(configText, (text) => {
      const installed = TOML_FORMAT.set(text, PATH, ENTRY);
      expect(TOML_FORMAT.read(installed)).toHaveProperty(PATH, ENTRY);
      expect(installed.startsWith(text)).toBe(true);
      expect(TOML_FORMAT.remove(installed, PATH)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("a table is added at the end, separated by a blank line", () => {
  expect(TOML_FORMAT.set("", PATH, ENTRY)).toBe(TABLE);
  expect(TOML_FORMAT.set("a = 1\n", PATH, ENTRY)).toBe(`a = 1\n\n${TABLE}`);
  expect(TOML_FORMAT.set("a = 1", PATH, ENTRY)).toBe(`a = 1\n\n${TABLE.trimEnd()}`);
});

describe("one value of the table is set in place, or below the others", () => {
  const text = "[mcp_servers.svc] # mine\ncommand = 'old' # here\n\n[x]\n";
  test.each([
    ["command", "new", text.replace("'old'", '"new"')],
    ["args", ["a"], text.replace("# here\n", '# here\nargs = ["a"]\n')],
  ])("%s", (key, value, expected) => {
    expect(TOML_FORMAT.set(text, [...PATH, key], value)).toBe(expected);
  });

  test("in an inline table", () => {
    const inline = "[mcp_servers]\nsvc = { command = 'old', args = [] }\n";
    expect(TOML_FORMAT.set(inline, [...PATH, "command"], "new")).toBe(
      inline.replace("'old'", '"new"'),
    );
    expect(() => TOML_FORMAT.set(inline, [...PATH, "env_vars"], [])).toThrow(EditProblem);
  });
});

describe("exactly the parts of the table are removed", () => {
  test.each([
    ["between others", `[a]\nb = 1\n\n${TABLE}\n[c]\nd = 1\n`, "[a]\nb = 1\n\n[c]\nd = 1\n"],
    [
      "with a table below",
      `${TABLE}\n[mcp_servers.svc.env]\nA = "1"\n\n# of c\n[c]\n`,
      "\n# of c\n[c]\n",
    ],
    [
      "as a line",
      '[mcp_servers]\nsvc = { command = "x" } # y\no = {}\n',
      "[mcp_servers]\no = {}\n",
    ],
    ["as dotted keys", 'mcp_servers.svc.command = "x"\nmcp_servers.svc.args = []\na = 1', "a = 1"],
    ["not there", "[mcp_servers.other]\n", "[mcp_servers.other]\n"],
    ["no file", "", ""],
  ])("%s", (_, before, after) => {
    expect(TOML_FORMAT.remove(before, PATH)).toBe(after);
  });

  test("a table on one line with others is not removed", () => {
    const inline = "mcp_servers = { svc = { command = 'x' }, other = {} }\n";
    expect(() => TOML_FORMAT.remove(inline, PATH)).toThrow(EditProblem);
  });
});

test("Windows paths and special characters become TOML strings", () => {
  const command = 'C:\\Users\\ann "x"\\svc.exe\u007f\u0001';
  const text = TOML_FORMAT.set("", PATH, { command });
  expect(text).toContain('"C:\\\\Users\\\\ann \\"x\\"\\\\svc.exe\\u007f\\u0001"');
  expect(TOML_FORMAT.read(text)).toHaveProperty([...PATH, "command"], command);
});

test.each<[string, number, number]>([
  ["a = 1\nb = \n", 2, 4],
  ["[a]\n[a]\n", 2, 2],
  ["a = 1\na = 2\n", 2, 1],
])("%j is refused with its position", (text, line, column) => {
  let refusal: unknown;
  try {
    TOML_FORMAT.read(text);
  } catch (thrown) {
    refusal = thrown;
  }
  expect(refusal).toBeInstanceOf(SyntaxProblem);
  expect(refusal).toMatchObject({ line, column });
});
