// Index files with changed content: flipped bits, cut ends, foreign content.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { promise, sized } from "../promise.ts";
import {
  type Answers,
  answersOf,
  type QueriedIndex,
  isRefusal,
  NAMESPACE,
  overwrite,
  sharedIndex,
} from "./queried-index.ts";

/** Numbers below 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Right {
  readonly index: QueriedIndex;
  readonly now: Answers;
  /** The answers of the previous generation, without the log. */
  readonly before: Answers;
  /** The answers of a fresh index, whose scores differ a little because no file in it was replaced. */
  readonly rebuilt: Answers;
}

const indexOfFile = sharedIndex();
let rightAnswers: Promise<Right> | undefined;

/** The same for all tests. */
function right(): Promise<Right> {
  return (rightAnswers ??= findRight());
}

async function findRight(): Promise<Right> {
  const index = await indexOfFile();
  const of = async (without: readonly string[]): Promise<Answers> => {
    const { data, dispose } = index.copy(without);
    const answers = await answersOf(index.root, data);
    dispose();
    return answers;
  };
  const log = index.files.filter((name) => /-(?:wal|shm)$/.test(name));
  const [now, before] = [await of([]), await of(log)];
  expect(Object.values({ ...now, ...before }).filter(isRefusal)).toEqual([]);
  expect(now).not.toEqual(before);
  const { data, dispose } = index.copy(index.files);
  await index.run(data);
  const rebuilt = await answersOf(index.root, data);
  dispose();
  return { index, now, before, rebuilt };
}

/** How many damaged indexes are rebuilt and queried again. */
const REBUILT_EVERY = sized({ quick: 8, full: 4, soak: 1 });
let damagedCases = 0;

type Change = (bytes: Buffer) => Uint8Array;

/**
 * Damages one file of a copy. Every answer is right, or that of the previous generation as a whole, or reports that
 * the index is damaged; after the run that it suggests every answer is right.
 */
async function meet(
  { index, now, before, rebuilt }: Right,
  name: string,
  change: Change,
): Promise<string> {
  const { data, dispose } = index.copy();
  overwrite(data, name, change(index.bytesOf(name)));
  const found = await answersOf(index.root, data);
  const wrong = wrongIn(now, found).filter((key) => !isRefusal(found[key]));
  const wrongBefore = wrongIn(before, found).filter((key) => !isRefusal(found[key]));
  if (wrong.length > 0 && wrongBefore.length > 0) {
    return `${name}: wrong: ${wrong.map((key) => difference(key, now, found)).join("\n")}`;
  }
  const isDamaged = Object.values(found).some(isRefusal);
  damagedCases += Number(isDamaged);
  // A rebuild takes longer than all the queries.
  if (!isDamaged || damagedCases % REBUILT_EVERY !== 0) {
    dispose();
    return isDamaged ? "refused" : "right";
  }
  // Like the engine when a query meets damage, then none, and then damage again.
  await new EmbeddedBackend(data).reportDamage(NAMESPACE, "It is damaged.");
  await index.run(data, { quarantine: "newer" });
  let repaired = await answersOf(index.root, data);
  if (Object.values(repaired).some(isRefusal)) {
    await index.run(data, { quarantine: "all" });
    repaired = await answersOf(index.root, data);
  }
  const isAside = readdirSync(join(data, "namespaces", NAMESPACE)).some((one) =>
    one.startsWith("catalog.db.corrupt-"),
  );
  // A damaged change log starts over and reports that.
  const hasChangeLog = !isAside && !isEmpty(found);
  const isLeft = (key: string): boolean => key !== "changes" || hasChangeLog;
  const unlikeRebuilt = wrongIn(rebuilt, repaired).filter((key) => key !== "changes");
  const left = unlikeRebuilt.length === 0 ? [] : wrongIn(now, repaired).filter(isLeft);
  dispose();
  if (left.length > 0) {
    return `${name}: after the rebuild: ${left.map((key) => difference(key, now, repaired)).join("\n")}`;
  }
  return "refused";
}

/** Queries with different answers. */
function wrongIn(wanted: Answers, answers: Answers): readonly string[] {
  return Object.keys(wanted).filter((key) => answers[key] !== wanted[key]);
}

function difference(key: string, { [key]: wanted = "" }: Answers, { [key]: found = "" }: Answers) {
  const at = Array.from(wanted).findIndex((character, place) => character !== found[place]);
  const around = [wanted, found].map((text) => text.slice(Math.max(0, at - 80), at + 80));
  return `${key}: ${around.join(" <> ")}`;
}

