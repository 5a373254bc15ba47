import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { IndexBase, IndexStart } from "../../../src/index/index-base.ts";
import type { FileState } from "../../../src/index/types.ts";
import { authorized } from "../../helpers/authorized.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";
import { manyWords } from "../../helpers/many-words.ts";

const EMBEDDER = packedEmbeddings.id;

async function base() {
  const one = indexedTree({ ...manyWords(), "zoo.md": "# Zoo\n\nThe aardvark sleeps.\n" });
  await one.run();
  onTestFinished(one.dispose);
  const backend = new EmbeddedBackend(one.data);
  onTestFinished(() => backend.close());
  const open = async (embedder = EMBEDDER): Promise<IndexBase | undefined> => {
    const opened = await backend.bases.open("project", embedder);
    onTestFinished(() => opened?.close());
    return opened;
  };
  const layout = indexLayout(one.data, "project");
  return { one, backend, open, layout, next: indexLayout(one.data, "next") };
}

/** All files of the base, without those missing from another tree, as if they had been found there. */
function startOf(files: IndexBase["files"], without: readonly string[] = []): IndexStart {
  const found = [...files].filter(([path]) => !without.includes(path));
  const times = { mtimeMs: 1, inode: 2, indexedMs: 5000 };
  const counts = { size: 0, chunks: 0, symbols: 0 };
  const facts = { hash: "", language: "", role: "docs", flags: 0 } as const;
  const state = (path: string): FileState => {
    return { path, source: 9, ...times, ...counts, ...facts, stage: "listed", skipped: null };
  };
  return {
    source: 9,
    contents: new Map(found.map(([path, { hash }]) => [path, { ...times, hash }])),
    paths: [...found.map(([path]) => path), "new.md"].toSorted(),
    listed: state,
    notes: (same) => new Map([["start", `${same} files`]]),
  };
}

test("a started index has the same files under its own source, and those to be read", async () => {
  const { backend, open, layout, next } = await base();
  const opened = await open();
  const files = opened?.files ?? new Map();
  expect(files.size).toBe(9);
  expect(await opened?.start("next", startOf(files, ["words3.txt"]))).toBe(8);
  expect(await backend.verify(authorized("next"))).toEqual([]);
  const reader = await backend.reader(authorized("next"));
  expect(await reader?.note("start")).toBe("8 files");
  expect(await reader?.file("zoo.md")).toMatchObject({ source: 9, mtimeMs: 1, stage: "complete" });
  expect(await reader?.file("new.md")).toMatchObject({ stage: "listed", hasContent: false });
  expect(await reader?.file("words3.txt")).toBeUndefined();
  expect(await backend.isFirstBuildPending("next")).toBe(true);
  const [name = ""] = readdirSync(layout.segments);
  expect(statSync(join(next.segments, name)).ino).toBe(statSync(join(layout.segments, name)).ino);
});

test("an index that exists, and one that is being written, is left alone", async () => {
  const { backend, open } = await base();
  const opened = await open();
  const start = startOf(opened?.files ?? new Map());
  const writer = await backend.writer("next", { waitMs: 0 });
  expect(await opened?.start("next", start)).toBeUndefined();
  await writer?.commit();
  await writer?.close();
  expect(await opened?.start("next", start)).toBeUndefined();
  expect((await (await backend.reader(authorized("next")))?.summary())?.files).toBe(0);
});

test("a base that has changed since it was opened is not used", async () => {
  const { one, open, next } = await base();
  const opened = await open();
  writeFileSync(join(one.root, "new.md"), "The badger digs.\n");
  await one.run();
  expect(await opened?.start("next", startOf(opened.files))).toBeUndefined();
  expect(existsSync(next.catalog)).toBe(false);
});

test("an index with other vectors, facts of a compiler, reported damage or another form is no base", async () => {
  const { backend, open, layout } = await base();
  expect(await open("another table")).toBeUndefined();
  expect(await backend.bases.open("unknown", EMBEDDER)).toBeUndefined();
  await backend.reportDamage("project", "A page is damaged.");
  expect(await open()).toBeUndefined();
  await backend.clearDamage("project");
  const setFacts = (value: string): void => {
    const catalog = Catalog.openToWrite(layout.catalog);
    catalog.change(() => catalog.setMeta("note compiler facts", value));
    catalog.close();
  };
  setFacts("{}");
  expect(await open()).toBeUndefined();
  setFacts("");
  expect(await open()).toBeDefined();
});

test("a damaged segment stops the start, and the next writer deletes what it has left", async () => {
  const { backend, open, layout, next } = await base();
  const opened = await open();
  const [name = ""] = readdirSync(layout.segments);
  const file = join(layout.segments, name);
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  rmSync(file);
  writeFileSync(file, bytes);
  await expect(opened?.start("next", startOf(opened.files))).rejects.toThrow(/damaged/);
  expect(existsSync(next.catalog)).toBe(false);
  writeFileSync(join(next.segments, "catalog.unfinished"), "a killed start");
  expect(readdirSync(next.segments)).toHaveLength(2);
  await (await backend.writer("next", { waitMs: 0 }))?.close();
  expect(readdirSync(next.segments)).toEqual([]);
});
