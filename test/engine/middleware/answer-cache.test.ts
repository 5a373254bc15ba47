import { utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ReadDependencies } from "../../../src/engine/middleware/read-dependencies.ts";
import type { IndexProgress } from "../../../src/engine/api/index-report.ts";
import { AnswerCache } from "../../../src/engine/middleware/answer-cache.ts";
import { QueryService } from "../../../src/engine/query-service.ts";
import { age, indexedTree, sourceAt } from "../../helpers/indexed-tree.ts";
import { request, SEARCH } from "../../helpers/project.ts";
import { queryParts } from "../../helpers/query-parts.ts";
import { textsOf } from "../../helpers/texts.ts";
import { tree } from "../../helpers/tree.ts";

const always = (): Promise<boolean> => Promise.resolve(true);

function answerOf(characters: number): { answer: object; dependencies: ReadDependencies } {
  return { answer: { text: "x".repeat(characters) }, dependencies: new ReadDependencies() };
}

test("the least recently used entry is removed first, and memory stays within its limit", async () => {
  const kept = new AnswerCache({ maxBytes: 1_000_000 });
  const isKept = async (key: string): Promise<boolean> =>
    (await kept.get(key, "1", always)) !== undefined;
  for (let at = 0; at < 20; at += 1) kept.set(`small ${at}`, "1", answerOf(10_000));
  expect(await isKept("small 0")).toBe(true);
  // Each takes about 100,000 bytes, the earlier ones 20,000.
  for (let at = 0; at < 9; at += 1) kept.set(`large ${at}`, "1", answerOf(50_000));
  expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
  expect(await isKept("small 0")).toBe(true);
  expect(await isKept("small 1")).toBe(false);
  expect(await isKept("large 0")).toBe(true);
  for (let at = 0; at < 1000; at += 1) {
    kept.set(`answer ${at}`, "1", answerOf(at * 7));
    if (at % 3 === 0) kept.set(`answer ${at}`, "2", answerOf(at));
    // Used in each round.
    expect(await isKept("large 8")).toBe(true);
    expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
  }
  expect(await isKept("large 0")).toBe(false);
});

test("a too large answer is not cached, and removes the previous entry of its key", async () => {
  const kept = new AnswerCache({ maxBytes: 1_000_000 });
  expect(kept.set("a", "1", answerOf(10))).toBe(true);
  expect(kept.set("a", "1", answerOf(100_000))).toBe(false);
  expect(await kept.get("a", "1", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
});

test("expired and invalid entries take no memory", async () => {
  const clock = { now: 0 };
  const kept = new AnswerCache({ clock: () => clock.now });
  const keep = (): boolean => kept.set("a", "1", answerOf(10));
  keep();
  expect(await kept.get("a", "2", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  expect(await kept.get("a", "1", () => Promise.resolve(false))).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  clock.now = 300_000;
  expect(await kept.get("a", "1", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  kept.clear();
  expect(kept.bytes).toBe(0);
});

/** Dependencies on a file that was written at `writtenAt` and is read at `readAt`, in seconds. */
async function readOnce(writtenAt: number, readAt: number): Promise<ReadDependencies> {
  const folder = tree({ "a.txt": "a\n" });
  onTestFinished(folder.dispose);
  utimesSync(join(folder.path, "a.txt"), writtenAt, writtenAt);
  const dependencies = new ReadDependencies(() => readAt * 1000);
  await dependencies.track(textsOf([sourceAt(folder.path)])).read("a.txt");
  return dependencies;
}

test.each([
  [1000.25, 1000.25, false],
  [1000.25, 1000.29, false],
  [1000.25, 1000.31, true],
  [1000.25, 1000.21, false],
  // Written by a clock ahead of ours.
  [1000.25, 900, true],
  // Written on a file system with times in whole seconds.
  [1000, 1001.9, false],
  [1000, 1002.1, true],
])(
  "a file written at %d and read at %d: its time reveals later changes: %s",
  async (written, read, isCacheable) => {
    expect((await readOnce(written, read)).isCacheable).toBe(isCacheable);
  },
);

test("a file that changes between two reads of one query makes its answer uncacheable", async () => {
  const folder = tree({ "a.txt": "a\n" });
  onTestFinished(folder.dispose);
  const path = join(folder.path, "a.txt");
  const sources = [sourceAt(folder.path)];
  const dependencies = new ReadDependencies();
  utimesSync(path, 1000, 1000);
  await dependencies.track(textsOf(sources)).read("a.txt");
  expect(await dependencies.isValid(sources, textsOf(sources))).toBe(true);
  utimesSync(path, 2000, 2000);
  expect(await dependencies.isValid(sources, textsOf(sources))).toBe(false);
  await dependencies.track(textsOf(sources)).read("a.txt");
  expect(dependencies.isCacheable).toBe(false);
});

test("during a first build nothing is cached or served from the cache", async () => {
  const indexed = indexedTree({ "a.md": "The ferry leaves at noon.\n" });
  onTestFinished(indexed.dispose);
  age(indexed.root);
  await indexed.run();
  const { reader, sources } = await indexed.queryContext();
  let building: IndexProgress | undefined = { stage: "words", done: 1, total: 2 };
  const questions = new QueryService({
    ...queryParts(async () => reader, sources),
    runs: {
      building: () => building,
      refresh: async () => undefined,
      refreshStale: () => undefined,
    },
  });
  const ask = () => questions.search({ query: "the ferry", ...SEARCH, ...request() });
  expect(await ask()).toMatchObject({ building: { stage: "words" }, isCacheable: false });
  building = undefined;
  expect(await ask()).toMatchObject({ building: undefined, isCacheable: true });
  building = { stage: "syntax", done: 1, total: 2 };
  expect(await ask()).toMatchObject({ building: { stage: "syntax" }, isCacheable: false });
  await questions.close();
});
