import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** The section "Where is it?" of CONTRIBUTING.md, one string for each numbered entry. */
function entries(): readonly string[] {
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const section = page.split(/^## /m).find((text) => text.startsWith("Where is it?\n")) ?? "";
  return section.split(/^(?=\d+\. )/m).slice(1);
}

/** The files that an entry names in backticks: each has a folder and an ending. */
function filesOf(entry: string): readonly string[] {
  return Array.from(entry.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g), ([, file = ""]) => file);
}

test("the map of CONTRIBUTING.md has 20 questions, numbered from 1", () => {
  const numbers = entries().map((entry) => Number.parseInt(entry, 10));
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

test("every question of the map names at least one file, and every file exists", () => {
  const problems = entries().flatMap((entry) => {
    const [question = ""] = entry.split("?");
    const files = filesOf(entry);
    if (files.length === 0) return [`${question}: no file`];
    return files
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `${question}: ${file} does not exist`);
  });
  expect(problems).toEqual([]);
});
