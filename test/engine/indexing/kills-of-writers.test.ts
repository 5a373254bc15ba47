// Several processes and one index: never two writers, a killed writer is replaced, and readers see saved files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import type { LocalRun } from "../../helpers/run-index.ts";
import { tree } from "../../helpers/tree.ts";
import { pathsWith } from "../fixtures/check-index.ts";
import { markedTree } from "../fixtures/marked-tree.ts";
import type { Command } from "../fixtures/index-on-command.ts";
import { kill, nextMessage, programOf } from "../fixtures/programs.ts";
import { authorized } from "../../helpers/authorized.ts";

function dataFolder(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

test("two processes that write in turn never write at the same time", async () => {
  const program = programOf("write-in-turn.ts", ["warm-up"]);
  const data = dataFolder();
  const shared = join(data, "shared");
  writeFileSync(shared, "0");
  const times = 60;
  const children = [1, 2].map(() => program.start(data, shared, String(times)));
  const seen = await Promise.all(children.map((child) => nextMessage<readonly string[]>(child)));
  const alone = Array.from({ length: times }, () => ["0", "busy", "1"]).flat();
  expect(seen).toEqual([alone, alone]);
}, 60_000);

test("a killed writer is replaced within a second", async () => {
  const program = programOf("hold-lock.ts", ["warm-up"]);
  const data = dataFolder();
  let holder = program.start(data);
  await nextMessage(holder);
  await nextMessage(holder);
  const delays: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    const waiter = program.start(data);
    // oxlint-disable-next-line no-await-in-loop -- the processes take over the lock one after the other
    await nextMessage(waiter);
    expect((await new EmbeddedBackend(data).health("project")).isBeingWritten).toBe(true);
    const taken = nextMessage<{ readonly atMs: number }>(waiter);
    const killedMs = Date.now();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await kill(holder);
    // oxlint-disable-next-line no-await-in-loop -- as above
    delays.push((await taken).atMs - killedMs);
    holder = waiter;
  }
  await kill(holder);
  expect(Math.max(...delays)).toBeLessThan(1000);
}, 60_000);

test("a reader in another process sees saved, changed and removed files", async () => {
  const program = programOf("index-on-command.ts", ["warm-up"]);
  const data = dataFolder();
  const files = markedTree(50);
  onTestFinished(files.dispose);
  const job: LocalRun = {
    dataDirectory: data,
    namespace: "project",
    sources: [files.source],
    rebuild: false,
    waitMs: 2000,
  };
  const child = program.start();
  onTestFinished(() => kill(child));
  await nextMessage(child);
  const backend = new EmbeddedBackend(data);
  onTestFinished(backend.close);
  const found = async (word: string): Promise<readonly string[]> => {
    const reader = await backend.reader(authorized("project"));
    return reader === undefined ? [] : pathsWith(reader, word);
  };
  const run = async (): Promise<IndexReport> => {
    const command: Command = { job, table: "packed" };
    child.send(command);
    return (await nextMessage<{ readonly report: IndexReport }>(child)).report;
  };
  expect(await run()).toMatchObject({ outcome: "done", added: 50 });
  const path = "src/part0/piece0.ts";
  const before = files.wordOf(path);
  expect(await found(before)).toEqual([path]);
  files.rewrite(1);
  expect(await run()).toMatchObject({ outcome: "done", changed: 1, unchanged: 49 });
  expect([await found(before), await found(files.wordOf(path))]).toEqual([[], [path]]);
  const reader = await backend.reader(authorized("project"));
  files.remove(path);
  expect(await run()).toMatchObject({ outcome: "done", removed: 1 });
  expect(await found(files.wordOf(path))).toEqual([]);
  // A reader that was opened before sees the old version.
  expect(reader && (await pathsWith(reader, files.wordOf(path)))).toEqual([path]);
  expect(
    await backend.reader(authorized("project")).then((now) => now?.file(path)),
  ).toBeUndefined();
}, 60_000);
