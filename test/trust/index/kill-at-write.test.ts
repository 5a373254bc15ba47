// A run that is killed before each of its writes in turn, or whose disk does not sync: nothing published is
// lost, nothing incomplete is found, and the next run completes it. The same for a run on an index of an older format.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished } from "vitest";

import { bundledProgram } from "../../helpers/bundled-program.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";
import { look, problemsOf } from "../../engine/fixtures/check-index.ts";
import { inPairs, startCommand } from "../../credentials/faults/programs.ts";
import { faulty, readTrace, traced } from "../../credentials/faults/system-calls.ts";
import { promise, sized } from "../promise.ts";
import { answersOf, NAMESPACE, runOver, sharedIndex, type QueriedIndex } from "./queried-index.ts";
import { needs } from "../../helpers/needs.ts";

const PROGRAM = bundledProgram(join(import.meta.dirname, "../../engine/fixtures/index-once.ts"));
const CATALOG = join("namespaces", NAMESPACE, "catalog.db");

interface Call {
  readonly name: string;
  readonly nth: number;
}

interface Place {
  readonly index: QueriedIndex;
  /** A copy with work for a run. */
  readonly copy: () => string;
  readonly words: (data: string) => readonly string[];
  /** The calls of a whole run that write, in their order. */
  readonly calls: () => Promise<readonly Call[]>;
}

const indexOfFile = sharedIndex();

async function place(prepare: (data: string) => void): Promise<Place> {
  const index = await indexOfFile();
  let calls: Promise<readonly Call[]> | undefined;
  const one: Place = {
    index,
    calls: () => (calls ??= callsOf(one)),
    copy() {
      // Without its log the last change is to be indexed again.
      const { data, dispose } = index.copy(
        index.files.filter((name) => /-(?:wal|shm)$/.test(name)),
      );
      onTestFinished(dispose);
      prepare(data);
      return data;
    },
    words(data) {
      const job = { dataDirectory: data, namespace: NAMESPACE, sources: [sourceAt(index.root)] };
      return [process.execPath, PROGRAM, JSON.stringify({ ...job, rebuild: false, waitMs: 5000 })];
    },
  };
  return one;
}

async function callsOf({ copy, words }: Place): Promise<readonly Call[]> {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const trace = join(path, "trace");
  await startCommand(words(copy())).ended;
  const { end, errors } = await startCommand([...traced(trace), ...words(copy())]).ended;
  expect([end, errors]).toEqual([0, ""]);
  const counts = new Map<string, number>();
  return readTrace(trace).map(({ name }) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { name, nth };
  });
}

/** Returns up to `count` of them, evenly spread. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor((at * all.length) / count)],
  ).filter((one) => one !== undefined);
}

async function meet(
  one: Place,
  call: Call,
  fault: Parameters<typeof faulty>[1],
): Promise<readonly string[]> {
  const data = one.copy();
  const { end, errors, output } = await startCommand([...faulty(call, fault), ...one.words(data)])
    .ended;
  const where = `${call.name} ${call.nth}`;
  const problems: string[] = [];
  if (fault === "error=EIO" && end !== 0 && !/INDEX_UNAVAILABLE|STORAGE_FULL/.test(errors)) {
    problems.push(`${where}: ended with ${end}: ${errors}`);
  }
  // A killed run may have reported before.
  if (end === 1 && output.includes('"report"')) problems.push(`${where}: reported, then failed`);
  const found = (await look(data, NAMESPACE, problemsOf)) ?? [];
  problems.push(...found.map((problem) => `${where}: ${problem}`));
  await runOver(one.index.root, data);
  const after = (await look(data, NAMESPACE, problemsOf)) ?? ["no index"];
  problems.push(...after.map((problem) => `${where}, after the next run: ${problem}`));
  const { text } = await answersOf(one.index.root, data);
  if (!text?.includes("src/part4.ts")) problems.push(`${where}: what was indexed is not found`);
  return problems;
}

function isSync({ name }: Call): boolean {
  return name === "fsync" || name === "fdatasync";
}

/** Makes the index look as if an older svc had written it. */
function makeOlder(data: string): void {
  const db = new DatabaseSync(join(data, CATALOG));
  db.exec("PRAGMA user_version = 4004");
  db.close();
}

async function meetSome(one: Place, count: number, fault: "kill" | "sync"): Promise<number> {
  const calls = await one.calls();
  const chosen = spread(fault === "sync" ? calls.filter(isSync) : calls, count);
  const effect = fault === "sync" ? "error=EIO" : "signal=SIGKILL";
  const problems = await inPairs(chosen, (call) => meet(one, call, effect));
  expect(problems.flat()).toEqual([]);
  return chosen.length;
}

/** Its index is up to date except for the last change. Its calls are traced once for all tests. */
let changed: Promise<Place> | undefined;
const changedPlace = (): Promise<Place> => (changed ??= place(() => {}));

needs(["strace"], () => {
  promise(
    [1],
    "an index run killed before any of its writes leaves an index that opens, and the next run completes it",
    async () => meetSome(await changedPlace(), sized({ quick: 4, full: 120, soak: 1000 }), "kill"),
  );

  promise(
    [5],
    "a batch whose sync fails is not acknowledged, and the next run repeats it",
    async () => meetSome(await changedPlace(), sized({ quick: 3, full: 20, soak: 100 }), "sync"),
  );

  promise(
    [8],
    "the rebuild of an index of an older format can be killed at any of its writes",
    async () => {
      return meetSome(await place(makeOlder), sized({ quick: 3, full: 50, soak: 200 }), "kill");
    },
  );
});
