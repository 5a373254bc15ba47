import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

import { choicesSection } from "../../../scripts/tool-choice/page.ts";
import { createPrompt, descriptorsHash } from "../../../scripts/tool-choice/prompt.ts";
import {
  choicesOf,
  saveReading,
  readReadings,
  seedOf,
  type Reading,
} from "../../../scripts/tool-choice/readings.ts";
import type { Task } from "../../../scripts/tool-choice/tasks.ts";
import { TOOL_LISTINGS } from "../../../src/tools/tool-listings.ts";

const TASKS: readonly Task[] = [
  { task: "Where is it?", best: "find_symbol", accepted: ["search_context"] },
  { task: "What is in it?", best: "outline" },
  { task: "Show it.", best: "read_context" },
];
const NAMES = TOOL_LISTINGS.map(({ name }) => name);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The answer that names the wanted tool each time. */
function rightAnswer(seed: number): Record<string, unknown> {
  const { id, tasks } = createPrompt(TOOL_LISTINGS, TASKS, seed);
  return { prompt: id, ...Object.fromEntries(tasks.map(({ best }, at) => [at + 1, best])) };
}

function read(answer: Record<string, unknown>): Reading["choices"] {
  return choicesOf(answer, createPrompt(TOOL_LISTINGS, TASKS, seedOf(answer)), NAMES);
}

function readingOf(...choices: readonly string[]): Reading {
  const entries = TASKS.map(({ task }, at) => [task, choices[at] ?? ""] as const);
  return { seed: 1, descriptors: "", choices: Object.fromEntries(entries) };
}

test("a prompt shows name, title, description and schema of each tool, and each task once", () => {
  const { text, tasks } = createPrompt(TOOL_LISTINGS, TASKS, 3);
  for (const { descriptor } of TOOL_LISTINGS) {
    const { name, title, description, inputSchema } = descriptor;
    expect(text).toContain(JSON.stringify({ name, title, description, inputSchema }));
  }
  expect(text).not.toContain("annotations");
  for (const [at, { task }] of tasks.entries()) expect(text).toContain(`\n${at + 1}. ${task}\n`);
  expect(new Set(tasks)).toEqual(new Set(TASKS));
});

test("another seed gives another order, and the same choices", () => {
  const orders = [1, 2, 3, 4, 5, 6].map((seed) =>
    createPrompt(TOOL_LISTINGS, TASKS, seed)
      .tasks.map(({ task }) => task)
      .join(" "),
  );
  expect(new Set(orders).size).toBeGreaterThan(1);
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    expect(read(rightAnswer(seed))).toEqual({
      "Show it.": "read_context",
      "What is in it?": "outline",
      "Where is it?": "find_symbol",
    });
  }
});

test("an answer to another prompt, without some task or with an unknown tool is refused", () => {
  const right = rightAnswer(2);
  const { 2: _left, ...short } = right;
  expect(() => read({ ...right, prompt: "2-0000000000000000" })).toThrow("that of today is 2-");
  expect(() => read(short)).toThrow("it answers 2 of 3 tasks");
  expect(() => read({ ...right, 2: "grep" })).toThrow('task 2: "grep" is no tool');
  expect(() => read({ 1: "outline" })).toThrow('no member "prompt"');
});

test("a word of a description changes the hash; readings from another hash are removed", () => {
  const root = mkdtempSync(join(tmpdir(), "choices-"));
  folders.push(root);
  mkdirSync(join(root, "test"));
  const reworded = TOOL_LISTINGS.map((one) => ({
    descriptor: { ...one.descriptor, description: `${one.descriptor.description} Indeed.` },
  }));
  const before: Reading = { ...readingOf(), descriptors: descriptorsHash(TOOL_LISTINGS) };
  const after: Reading = { ...before, seed: 2, descriptors: descriptorsHash(reworded) };
  expect(after.descriptors).not.toBe(before.descriptors);
  saveReading(root, before);
  expect(readReadings(root)).toEqual([before]);
  saveReading(root, after);
  expect(readReadings(root)).toEqual([after]);
});

test("the section of the docs has the shares, task by task, and the totals", () => {
  const readings = [
    readingOf("find_symbol", "outline", "read_context"),
    readingOf("search_context", "outline", "outline"),
  ];
  expect(choicesSection(TASKS, readings).split("\n\n").slice(2)).toMatchInlineSnapshot(`
    [
      "The wanted tool was chosen in 4 of 6 cases, and one that answers the task too in 1 more.",
      "| task             | wanted                            | chosen                                            | wanted was chosen |
    | ---------------- | --------------------------------- | ------------------------------------------------- | ----------------- |
    | “Where is it?”   | \`find_symbol\` or \`search_context\` | \`find_symbol\` (1 of 2), \`search_context\` (1 of 2) | 1 of 2            |
    | “What is in it?” | \`outline\`                         | \`outline\`                                         | 2 of 2            |
    | “Show it.”       | \`read_context\`                    | \`read_context\` (1 of 2), \`outline\` (1 of 2)       | 1 of 2            |",
    ]
  `);
  expect(choicesSection(TASKS, [])).toBe("");
});
