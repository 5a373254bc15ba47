import { describe, expect, it } from "vitest";

import { readYamlKeys } from "../../../src/parse/schemas/yaml-keys.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";
import { LINEAR_TIME } from "../../chunk/helpers.ts";
import { keyLines } from "./key-lines.ts";

const keys = (text: string): string[] => keyLines(readYamlKeys(splitLines(text)));

describe("keys of YAML", () => {
  it("nest by their columns", () => {
    const text =
      "---\na:\n  \"b c\": 1 # one\n\n  'd': 'x: y'\n# no: key\ne: https://example.com\n";
    expect(keys(text)).toEqual([
      "2-6 a=",
      "  3-3 b c=1",
      "  5-6 d=x: y",
      "7-7 e=https://example.com",
    ]);
  });

  it("may be in lists, also in the column of the list's key", () => {
    const text = "a:\n- b: 1\n  c: 2\n- d\nb:\n  -  - e: 3\n     - f: 4\n  -\n    g: 5\n";
    expect(keys(text)).toEqual([
      "1-4 a=",
      "  2-3 0",
      "    2-2 b=1",
      "    3-3 c=2",
      "  4-4 1=d",
      "5-9 b=",
      "  6-7 0",
      "    6-6 0",
      "      6-6 e=3",
      "    7-7 1",
      "      7-7 f=4",
      "  8-9 1=",
      "    9-9 g=5",
    ]);
  });

  it("are not found in texts of several lines", () => {
    expect(keys("a:\n  - b: |-\n      c: 1\n\n      d: 2\n    e: >\n     f: 3\ng: 4\n")).toEqual([
      "1-7 a=",
      "  2-7 0",
      "    2-5 b=|-",
      "    6-7 e=>",
      "8-8 g=4",
    ]);
  });

  it.each([
    ["dashes", "- ".repeat(200_000)],
    ["ever deeper keys", Array.from({ length: 2000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["a long line", `a${" b".repeat(200_000)}: c`],
    ["many texts", "a: |\n".repeat(100_000)],
    ["quotes", '"'.repeat(500_000)],
  ])("take linear time for %s", { timeout: LINEAR_TIME }, (_, text) => {
    expect(() => readYamlKeys(splitLines(text))).not.toThrow();
  });
});
