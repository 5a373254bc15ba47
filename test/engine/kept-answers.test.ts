import { utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readCurrent } from "../../src/engine/files/current-text.ts";
import { Grounds } from "../../src/engine/grounds.ts";
import type { IndexProgress } from "../../src/engine/indexing/indexer.ts";
import { KeptAnswers } from "../../src/engine/kept-answers.ts";
import { Questions } from "../../src/engine/questions.ts";
import { age, indexedTree, sourceAt } from "../helpers/indexed-tree.ts";
import { request, SEARCH } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { tree } from "../helpers/tree.ts";

const always = (): boolean => true;

function answerOf(characters: number): { answer: object; grounds: Grounds } {
  return { answer: { text: "x".repeat(characters) }, grounds: new Grounds() };
}

test("what was not asked for the longest time goes first, and memory stays within its bound", () => {
  const kept = new KeptAnswers({ mostBytes: 1_000_000 });
  const isKept = (key: string): boolean => kept.find(key, "1", always) !== undefined;
  for (let at = 0; at < 20; at += 1) kept.keep(`small ${at}`, "1", answerOf(10_000));
  expect(isKept("small 0")).toBe(true);
  // Each takes some 100,000 bytes, those before 20,000.
  for (let at = 0; at < 9; at += 1) kept.keep(`large ${at}`, "1", answerOf(50_000));
  expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
  expect(isKept("small 0")).toBe(true);
  expect(isKept("small 1")).toBe(false);
  expect(isKept("large 0")).toBe(true);
  for (let at = 0; at < 1000; at += 1) {
    kept.keep(`answer ${at}`, "1", answerOf(at * 7));
    if (at % 3 === 0) kept.keep(`answer ${at}`, "2", answerOf(at));
    // Used all the time.
    expect(isKept("large 8")).toBe(true);
    expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
  }
  expect(isKept("large 0")).toBe(false);
});

test("an answer that would take the room of many is not kept, nor the one before it", () => {
  const kept = new KeptAnswers({ mostBytes: 1_000_000 });
  expect(kept.keep("a", "1", answerOf(10))).toBe(true);
  expect(kept.keep("a", "1", answerOf(100_000))).toBe(false);
  expect(kept.find("a", "1", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
});

test("what cannot be given any more takes no memory", () => {
  const clock = { now: 0 };
  const kept = new KeptAnswers({ clock: () => clock.now });
  const keep = (): boolean => kept.keep("a", "1", answerOf(10));
  keep();
  expect(kept.find("a", "2", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  expect(kept.find("a", "1", () => false)).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  clock.now = 300_000;
  expect(kept.find("a", "1", always)).toBeUndefined();
  expect(kept.bytes).toBe(0);
  keep();
  kept.clear();
  expect(kept.bytes).toBe(0);
});

/** Grounds over a file that was written at `writtenAt` and is read at `readAt`, in seconds. */
function readOnce(writtenAt: number, readAt: number): Grounds {
  const made = tree({ "a.txt": "a\n" });
  onTestFinished(made.dispose);
  utimesSync(join(made.path, "a.txt"), writtenAt, writtenAt);
  const grounds = new Grounds(() => readAt * 1000);
  readCurrent(grounds.over([sourceAt(made.path)]), "a.txt");
  return grounds;
}

test.each([
  [1000.25, 1000.25, false],
  [1000.25, 1000.29, false],
  [1000.25, 1000.31, true],
  [1000.25, 1000.21, false],
  // From a clock ahead of ours.
  [1000.25, 900, true],
  // From a file system that knows whole seconds.
  [1000, 1001.9, false],
  [1000, 1002.1, true],
])("a file of %d that is read at %d: its time tells later changes: %s", (written, read, isFirm) => {
  expect(readOnce(written, read).isFirm).toBe(isFirm);
});

test("a file that changes between two reads of one answer leaves it without grounds", () => {
  const made = tree({ "a.txt": "a\n" });
  onTestFinished(made.dispose);
  const path = join(made.path, "a.txt");
  const sources = [sourceAt(made.path)];
  const grounds = new Grounds();
  utimesSync(path, 1000, 1000);
  readCurrent(grounds.over(sources), "a.txt");
  expect(grounds.stillHold(sources)).toBe(true);
  utimesSync(path, 2000, 2000);
  expect(grounds.stillHold(sources)).toBe(false);
  readCurrent(grounds.over(sources), "a.txt");
  expect(grounds.isFirm).toBe(false);
});

test("while a first build is under way nothing is kept, and nothing kept is given", async () => {
  const made = indexedTree({ "a.md": "The ferry leaves at noon.\n" });
  onTestFinished(made.dispose);
  age(made.root);
  await made.run();
  const { reader, sources } = await made.sight();
  let building: IndexProgress | undefined = { stage: "words", done: 1, total: 2 };
  const questions = new Questions({
    ask: (_request, _need, answer) =>
      answer({ namespace: LOCAL.grant("project", () => true), reader }),
    sources: () => sources,
    reader: async () => reader,
    monitors: () => [],
    look: () => {},
    building: () => building,
    embeddings: undefined,
  });
  const ask = () => questions.search({ query: "the ferry", ...SEARCH, ...request() });
  expect(await ask()).toMatchObject({ building: { stage: "words" }, isRepeatable: false });
  building = undefined;
  expect(await ask()).toMatchObject({ building: undefined, isRepeatable: true });
  building = { stage: "syntax", done: 1, total: 2 };
  expect(await ask()).toMatchObject({ building: { stage: "syntax" }, isRepeatable: false });
  questions.close();
});
