// The choices of each reading: one file each, with the hash of the descriptors that it was made from.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Prompt } from "./prompt.ts";
import { CHOICES } from "./tasks.ts";

export interface Reading {
  readonly seed: number;
  /** See `descriptorsHash`. */
  readonly descriptors: string;
  /** The name of a tool, by task. */
  readonly choices: Readonly<Record<string, string>>;
}

/** In the order of their seeds. */
export function readReadings(root: string): readonly Reading[] {
  return (
    readingFiles(root)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the project's own data, and tested
      .map((path) => JSON.parse(readFileSync(path, "utf8")) as Reading)
      .toSorted((one, other) => one.seed - other.seed)
  );
}

/** The seed in the answer of a model, which identifies the prompt. */
export function seedOf(answer: Readonly<Record<string, unknown>>): number {
  const { prompt } = answer;
  const seed = typeof prompt === "string" ? /^(?<seed>\d+)-/.exec(prompt)?.groups?.["seed"] : "";
  if (seed === undefined || seed === "") throw new Error('the answer has no member "prompt"');
  return Number(seed);
}

/** The answer of a model to `prompt`. Throws if it answers another prompt or is incomplete. */
export function choicesOf(
  answer: Readonly<Record<string, unknown>>,
  { id, tasks }: Prompt,
  names: readonly string[],
): Reading["choices"] {
  const { prompt, ...numbered } = answer;
  if (prompt !== id) throw new Error(`it answers prompt ${String(prompt)}; that of today is ${id}`);
  const count = Object.keys(numbered).length;
  if (count !== tasks.length) throw new Error(`it answers ${count} of ${tasks.length} tasks`);
  const chosen = new Map<string, string>();
  for (const [at, { task }] of tasks.entries()) {
    const name = numbered[String(at + 1)];
    if (typeof name !== "string" || !names.includes(name)) {
      throw new Error(`task ${at + 1}: ${JSON.stringify(name)} is no tool`);
    }
    chosen.set(task, name);
  }
  // Sorted, so that readings can be compared line by line.
  return Object.fromEntries([...chosen].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Saves a reading, and removes readings for other descriptors. */
export function saveReading(root: string, reading: Reading): string {
  for (const { seed, descriptors } of readReadings(root)) {
    if (descriptors !== reading.descriptors) rmSync(placeOf(root, seed));
  }
  const place = placeOf(root, reading.seed);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `${JSON.stringify(reading, null, 2)}\n`);
  return place;
}

function readingFiles(root: string): readonly string[] {
  const folder = join(root, CHOICES, "readings");
  if (!existsSync(folder)) return [];
  return globSync("*.json", { cwd: folder }).map((name) => join(folder, name));
}

function placeOf(root: string, seed: number): string {
  return join(root, CHOICES, "readings", `${seed}.json`);
}
