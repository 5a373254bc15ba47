// What scripts/trust.mjs runs, with --soak and parts of paths of tests: tries what is promised at length, and prints promise, cases tried and
// failures. A run over everything is kept in docs/reliability.json, of which docs/reliability.md is made.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { startVitest, type TestCase, type TestModule, type Vitest } from "vitest/node";

import type { Promised } from "../../test/trust/promise.ts";
import { promiseTests } from "../generate/promises.ts";
import type { Measured, Results } from "../generate/reliability.ts";

const root = path.join(import.meta.dirname, "../..");
const RESULTS = path.join(root, "docs/reliability.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { soak: { type: "boolean", default: false } },
});
process.exitCode = await main(values.soak ? "soak" : "full", positionals);

async function main(size: "full" | "soak", wanted: readonly string[]): Promise<number> {
  process.env["SVC_TRUST"] = size;
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
  // Tests beside them in the same files count as well: what they prepare may be what is promised.
  const isWell =
    vitest.state.getCountOfFailedTests() === 0 && vitest.state.getUnhandledErrors().length === 0;
  await vitest.close();
  print(promises, seconds);
  for (const file of broken) console.log(`failed before its promises were tried: ${file}`);
  if (wanted.length === 0) {
    const date = new Date().toISOString().slice(0, 10);
    keep(size, { date, seconds, cores: availableParallelism(), promises });
  }
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

/** Files that could not be loaded, or whose tests could not be prepared. */
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
  return { ids, promise, file, cases, failures: test.result().state === "passed" ? 0 : 1 };
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

function keep(size: "full" | "soak", run: NonNullable<Results["full"]>): void {
  const before: Results = JSON.parse(readFileSync(RESULTS, "utf8"));
  writeFileSync(RESULTS, `${JSON.stringify({ ...before, [size]: run })}\n`);
  spawnSync(process.execPath, [path.join(root, "node_modules/oxfmt/bin/oxfmt"), RESULTS]);
  console.log(`kept in ${path.relative(root, RESULTS)}; \`npm run gen\` makes the page of it`);
}
