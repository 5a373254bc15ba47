import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { FORMAT_VERSION, SECTIONS } from "../../src/index/embedded/segment/format.ts";
import * as weights from "../../src/search/weights.ts";

/** The names that a page of docs/ does not mention in backticks. */
function check(page: string, names: readonly string[]): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
  return names.filter((name) => !text.includes(`\`${name}\``));
}

test("docs/ranking.md tells of every number of the ranking", () => {
  const names = Object.entries(weights).flatMap(([name, value]) =>
    typeof value === "object" ? [name, ...Object.keys(value)] : [name],
  );
  expect(check("ranking.md", names)).toEqual([]);
});

test("docs/index-format.md tells of every section of a segment", () => {
  expect(check("index-format.md", SECTIONS)).toEqual([]);
});

test("docs/index-format.md logs the version that is written", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/index-format.md"), "utf8");
  const log = /\| format \| since[^\n]*\n(?:\|[^\n]*\n)*/.exec(text)?.[0] ?? "";
  expect(log).toMatch(new RegExp(String.raw`^\| ${FORMAT_VERSION} `, "m"));
});
