import { expect, test } from "vitest";

import { mainLanguages } from "../../src/search/main-languages.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

/** Returns the main languages of an index with these numbers of files. */
async function languagesOf(counts: Readonly<Record<string, number>>): Promise<string[]> {
  const files = Object.entries(counts).flatMap(([extension, count]) =>
    Array.from({ length: count }, (_, at) => [`${at}.${extension}`, `one ${at}\n`]),
  );
  return [...(await mainLanguages(await memoryIndex(Object.fromEntries(files))))].toSorted();
}

test("a language of many files is a main language", async () => {
  expect(await languagesOf({ py: 8, js: 2 })).toEqual(["python"]);
});

test("a project may have several main languages", async () => {
  expect(await languagesOf({ py: 5, ts: 5 })).toEqual(["python", "typescript"]);
});

test("a project of many languages has no main language", async () => {
  expect(await languagesOf({ py: 2, ts: 2, go: 2, rs: 2, rb: 2 })).toEqual([]);
});
