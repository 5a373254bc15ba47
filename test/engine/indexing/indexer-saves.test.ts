import { renameSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { ALL, literal, type LiteralQuery } from "../../../src/index/literal-query.ts";
import { age, indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { wordedIn as found } from "../../helpers/picture.ts";
import { plant, type tree } from "../../helpers/tree.ts";

function notIndexed(files: Parameters<typeof tree>[0]): IndexedTree {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  return indexed;
}

async function candidates(indexed: IndexedTree, query: LiteralQuery): Promise<readonly string[]> {
  const { reader } = await indexed.queryContext();
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(query, {})) paths.push(path);
  return paths;
}

/** A word that is never split: one letter for each digit. */
function wordOf(save: number): string {
  return `wombat${String(save).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}zq`;
}

test("many small saves are merged into few segments; all current words are found and no removed ones", async () => {
  const names = Array.from({ length: 24 }, (_, at) => `file${at}.md`).toSorted();
  const nameOf = (save: number): string => names[save % names.length] ?? "";
  const indexed = notIndexed(Object.fromEntries(names.map((name) => [name, `common ${name}\n`])));
  await indexed.run();
  const { catalog: path, segments: folder } = indexLayout(indexed.data, "project");
  const catalog = Catalog.openToRead(path);
  onTestFinished(() => catalog?.close());
  let most = 0;
  // Each file four times: its words are merged, replaced, and merged again.
  const saves = 4 * names.length;
  for (let save = 0; save < saves; save += 1) {
    plant(indexed.root, { [nameOf(save)]: `common\n\n${wordOf(save)}\n` });
    const report = await indexed.run();
    expect(report).toMatchObject({ added: 0, changed: 1, removed: 0, unchanged: 23 });
    most = Math.max(most, catalog?.segments.all().length ?? Infinity);
  }
  expect(most).toBeLessThanOrEqual(9);
  expect(await found(indexed, "common")).toEqual(names);
  expect(await candidates(indexed, ALL)).toEqual(names);
  for (let save = 0; save < saves; save += 1) {
    const isLast = save >= saves - names.length;
    const word = wordOf(save);
    const expected = isLast ? [nameOf(save)] : [];
    expect([word, await found(indexed, word)]).toEqual([word, expected]);
    // Trigrams may have false positives, but never false negatives.
    expect(await candidates(indexed, literal(word))).toEqual(expect.arrayContaining(expected));
  }
  const files = catalog?.segments.all().flatMap(({ name, isRow }) => (isRow ? [] : name));
  expect(readdirSync(folder).toSorted()).toEqual(files?.toSorted());
}, 120_000);

test("a renamed file is found only under its new name", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n", "b.md": "badger\n" });
  age(indexed.root);
  await indexed.run();
  renameSync(join(indexed.root, "a.md"), join(indexed.root, "z.md"));
  expect(await indexed.run()).toMatchObject({ added: 1, changed: 0, removed: 1, unchanged: 1 });
  expect(await found(indexed, "aardvark")).toEqual(["z.md"]);
  expect(await candidates(indexed, literal("aardvark"))).toEqual(["z.md"]);
  renameSync(join(indexed.root, "z.md"), join(indexed.root, "a.md"));
  await indexed.run();
  expect(await found(indexed, "aardvark")).toEqual(["a.md"]);
});

test("two files that swap their paths are found at their new paths", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n", "b.md": "badgers!\n" });
  age(indexed.root);
  await indexed.run();
  const at = (name: string): string => join(indexed.root, name);
  renameSync(at("a.md"), at("c.md"));
  renameSync(at("b.md"), at("a.md"));
  renameSync(at("c.md"), at("b.md"));
  expect(await indexed.run()).toMatchObject({ changed: 2 });
  expect(await found(indexed, "aardvark")).toEqual(["b.md"]);
  expect(await found(indexed, "badgers")).toEqual(["a.md"]);
});

test("removed files are not found, also when all files are removed", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n", "src/b.ts": "export const badger = 1;\n" });
  await indexed.run();
  rmSync(join(indexed.root, "src"), { recursive: true });
  expect(await indexed.run()).toMatchObject({ removed: 1, unchanged: 1 });
  expect(await candidates(indexed, literal("badger"))).toEqual([]);
  rmSync(join(indexed.root, "a.md"));
  expect(await indexed.run()).toMatchObject({ removed: 1, unchanged: 0 });
  expect(await candidates(indexed, ALL)).toEqual([]);
  const { reader } = await indexed.queryContext();
  expect(await reader.summary()).toMatchObject({ files: 0, chunks: 0, symbols: 0, bytes: 0 });
});

test("a file as young as its entry is read in each run until it is older", async () => {
  const indexed = notIndexed({ "a.md": "one\n" });
  const place = join(indexed.root, "a.md");
  await indexed.run();
  for (const text of ["two\n", "six\n", "ten\n"]) {
    const { atime, mtime } = statSync(place);
    plant(indexed.root, { "a.md": text });
    utimesSync(place, atime, mtime);
    expect(await indexed.run()).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await candidates(indexed, literal(text.trim()))).toEqual(["a.md"]);
  }
});

test("texts in Windows-1252 and texts with invalid UTF-8 are found by their letters", async () => {
  const text = `caf\u00e9 aardvark Gr\u00f6\u00dfe\n${"more words\n".repeat(20)}`;
  const broken = Buffer.concat([
    Buffer.from(text.repeat(3)),
    Buffer.from([0xe2, 0x98]),
    Buffer.from("zebra\n"),
  ]);
  // With few files the trigram lists are not used.
  const others = Array.from({ length: 30 }, (_, at) => [`other${at}.txt`, `badger ${at}\n`]);
  const indexed = notIndexed({
    "a.txt": Buffer.from(text, "latin1"),
    "b.txt": broken,
    ...Object.fromEntries(others),
  });
  await indexed.run();
  for (const word of ["aardvark", "caf\u00e9", "Gr\u00f6\u00dfe"]) {
    expect(await found(indexed, word)).toEqual(["a.txt", "b.txt"]);
    expect(await candidates(indexed, literal(word))).toEqual(["a.txt", "b.txt"]);
  }
  expect(await candidates(indexed, literal("\ufffdzebra"))).toEqual(["b.txt"]);
});
