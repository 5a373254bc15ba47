import { expect, test } from "vitest";

import { seededRandom, type Random } from "../../../bench/quality/random.ts";
import { EventQueue } from "../../../bench/scale/event-queue.ts";
import { Processors, Thread } from "../../../bench/scale/processors.ts";
import { exponential } from "../../../bench/scale/random.ts";

const SERVICE = 1;
const ARRIVALS = 60_000;

/** The mean time from the arrival of work until its end, as a multiple of its time on a core. */
function meanTime(cores: number, load: number, service: (random: Random) => number): number {
  const queue = new EventQueue();
  const processors = new Processors(queue, cores);
  const random = seededRandom(`${cores} cores`);
  let total = 0;
  let ended = 0;
  const arrive = (): void => {
    const arrived = queue.nowMs;
    processors.run(service(random), () => {
      total += queue.nowMs - arrived;
      ended += 1;
    });
    if (ended < ARRIVALS) queue.after(exponential(SERVICE / load / cores, random), arrive);
  };
  arrive();
  queue.runUntil(Infinity);
  return total / ended;
}

test("the mean time in a queue with random work is that of M/M/1", () => {
  const load = 0.7;
  const expected = SERVICE / (1 - load);
  const found = meanTime(1, load, (random) => exponential(SERVICE, random));
  expect(found / expected).toBeCloseTo(1, 1);
});

test("the mean time in a queue with equal work is that of M/D/1", () => {
  const load = 0.8;
  const expected = SERVICE + (SERVICE * load) / (2 * (1 - load));
  expect(meanTime(1, load, () => SERVICE) / expected).toBeCloseTo(1, 1);
});

test("the mean time in a queue of four cores is that of M/M/4", () => {
  const load = 0.8;
  // Erlang's formula for the probability of a wait, with 3.2 busy cores on average.
  const busy = 4 * load;
  const full = busy ** 4 / 24 / (1 - load);
  const wait = full / (1 + busy + busy ** 2 / 2 + busy ** 3 / 6 + full);
  const expected = SERVICE + (wait * SERVICE) / (4 - busy);
  const found = meanTime(4, load, (random) => exponential(SERVICE, random));
  expect(found / expected).toBeCloseTo(1, 1);
});

test("work waits for a core in the order in which it came", () => {
  const queue = new EventQueue();
  const processors = new Processors(queue, 2);
  const ended: string[] = [];
  for (const [name, cpuMs] of [
    ["long", 10],
    ["short", 2],
    ["third", 1],
    ["fourth", 1],
  ] as const) {
    processors.run(cpuMs, () => ended.push(`${name} ${queue.nowMs}`));
  }
  queue.runUntil(100);
  expect(ended).toEqual(["short 2", "third 3", "fourth 4", "long 10"]);
  expect(processors.usedMs).toBe(14);
});

test("work is slower while more cores are busy", () => {
  const queue = new EventQueue();
  const processors = new Processors(queue, 2, (busyShare) => (busyShare > 0.5 ? 2 : 1));
  const taken: number[] = [];
  processors.run(10, (takenMs) => taken.push(takenMs));
  processors.run(10, (takenMs) => taken.push(takenMs));
  queue.runUntil(100);
  expect(taken).toEqual([10, 20]);
});

test("a thread does one piece of work at a time, although its machine has free cores", () => {
  const queue = new EventQueue();
  const thread = new Thread(new Processors(queue, 4));
  const ended: number[] = [];
  for (let piece = 0; piece < 3; piece += 1) thread.run(5, () => ended.push(queue.nowMs));
  queue.runUntil(100);
  expect(ended).toEqual([5, 10, 15]);
});
