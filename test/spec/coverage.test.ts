import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { expect, test } from "vitest";

import { OPEN_STEPS, REQUIREMENTS, type Requirement } from "./requirements.ts";

const root = join(import.meta.dirname, "../..");
const sources = ["test", "bench"]
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => /\.(test|bench)\.ts$|\bbench\/[^/]+\.ts$/.test(file))
  .filter((file) => basename(file) !== "coverage.test.ts")
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    join(folder, file),
  );
}

/** Ids in the `verifies(...)` calls of the tests, or in the `measures(...)` calls of the benches. */
function cited(name: "verifies" | "measures"): Set<string> {
  const calls = new RegExp(String.raw`\b${name}\(\s*("[^"]*"|\[[^\]]*\])`, "g");
  const ids = sources.flatMap(({ text }) =>
    [...text.matchAll(calls)].flatMap((call) => [...(call[1] ?? "").matchAll(/"([^"]*)"/g)]),
  );
  return new Set(ids.map((id) => id[1] ?? ""));
}

function idsOf(wanted: (requirement: Requirement) => boolean): string[] {
  return REQUIREMENTS.filter(wanted).map(({ id }) => id);
}

const verified = cited("verifies");
const measured = cited("measures");
const isOpen = ({ openUntil }: Requirement): boolean => openUntil !== undefined;

test("every id is written once, as section and kebab-case name", () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => !/^\d(\.\d)?\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test("every requirement that is not open has a test", () => {
  const missing = idsOf((it) => !isOpen(it) && it.kind === undefined && !verified.has(it.id));
  expect(missing).toEqual([]);
});

test("every requirement that is measured has a bench", () => {
  expect(idsOf(({ id, kind }) => kind === "measured" && !measured.has(id))).toEqual([]);
});

test("no test or bench cites an unknown id", () => {
  const ids = new Set(idsOf(() => true));
  expect([...verified, ...measured].filter((id) => !ids.has(id))).toEqual([]);
});

test("no open requirement is already proven: remove its openUntil", () => {
  expect(idsOf((it) => isOpen(it) && (verified.has(it.id) || measured.has(it.id)))).toEqual([]);
});

test("every call of verifies names its ids as literals", () => {
  const hidden = sources.filter(({ text }) => /\bverifies\((?!\s*["[])/.test(text));
  expect(hidden.map(({ file }) => file)).toEqual([]);
});

test("the open requirements are exactly those of the remaining steps", () => {
  const open = new Map<number, number>();
  for (const { openUntil } of REQUIREMENTS) {
    if (openUntil !== undefined) open.set(openUntil, (open.get(openUntil) ?? 0) + 1);
  }
  const counted = Object.fromEntries([...open].toSorted(([a], [b]) => a - b));
  process.stdout.write(`open requirements by step: ${JSON.stringify(counted)}\n`);
  const owed = Object.entries(OPEN_STEPS).map(([step, { open: count }]) => [step, count]);
  expect(counted).toEqual(Object.fromEntries(owed));
});
