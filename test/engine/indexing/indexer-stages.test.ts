import { rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { packedGrammars } from "../../../src/engine/packed-grammars.ts";
import type { IndexProgress, IndexReport } from "../../../src/engine/api/index-report.ts";
import { namespaceStatus } from "../../../src/engine/namespace-status.ts";
import { NOT_WATCHED } from "../../../src/engine/watching/heartbeat.ts";
import { ALL, literal, type LiteralQuery } from "../../../src/index/literal-query.ts";
import { age, indexedTree, indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { pictureOf, searchIn, textIn, wordedIn } from "../../helpers/picture.ts";
import { PADDING, stagedTree } from "../../helpers/staged-tree.ts";
import { plant, tree } from "../../helpers/tree.ts";

function notIndexed(files: Parameters<typeof tree>[0]): IndexedTree {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  age(indexed.root);
  return indexed;
}

const BROKEN_OFF = "broken off by the test";

/** A run with a progress listener. `stop` may interrupt it. */
async function runUntil(
  indexed: IndexedTree,
  stop: (progress: IndexProgress) => boolean = () => false,
): Promise<{ report: IndexReport | undefined; progress: readonly IndexProgress[] }> {
  const progress: IndexProgress[] = [];
  const onProgress = (one: IndexProgress): void => {
    progress.push(one);
    if (stop(one)) throw new Error(BROKEN_OFF);
  };
  try {
    return { report: await indexed.run({}, { onProgress }), progress };
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message === BROKEN_OFF) {
      return { report: undefined, progress };
    }
    throw thrown;
  }
}

async function candidates(indexed: IndexedTree, query: LiteralQuery): Promise<readonly string[]> {
  const { reader } = await indexed.queryContext();
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(query, {})) paths.push(path);
  return paths;
}

async function stagesOf(indexed: IndexedTree, progress?: IndexProgress): Promise<unknown> {
  const { reader, sources } = await indexed.queryContext();
  const { state, stages } = await namespaceStatus({
    namespace: "project",
    detail: "summary",
    sources,
    reader: async () => reader,
    progress,
    health: async () => ({ isBeingWritten: false, damage: undefined }),
    hasSharedTexts: false,
    canAccess: () => true,
    dependencies: [],
    freshness: NOT_WATCHED,
  });
  return {
    state,
    ...Object.fromEntries(stages.map(({ name, done, total }) => [name, [done, total]])),
  };
}

/** Files whose syntax a run may have read and committed when `isParsing` stops it. */
const MAX_PARSED = 65;

function isParsing({ stage, done }: IndexProgress): boolean {
  return stage === "syntax" && done > 0;
}

