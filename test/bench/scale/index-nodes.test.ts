import { expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import { DatabaseModel } from "../../../bench/scale/database-model.ts";
import { EventQueue } from "../../../bench/scale/event-queue.ts";
import { IndexNodes } from "../../../bench/scale/index-nodes.ts";

const SECOND_MS = 1000;

function indexNodes(nodes: number, cores: number) {
  const queue = new EventQueue();
  const database = new DatabaseModel(queue, { bytesPerMs: 1e6, random: seededRandom("commits") });
  const random = seededRandom("nodes");
  const index = new IndexNodes(queue, database, { nodes, cores, random, bytesOf: () => 1e6 });
  return { queue, database, index };
}

test("pushes to a namespace that waits become one update, and those during an update a second one", () => {
  const { queue, database, index } = indexNodes(1, 2);
  for (let push = 0; push < 5; push += 1) index.push(3);
  queue.runUntil(SECOND_MS);
  index.push(3);
  index.push(3);
  queue.runUntil(20 * SECOND_MS);
  expect(database.pushesOf(3)).toBe(2);
  expect(index.lagsMs).toHaveLength(2);
});

test("a node does as many updates at once as it has cores less one, and begins another one when one has ended", () => {
  const { queue, database, index } = indexNodes(1, 4);
  for (let namespace = 0; namespace < 30; namespace += 1) index.push(namespace);
  queue.runUntil(5 * SECOND_MS);
  const done = Array.from({ length: 30 }, (_, namespace) => database.pushesOf(namespace));
  const count = done.reduce((sum, pushes) => sum + pushes, 0);
  // Three at once, of 0.6 s on average with their commits. One look a second would begin 15.
  expect(count).toBeGreaterThan(18);
  expect(count).toBeLessThan(30);
  queue.runUntil(20 * SECOND_MS);
  expect(index.lagsMs).toHaveLength(30);
});

test("a push makes two or three commits, 2.75 on average, at most ten a second of one namespace", () => {
  const { queue, database, index } = indexNodes(10, 8);
  for (let namespace = 0; namespace < 400; namespace += 1) index.push(namespace);
  queue.runUntil(60 * SECOND_MS);
  expect(index.lagsMs).toHaveLength(400);
  expect(database.commitCount / 400).toBeCloseTo(2.75, 1);
  expect(Math.min(...index.lagsMs) > 427 + 100).toBe(true);
});
