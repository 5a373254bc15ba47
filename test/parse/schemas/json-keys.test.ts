import { describe, expect, it } from "vitest";

import { readJsonKeys } from "../../../src/parse/schemas/json-keys.ts";
import { LINEAR_TIME } from "../../chunk/helpers.ts";
import { keyLines } from "./key-lines.ts";

const keys = (text: string): string[] => keyLines(readJsonKeys(text));

describe("keys of JSON", () => {
  it("have the lines of their values", () => {
    expect(
      keys('{\n "a": true, "b": { "c": "x\\"}",\n  "d": [1, "y", {\n "e": null }] },\n "f": 1}'),
    ).toEqual([
      "2-2 a",
      "2-4 b",
      '  2-2 c=x"}',
      "  3-4 d",
      "    3-3 0=y",
      "    3-4 1",
      "      4-4 e",
      "5-5 f",
    ]);
  });

  it("are those before the damage in a damaged text", () => {
    expect(keys('{"a": {"b": 1')).toEqual(["1-1 a", "  1-1 b"]);
    expect(keys('{"a":"b\n,"c":{}')).toEqual(["1-1 a=b", "2-2 c"]);
    expect(keys("")).toEqual([]);
  });

  it("are at most 200,000", () => {
    const root = readJsonKeys(`{${'"a":1,'.repeat(300_000)}`);
    expect(root.children).toHaveLength(200_000);
  });

  it.each([
    ["brackets", "[".repeat(500_000)],
    ["braces", '{"a":'.repeat(100_000)],
    ["quotes", '"'.repeat(500_000)],
    ["backslashes", `"${"\\".repeat(500_000)}`],
  ])("take linear time for %s", { timeout: LINEAR_TIME }, (_, text) => {
    expect(() => readJsonKeys(text)).not.toThrow();
  });
});