test("a large project is searchable after each stage, and the next run continues an interrupted one", async () => {
  const files = stagedTree();
  const paths = Object.keys(files).toSorted();
  const all = paths.filter((path) => !(path in PADDING)).length;
  const code = paths.filter((path) => path.endsWith(".ts")).length;
  const copied = paths.filter((path) => path.startsWith("copy0/")).length;
  expect(copied).toBeGreaterThan(0);
  const indexed = notIndexed(files);

  const listed = await runUntil(indexed, ({ stage }) => stage === "words");
  expect(listed.progress.map(({ stage }) => stage)).toEqual(["list", "list", "words"]);
  const { reader } = await indexed.queryContext();
  expect([reader.hasWords, reader.version.at]).toEqual([false, 1]);
  expect((await reader.summary()).stages).toEqual({ listed: paths.length, words: 0, complete: 0 });
  // Their content is not known yet.
  expect(await candidates(indexed, ALL)).toEqual(paths);
  expect(await candidates(indexed, literal("lowerPriority"))).toEqual(paths);
  expect((await searchIn(indexed, "lowerPriority")).passages).toEqual([]);
  expect((await textIn(indexed, "export function lowerPriority")).totalMatches).toBe(1);
  expect(await stagesOf(indexed)).toEqual({
    state: "ready",
    list: [paths.length, paths.length],
    words: [0, paths.length],
    syntax: [0, paths.length],
  });

  const worded = await runUntil(indexed, isParsing);
  const read = worded.progress.filter(({ stage }) => stage === "words");
  expect(read[0]).toEqual({ stage: "words", done: 0, total: paths.length });
  expect(read.at(-1)).toEqual({ stage: "words", done: paths.length, total: paths.length });
  const after = await indexed.queryContext();
  const { stages } = await after.reader.summary();
  // A slow machine has committed some of the parsed files.
  const parsed = code - stages.words;
  expect(parsed >= 0 && parsed <= MAX_PARSED).toBe(true);
  expect(stages).toEqual({ listed: 0, words: code - parsed, complete: all - code + parsed });
  const [found] = (await searchIn(indexed, "lowerPriority")).passages;
  expect(found).toMatchObject({ path: "src/engine/indexing/thread-priority.ts", changed: false });
  expect(await candidates(indexed, literal("export function lowerPriority"))).toEqual([
    "src/engine/indexing/thread-priority.ts",
  ]);
  expect(await candidates(indexed, literal("Copy number0 of "))).toHaveLength(copied);
  const halfway: IndexProgress = { stage: "syntax", done: 1, total: code };
  expect(await stagesOf(indexed, halfway)).toEqual({
    state: "indexing",
    list: [all, all],
    words: [all, all],
    syntax: [all - code + Math.max(1, parsed), all],
  });

  const last = await runUntil(indexed);
  expect(new Set(last.progress.map(({ stage }) => stage))).toEqual(new Set(["list", "syntax"]));
  const left = code - parsed;
  expect(last.progress.at(-1)).toEqual({ stage: "syntax", done: left, total: left });
  expect(last.report).toMatchObject({ added: 0, changed: 0, unchanged: all });
  expect((await (await indexed.queryContext()).reader.summary()).stages).toEqual({
    listed: 0,
    words: 0,
    complete: all,
  });

  const fresh = indexOf(indexed.root);
  onTestFinished(fresh.dispose);
  const whole = await runUntil(fresh);
  const order = whole.progress.map(({ stage }) => stage);
  expect(order.filter((stage, at) => stage !== order[at - 1])).toEqual(["list", "words", "syntax"]);
  for (const [at, { stage, done, total }] of whole.progress.entries()) {
    const before = whole.progress[at - 1];
    expect(done).toBeLessThanOrEqual(total);
    expect(done).toBeGreaterThanOrEqual(before?.stage === stage ? before.done : 0);
  }
  expect(whole.report).toMatchObject({ added: all, changed: 0, unchanged: 0 });
  const words = ["lowerPriority", "fingerprint", "number1"];
  expect(await pictureOf(indexed, words)).toEqual(await pictureOf(fresh, words));
  expect(await runUntil(indexed)).toMatchObject({
    report: { generation: last.report?.generation, added: 0, changed: 0, unchanged: all },
  });
}, 120_000);

test("a small project is parsed at once", async () => {
  const indexed = notIndexed({ "a.ts": "export const aardvark = 1;\n", "b.md": "badger\n" });
  const { progress } = await runUntil(indexed);
  expect(progress.map(({ stage, done }) => `${stage} ${done}`)).toEqual([
    "list 2",
    "list 2",
    "words 0",
    "words 2",
  ]);
  expect(await stagesOf(indexed)).toEqual({
    state: "ready",
    list: [2, 2],
    words: [2, 2],
    syntax: [2, 2],
  });
});

test("the run after an interrupted one completes it, also when the files are back in their old state", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n", "b.md": "badger\n" });
  await indexed.run();
  plant(indexed.root, { "a.md": "anteater\n", "c.md": "cat\n" });
  age(indexed.root);
  const stopped = await runUntil(indexed, ({ stage, done }) => stage === "words" && done > 0);
  expect(stopped.report).toBeUndefined();
  // The state at the end of the last complete run.
  rmSync(join(indexed.root, "c.md"));
  plant(indexed.root, { "a.md": "aardvark\n" });
  age(indexed.root);
  await indexed.run();
  const fresh = indexOf(indexed.root);
  onTestFinished(fresh.dispose);
  await fresh.run();
  const words = ["aardvark", "anteater", "badger", "cat"];
  expect(await pictureOf(indexed, words)).toEqual(await pictureOf(fresh, words));
});

