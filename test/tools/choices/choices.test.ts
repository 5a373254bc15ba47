import { join } from "node:path";
import { expect, test } from "vitest";

import { descriptorsHash } from "../../../scripts/tool-choice/prompt.ts";
import { readReadings } from "../../../scripts/tool-choice/readings.ts";
import { scoreTasks, sumOf } from "../../../scripts/tool-choice/score.ts";
import { readTasks } from "../../../scripts/tool-choice/tasks.ts";
import { TOOL_LISTINGS } from "../../../src/tools/tool-listings.ts";

const ROOT = join(import.meta.dirname, "../../..");
const tasks = readTasks(ROOT);
const readings = readReadings(ROOT);
const names = TOOL_LISTINGS.map(({ name }) => name);

test("each tool has at least three tasks, and all tasks differ", () => {
  expect(tasks).toHaveLength(42);
  expect(new Set(tasks.map(({ task }) => task)).size).toBe(tasks.length);
  const wanted = Map.groupBy(tasks, ({ best }) => best);
  expect([...wanted.keys()].toSorted()).toEqual(names.toSorted());
  expect(Math.min(...[...wanted.values()].map((ofTool) => ofTool.length))).toBeGreaterThan(2);
  expect(names).toEqual(expect.arrayContaining(tasks.flatMap(({ accepted = [] }) => accepted)));
});

test("three readings match the current descriptors; CONTRIBUTING.md says how to make them", () => {
  expect(readings.length).toBeGreaterThanOrEqual(3);
  const today = descriptorsHash(TOOL_LISTINGS);
  expect(readings.map(({ descriptors }) => descriptors)).toEqual(readings.map(() => today));
  for (const { choices } of readings) {
    expect(Object.keys(choices).toSorted()).toEqual(tasks.map(({ task }) => task).toSorted());
  }
});

test("the descriptions lead to the wanted tool in 95 of 100 cases", () => {
  const cases = tasks.length * readings.length;
  expect(sumOf(scoreTasks(tasks, readings), "best") / cases).toBeGreaterThanOrEqual(0.95);
});
