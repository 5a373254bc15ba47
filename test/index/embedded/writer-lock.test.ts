import { writeFileSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { takeWriterLock } from "../../../src/index/embedded/writer-lock.ts";
import { tree } from "../../helpers/tree.ts";

const WAIT_MS = 20_000;

function locks(): (waitMs: number) => Promise<(() => void) | undefined> {
  const { path, dispose } = tree({ "namespaces/project/empty": "" });
  onTestFinished(dispose);
  return (waitMs) => takeWriterLock(indexLayout(path, "project"), { waitMs });
}

test("a writer that releases the lock and wants it again gets it after the one that waits", async () => {
  const take = locks();
  const order: string[] = [];
  let release = await take(0);
  const waiting = take(WAIT_MS).then((done) => {
    order.push("waiting");
    return done;
  });
  release?.();
  const again = take(WAIT_MS).then((done) => {
    order.push("again");
    return done;
  });
  release = await waiting;
  expect(order).toEqual(["waiting"]);
  release?.();
  (await again)?.();
  expect(order).toEqual(["waiting", "again"]);
}, 60_000);

test("a writer that may not wait gets nothing while another writes, or is the next to write", async () => {
  const take = locks();
  const release = await take(0);
  expect(await take(0)).toBeUndefined();
  const waiting = take(WAIT_MS);
  expect(await take(0)).toBeUndefined();
  release?.();
  const next = await waiting;
  expect(next).toBeDefined();
  next?.();
  const last = await take(0);
  expect(last).toBeDefined();
  last?.();
}, 60_000);

test("a patient writer waits as long as others make progress, and gives up when they make none", async () => {
  const { path, dispose } = tree({ "namespaces/project/catalog.db": "" });
  onTestFinished(dispose);
  const layout = indexLayout(path, "project");
  const release = await takeWriterLock(layout, { waitMs: 0 });
  let commits = 0;
  const committing = setInterval(
    () => writeFileSync(`${layout.catalog}-wal`, `${(commits += 1)}`),
    10,
  );
  onTestFinished(() => clearInterval(committing));
  let isOver = false;
  const waiting = takeWriterLock(layout, { waitMs: 500, isPatient: true }).then((taken) => {
    isOver = true;
    return taken;
  });
  await expect.poll(() => commits, { timeout: WAIT_MS }).toBeGreaterThan(10);
  expect(isOver).toBe(false);
  clearInterval(committing);
  expect(await waiting).toBeUndefined();
  release?.();
}, 60_000);

test("a writer that gave up waiting holds nothing", async () => {
  const take = locks();
  const release = await take(0);
  expect(await take(20)).toBeUndefined();
  release?.();
  const next = await take(0);
  expect(next).toBeDefined();
  next?.();
});
