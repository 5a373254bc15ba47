import { expect, onTestFinished, test } from "vitest";

import { mainLanguages } from "../../src/search/main-languages.ts";
import { indexedTree } from "../helpers/indexed-tree.ts";

/** Files in these languages, so many of each. */
async function languagesOf(counts: Readonly<Record<string, number>>): Promise<string[]> {
  const files = Object.entries(counts).flatMap(([extension, count]) =>
    Array.from({ length: count }, (_, at) => [`${at}.${extension}`, `one ${at}\n`]),
  );
  const indexed = indexedTree(Object.fromEntries(files));
  onTestFinished(indexed.dispose);
  await indexed.run();
  return [...(await mainLanguages((await indexed.sight()).reader))].toSorted();
}

test("a language that much of the files are written in is that of the project", async () => {
  expect(await languagesOf({ py: 8, js: 2 })).toEqual(["python"]);
});

test("a project may have several", async () => {
  expect(await languagesOf({ py: 5, ts: 5 })).toEqual(["python", "typescript"]);
});

test("a project of many has none", async () => {
  expect(await languagesOf({ py: 2, ts: 2, go: 2, rs: 2, rb: 2 })).toEqual([]);
});
