import { expect, test } from "vitest";

import { isForeignProse } from "../../src/index/foreign-prose.ts";
import type { FileInput } from "../../src/index/types.ts";

const GERMAN = "Die Datei wird gelöscht, wenn sie nicht mehr gebraucht wird. ";
const ENGLISH = "The file is deleted when it is not used by the program. ";

test.each<[string, FileInput["role"], string, boolean]>([
  ["German documentation", "docs", GERMAN, true],
  ["English documentation", "docs", ENGLISH, false],
  ["code with German comments", "code", GERMAN, false],
  ["a page that is German after 20 KB", "docs", ENGLISH.repeat(400) + GERMAN.repeat(400), false],
  ["an empty page", "docs", "", false],
])("%s as %s", (_kind, role, text, isIt) => {
  expect(isForeignProse({ role, bytes: Buffer.from(text) })).toBe(isIt);
});

test("a character that the sample cuts in half does no harm", () => {
  const text = `a${"ä".repeat(3000)} die ${GERMAN}`;
  expect(isForeignProse({ role: "docs", bytes: Buffer.from(text) })).toBe(true);
});