test("a file that is removed or replaced by a link during a run is not read, and removed by the next run", async () => {
  const outside = tree({ "secret.md": "wombat secret\n" });
  onTestFinished(outside.dispose);
  const indexed = notIndexed({ "a.md": "aardvark\n", "b.md": "badger\n", "c.md": "cat\n" });
  let isDone = false;
  const report = await indexed.run(
    {},
    {
      onProgress: ({ stage }) => {
        if (stage !== "words" || isDone) return;
        isDone = true;
        for (const name of ["b.md", "c.md"]) rmSync(join(indexed.root, name));
        symlinkSync(join(outside.path, "secret.md"), join(indexed.root, "c.md"));
      },
    },
  );
  expect(report).toMatchObject({ added: 1, skipped: 2 });
  expect(await wordedIn(indexed, "wombat")).toEqual([]);
  expect(await candidates(indexed, ALL)).toEqual(["a.md"]);
  expect(await indexed.run()).toMatchObject({ added: 0, removed: 0, unchanged: 1, skipped: 1 });
  const { reader } = await indexed.queryContext();
  expect(await reader.skippedFiles(10)).toEqual([{ path: "c.md", reason: "symbolic-link" }]);
});

test("files that are only listed are sorted with all others, from any start", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `file${at}.md`);
  names.push("\uff5e.md", "😀.md", "\ue000.md", "größe.md");
  const paths = names.toSorted();
  const indexed = notIndexed(Object.fromEntries(names.map((name) => [name, "text\n"])));
  await runUntil(indexed, ({ stage }) => stage === "words");
  for (let round = 0; round < 2; round += 1) {
    const { reader } = await indexed.queryContext();
    expect(reader.hasWords).toBe(round === 1);
    for (const after of [undefined, ...paths.slice(-5)]) {
      const found: string[] = [];
      for await (const { path } of reader.textCandidates(ALL, { after })) found.push(path);
      expect(found).toEqual(paths.filter((path) => after === undefined || path > after));
    }
    await runUntil(indexed);
  }
});

test("grammars are loaded only when there is something to parse", async () => {
  const indexed = notIndexed({ "a.ts": "export const aardvark = 1;\n" });
  let asked = 0;
  const grammars = (): ReturnType<typeof packedGrammars> => {
    asked += 1;
    return packedGrammars();
  };
  await indexed.run({}, { grammars });
  expect(asked).toBe(1);
  await indexed.run({}, { grammars });
  expect(asked).toBe(1);
  // A file that is read again, with the content that the index has.
  const now = new Date();
  utimesSync(join(indexed.root, "a.ts"), now, now);
  const { unchanged } = await indexed.run({}, { grammars });
  expect([unchanged, asked]).toEqual([1, 1]);
});

test("a run that its caller waits for reads each file once and gives the same index", async () => {
  const files = stagedTree();
  const all = Object.keys(files).length - Object.keys(PADDING).length;
  const staged = notIndexed(files);
  await runUntil(staged);
  const awaited = notIndexed(files);
  const progress: IndexProgress[] = [];
  const report = await awaited.run(
    { isAwaited: true },
    { onProgress: (one) => progress.push(one) },
  );
  expect(report.added).toBe(all);
  expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(["list", "words"]));
  const { reader } = await awaited.queryContext();
  expect((await reader.summary()).stages).toEqual({ listed: 0, words: 0, complete: all });
  expect(await pictureOf(awaited, ["lowerPriority"])).toEqual(
    await pictureOf(staged, ["lowerPriority"]),
  );
});