/** Whether the index was discarded, and built as if for the first time. */
function isEmpty(found: Answers): boolean {
  return Object.values(found).every((answer) => answer.startsWith("INDEX_EMPTY"));
}

async function meetAll(
  count: number,
  changeOf: (random: () => number, size: number) => Change,
): Promise<ReadonlyMap<string, number>> {
  const one = await right();
  const random = numbersFrom(count);
  const outcomes = new Map<string, number>();
  // The first process that opens the catalogue creates the shared memory again.
  const files = one.index.files.filter((name) => !name.endsWith("-shm"));
  for (let at = 0; at < count; at += 1) {
    const name = files[at % files.length] ?? "";
    const { length } = one.index.bytesOf(name);
    // oxlint-disable-next-line no-await-in-loop -- one damage after another
    const outcome = await meet(one, name, changeOf(random, length));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}

promise(
  [3],
  "a flipped bit anywhere in an index never gives a wrong answer: svc reports it and rebuilds the index",
  async () => {
    const count = sized({ quick: 25, full: 1000, soak: 10_000 });
    const outcomes = await meetAll(count, (random, size) => {
      const at = Math.floor(random() * size);
      const mask = 1 << Math.floor(random() * 8);
      return (bytes) => bytes.fill((bytes[at] ?? 0) ^ mask, at, at + 1);
    });
    expect([...outcomes.keys()].filter((key) => key !== "right" && key !== "refused")).toEqual([]);
    // Some damage was met: the queries read the flipped bits.
    expect(outcomes.get("refused") ?? 0).toBeGreaterThan(count / 12);
    return count;
  },
);

promise(
  [3],
  "an index file truncated anywhere never gives a wrong answer, and svc rebuilds it",
  async () => {
    const count = sized({ quick: 8, full: 200, soak: 2000 });
    const outcomes = await meetAll(count, (random, size) => {
      const end = Math.floor(random() * size);
      return (bytes) => bytes.subarray(0, end);
    });
    expect([...outcomes.keys()].filter((key) => key !== "right" && key !== "refused")).toEqual([]);
    return count;
  },
);

promise(
  [3, 8],
  "svc refuses an empty file, foreign content and the index of a newer svc with a clear error, and keeps them when it rebuilds",
  async () => {
    const one = await right();
    const catalog = join("namespaces", NAMESPACE, "catalog.db");
    const { files } = one.index;
    const changes: readonly Change[] = [
      () => new Uint8Array(),
      (bytes) => bytes.fill("This is a letter. ", 0, Math.min(bytes.length, 200)),
      (bytes) => Buffer.from("no index\n".repeat(bytes.length / 9)),
    ];
    let cases = 0;
    for (const name of files) {
      for (const change of changes) {
        // oxlint-disable-next-line no-await-in-loop -- one damage after another
        expect([name, await meet(one, name, change)]).toEqual([name, expect.stringMatching(/^r/)]);
        cases += 1;
      }
    }
    const { data, dispose } = one.index.copy(files.filter((name) => /-(?:wal|shm)$/.test(name)));
    const bytes = readFileSync(join(data, catalog));
    // `user_version` of SQLite's header, and the pages outside of the tables.
    const newer = Buffer.from(bytes);
    newer.writeUInt32BE(99_001, 60);
    const at = newer.indexOf("version");
    newer.write("vendor!", at);
    overwrite(data, catalog, newer);
    const refused = await answersOf(one.index.root, data);
    expect(new Set(Object.values(refused))).toEqual(
      new Set(["INDEX_UNAVAILABLE: The index was written by a newer svc."]),
    );
    await expect(one.index.run(data)).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("Update svc"),
    });
    expect(readFileSync(join(data, catalog))).toEqual(newer);
    await one.index.run(data, { rebuild: true });
    const { changes: _, ...found } = await answersOf(one.index.root, data);
    expect(one.rebuilt).toMatchObject(found);
    const directory = join(data, "namespaces", NAMESPACE);
    const kept = readdirSync(directory).filter((name) => name.startsWith("catalog.db.corrupt-"));
    expect(kept.map((name) => readFileSync(join(directory, name)))).toEqual([newer]);
    expect(existsSync(join(directory, "damage"))).toBe(false);
    dispose();
    return cases + 1;
  },
);
