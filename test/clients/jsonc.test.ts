import { assert, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { EditProblem, SyntaxProblem } from "../../src/clients/config-format.ts";
import { JSONC_FORMAT } from "../../src/clients/jsonc.ts";
import { configText } from "./json-text.ts";

const PATH = ["mcpServers", "svc"];
const ENTRY = { command: "/bin/svc", args: ["mcp", "--stdio"] };

test("removing the added entry restores the bytes of any file", () => {
  assert(
    property(configText, (text) => {
      const installed = JSONC_FORMAT.set(text, PATH, ENTRY);
      expect(JSONC_FORMAT.read(installed)).toHaveProperty(PATH, ENTRY);
      expect(JSONC_FORMAT.remove(installed, PATH)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("every character of the file is kept, in order", () => {
  assert(
    property(configText, (text) => {
      const installed = JSONC_FORMAT.set(text, PATH, ENTRY);
      let at = 0;
      for (const character of installed) if (character === text[at]) at++;
      // A surrogate pair is one iteration of the loop and two UTF-16 units of the text.
      const isWhole = at === text.length || /[\uD800-\uDFFF]/.test(text);
      expect(isWhole).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("a member is set at a path, in existing and in created parents", () => {
  const text = '{\n  "a": { "env": { "B": "1" } } // x\n}\n';
  expect(JSONC_FORMAT.set(text, ["a", "env", "B"], "2")).toBe(text.replace('"1"', '"2"'));
  expect(JSONC_FORMAT.set(text, ["a", "env", "C"], "2")).toBe(
    text.replace('"B": "1"', '"B": "1", "C": "2"'),
  );
  expect(JSONC_FORMAT.set(text, ["b", "c"], [1])).toBe(
    '{\n  "a": { "env": { "B": "1" } }, // x\n  "b": {\n    "c": [1]\n  }\n}\n',
  );
});

describe("a new member looks like those around it", () => {
  test.each([
    ["no file", "", '{\n  "s": {\n    "svc": {\n      "c": 1\n    }\n  }\n}\n'],
    [
      "only comments",
      "// mine",
      '// mine\n{\n  "s": {\n    "svc": {\n      "c": 1\n    }\n  }\n}\n',
    ],
    ["tabs", '{\n\t"s": {}\n}', '{\n\t"s": {\n\t\t"svc": {\n\t\t\t"c": 1\n\t\t}\n\t}\n}'],
    ["CRLF", '{\r\n "s": {}\r\n}', '{\r\n "s": {\r\n  "svc": {\r\n   "c": 1\r\n  }\r\n }\r\n}'],
    ["one line", '{"s": {"a": 1}}', '{"s": {"a": 1, "svc": { "c": 1 }}}'],
    [
      "a trailing comma, and a comment after it",
      '{\n  "s": {\n    "a": 1, // one\n  },\n}',
      '{\n  "s": {\n    "a": 1, // one\n    "svc": {\n      "c": 1\n    },\n  },\n}',
    ],
    [
      "a comment below",
      '{\n  "s": {\n    // none yet\n  }\n}',
      '{\n  "s": {\n    // none yet\n    "svc": {\n      "c": 1\n    }\n  }\n}',
    ],
  ])("%s", (_, before, after) => {
    expect(JSONC_FORMAT.set(before, ["s", "svc"], { c: 1 })).toBe(after);
  });
});

describe("a removal removes nothing else", () => {
  test.each([
    ["the first", '{ "s": { "svc": 1, "b": 2 } }', '{ "s": { "b": 2 } }'],
    ["the middle", '{"s":{"a":1,"svc":1,"b":2}}', '{"s":{"a":1,"b":2}}'],
    ["the last", '{"s":{"a":1,"svc":1}}', '{"s":{"a":1}}'],
    ["the only one", '{ "s": { "svc": 1 } }', '{ "s": {} }'],
    ["a duplicate", '{"s":{"svc":1,"a":1,"svc":2}}', '{"s":{"a":1}}'],
    [
      "comments above and after",
      '{\n  "s": {\n    "a": 1,\n    // above\n    "svc": 1 // behind\n  }\n}',
      '{\n  "s": {\n    "a": 1\n    // above\n    // behind\n  }\n}',
    ],
    ["a comma after a comment", '{"s":{"svc":1 /* x */ , "b":2}}', '{"s":{ /* x */  "b":2}}'],
    ["nothing there", '{"s":{"a":1}}', '{"s":{"a":1}}'],
    ["no servers", '{"x":1}', '{"x":1}'],
    ["no file", "", ""],
  ])("%s", (_, before, after) => {
    expect(JSONC_FORMAT.remove(before, ["s", "svc"])).toBe(after);
  });
});

test.each<[string, number, number]>([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ["{ a: 1 }", 1, 3],
  ['{ "a": 1 } x', 1, 12],
  ["{'a': 1}", 1, 2],
  ["[".repeat(200_000), 1, 1],
])("%j is refused with its position", (text, line, column) => {
  const refusal = refusalOf(() => JSONC_FORMAT.read(text));
  expect(refusal).toBeInstanceOf(SyntaxProblem);
  expect(refusal).toMatchObject({ line, column });
});

test("a member is not written into a value that is no object", () => {
  expect(() => JSONC_FORMAT.set('{"s": []}', ["s", "svc"], 1)).toThrow(EditProblem);
  expect(() => JSONC_FORMAT.set("[]", ["s", "svc"], 1)).toThrow(EditProblem);
});

test("a key that looks like a prototype is a key", () => {
  const text = '{"__proto__": {"svc": 1}, "s": {"__proto__": 2}}';
  expect(JSONC_FORMAT.set(text, ["s", "svc"], 1)).toBe(
    '{"__proto__": {"svc": 1}, "s": {"__proto__": 2, "svc": 1}}',
  );
});

function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}
