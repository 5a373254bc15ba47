import { expect, test } from "vitest";

import { CommitIndex, type CommitDocument } from "../../../src/index/commits/commit-index.ts";
import { idInPath } from "../../../src/index/commits/commit-path.ts";
import { memoryStorage } from "../../../src/index/embedded/storage/storage-memory.ts";
import type { Storage } from "../../../src/index/embedded/storage/storage.ts";
import type { Candidates } from "../../../src/index/scoring/candidates.ts";
import { findCandidates } from "../../../src/index/scoring/find-candidates.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";
import { parseQuery } from "../../../src/search/parse-query.ts";
import { COMMIT_WEIGHTS } from "../../../src/search/weights.ts";

const tokenizer = createTokenizer();

function document(
  number: number,
  subject: string,
  more: Partial<CommitDocument> = {},
): CommitDocument {
  return {
    id: number.toString(16).padStart(40, "0"),
    subject,
    body: "",
    changedLines: [`line ${number};`],
    names: [`src/file${number}.ts`],
    ...more,
  };
}

const DOCUMENTS = [
  document(1, "Stop retrying uploads"),
  document(2, "Add a cache", { body: "Uploads were slow." }),
  document(3, "Bump version", { changedLines: ["function retryUpload() {"] }),
  document(4, "Rename things", { names: ["src/parser/table.ts", "class TableParser"] }),
];

function find(index: CommitIndex, question: string): Promise<Candidates> {
  const { terms } = parseQuery(question, tokenizer);
  return findCandidates([index.begin([...terms.keys()], () => false)], {
    terms,
    weights: COMMIT_WEIGHTS,
    limit: 10,
  });
}

async function search(index: CommitIndex, question: string): Promise<readonly number[]> {
  const { files } = await find(index, question);
  return files.map(({ file }) => Number.parseInt(idInPath(file.path), 16));
}

function allIds(documents: readonly CommitDocument[] = DOCUMENTS): ReadonlySet<string> {
  return new Set(documents.map(({ id }) => id));
}

function filled(storage: Storage = memoryStorage()): CommitIndex {
  const index = new CommitIndex(storage);
  expect(index.refresh()).toBe(true);
  index.add(DOCUMENTS.slice(0, 2));
  index.add(DOCUMENTS.slice(2));
  index.finish("head", true, allIds());
  return index;
}

test("commits are found by subjects, bodies, changed lines and names, in that order", async () => {
  const index = filled();
  expect(await search(index, "retry uploads")).toEqual([1, 3, 2]);
  expect(await search(index, "table parser")).toEqual([4]);
  expect(await search(index, "nothing like it")).toEqual([]);
  expect([index.head, index.isWhole, index.ids]).toEqual(["head", true, allIds()]);
});

test("another opening of the same storage has the same commits", async () => {
  const storage = memoryStorage();
  filled(storage);
  const other = new CommitIndex(storage);
  expect([other.refresh(), other.head]).toEqual([true, "head"]);
  expect(await search(other, "retry uploads")).toEqual([1, 3, 2]);
});

test("commits that a branch no longer has are not found, and are found again when it does", async () => {
  const index = filled();
  index.finish("other", true, allIds(DOCUMENTS.slice(1)));
  expect(await search(index, "retry uploads")).toEqual([3, 2]);
  index.finish("head", true, allIds());
  expect(await search(index, "retry uploads")).toEqual([1, 3, 2]);
});

async function scoresOf(index: CommitIndex): Promise<unknown> {
  const { files, terms } = await find(index, "retry uploads");
  return [terms, files.map(({ file, score, fileScore }) => [file.path, score, fileScore])];
}

test("commits that a branch no longer has change no score", async () => {
  const index = filled();
  index.finish("other", true, allIds(DOCUMENTS.slice(1)));
  const fresh = new CommitIndex(memoryStorage());
  fresh.refresh();
  fresh.add(DOCUMENTS.slice(1));
  expect(await scoresOf(index)).toEqual(await scoresOf(fresh));
});

test("many small updates are merged, and what is gone is dropped", async () => {
  const storage = memoryStorage();
  const index = filled(storage);
  const later = Array.from({ length: 20 }, (_, at) => document(100 + at, `Update number${at}`));
  for (const one of later) index.add([one]);
  const kept = [...DOCUMENTS.slice(1), ...later];
  index.finish("later", true, allIds(kept));
  // The list and one segment.
  expect(storage.list()).toHaveLength(2);
  expect(index.ids).toEqual(allIds(kept));
  expect(await search(index, "number7")).toEqual([107]);
  expect(await search(index, "retry uploads")).toEqual([3, 2]);
});

test("a damaged or foreign storage is reported, and can be filled again", async () => {
  const damages: readonly ((storage: Storage, name: string) => void)[] = [
    (storage) => storage.write("commits.json", [Buffer.from("{")]),
    (storage) => storage.write("commits.json", [Buffer.from('{"version":0,"segments":[]}')]),
    (storage, name) => storage.write(name, [Buffer.from("no segment")]),
    (storage, name) => storage.remove(name),
  ];
  for (const damage of damages) {
    const storage = memoryStorage();
    filled(storage);
    damage(storage, storage.list().find((name) => name !== "commits.json") ?? "");
    const index = new CommitIndex(storage);
    expect([index.refresh(), index.head, index.ids.size]).toEqual([false, "", 0]);
    index.clear();
    index.add(DOCUMENTS);
    index.finish("head", true, allIds());
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await search(index, "retry uploads")).toEqual([1, 3, 2]);
  }
});

test("an empty index finds nothing", async () => {
  const index = new CommitIndex(memoryStorage());
  expect(index.refresh()).toBe(true);
  index.add([]);
  expect(await search(index, "anything")).toEqual([]);
});

test("line ends and empty messages do not mix up messages and lines", async () => {
  const index = new CommitIndex(memoryStorage());
  const odd = document(9, "", { body: "a\r\nb\u2028c", changedLines: ["apple\rpear", "", "plum"] });
  index.add([odd, document(10, "plain subject")]);
  index.finish("head", true, new Set([odd.id]));
  expect(await search(index, "plum")).toEqual([9]);
  expect(await search(index, "plain subject")).toEqual([]);
});
