// Tests the promises at length, and prints promise, cases tried and failures. scripts/trust.mjs runs it, with --soak
// and parts of paths of tests. docs/reliability.json records a run over everything, and docs/reliability.md is made
// from it. With --soak, which takes hours, the files of each run replace their earlier records. --minutes is the length
// of the session to which --soak gives two hours.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { startVitest, type TestCase, type TestModule, type Vitest } from "vitest/node";

import type { Promised } from "../../test/trust/promise.ts";
import { promiseTests } from "../generate/promises.ts";
import type { Measured, Results, Run } from "../generate/reliability.ts";

const root = path.join(import.meta.dirname, "../..");
const RESULTS = path.join(root, "docs/reliability.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { soak: { type: "boolean", default: false }, minutes: { type: "string" } },
});
process.exitCode = await main(values.soak ? "soak" : "full", positionals);

async function main(size: "full" | "soak", wanted: readonly string[]): Promise<number> {
  process.env["SVC_TRUST"] = size;
  if (values.minutes !== undefined) process.env["SVC_TRUST_MINUTES"] = values.minutes;
  const files = [...new Set(promiseTests(root).map(({ file }) => file))].filter(
    (file) => wanted.length === 0 || wanted.some((one) => file.includes(one)),
  );
  if (files.length === 0) {
    console.error(`trust: no test of a promise has ${wanted.join(" or ")} in its path.`);
    return 2;
  }
  const start = performance.now();
  const vitest = await startVitest("test", files, { watch: false, root, reporters: ["dot"] });
  const seconds = Math.round((performance.now() - start) / 1000);
  const promises = measuredIn(vitest);
  const broken = brokenIn(vitest);
  // Other tests in the same files count as well, because the promise may depend on their preparations.
  const isWell =
    vitest.state.getCountOfFailedTests() === 0 && vitest.state.getUnhandledErrors().length === 0;
  await vitest.close();
  print(promises, seconds);
  for (const file of broken) console.log(`failed before its promises were tested: ${file}`);
  const date = new Date().toISOString().slice(0, 10);
  const run = { date, seconds, cores: availableParallelism(), promises };
  if (wanted.length === 0) save({ [size]: run });
  else if (size === "soak") save({ soak: withOthers(run) });
  return isWell && broken.length === 0 && promises.every(({ failures }) => failures === 0) ? 0 : 1;
}

function measuredIn(vitest: Vitest): readonly Measured[] {
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  return tests
    .flatMap((test) => {
      const { promised } = test.meta();
      return promised === undefined ? [] : [measured(test, promised)];
    })
    .toSorted((one, other) => (one.ids[0] ?? 0) - (other.ids[0] ?? 0));
}

/** Files that could not be loaded, or whose setup failed. */
function brokenIn(vitest: Vitest): readonly string[] {
  const modules = vitest.state.getTestModules();
  return modules
    .filter((module) =>
      [module, ...module.children.allSuites()].some((owner) => owner.errors().length > 0),
    )
    .map(fileOf);
}

function fileOf({ moduleId }: TestModule): string {
  return path.relative(root, moduleId).split(path.sep).join("/");
}

function measured(test: TestCase, { ids, promise, cases = 0 }: Promised): Measured {
  const file = fileOf(test.module);
  const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 1000);
  const failures = test.result().state === "passed" ? 0 : 1;
  return { ids, promise, file, cases, failures, seconds };
}

function print(promises: readonly Measured[], seconds: number): void {
  console.log(`\n${"no.".padEnd(10)}${"cases".padStart(10)}${"failures".padStart(10)}  promise`);
  for (const { ids, cases, failures, promise } of promises) {
    const numbers = [ids.join(", ").padEnd(10), cases.toLocaleString("en").padStart(10)];
    console.log(`${numbers.join("")}${String(failures).padStart(10)}  ${promise}`);
  }
  const cases = promises.reduce((sum, one) => sum + one.cases, 0);
  const failures = promises.reduce((sum, one) => sum + one.failures, 0);
  console.log(
    `\n${promises.length} promises, ${cases.toLocaleString("en")} cases, ${failures} failures, ${seconds} s`,
  );
}

/** Includes the records of files that this run has not tried. */
function withOthers(run: Run): Run {
  const tried = new Set(run.promises.map(({ file }) => file));
  const kept = (read().soak?.promises ?? []).filter(({ file }) => !tried.has(file));
  const promises = [...run.promises, ...kept].toSorted(
    (one, other) => (one.ids[0] ?? 0) - (other.ids[0] ?? 0),
  );
  const seconds = promises.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  return { ...run, seconds, promises };
}

function read(): Results {
  return JSON.parse(readFileSync(RESULTS, "utf8"));
}

function save(run: Results): void {
  writeFileSync(RESULTS, `${JSON.stringify({ ...read(), ...run })}\n`);
  spawnSync(process.execPath, [path.join(root, "node_modules/oxfmt/bin/oxfmt"), RESULTS]);
  console.log(`stored in ${path.relative(root, RESULTS)}; \`npm run gen\` makes its page`);
}
