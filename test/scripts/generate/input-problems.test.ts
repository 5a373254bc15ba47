import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { inputProblems } from "../../../scripts/generate/input-problems.ts";
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");

const COPIED = ["src", "scripts", "bench", "test", "docs", "package.json"];

/** A copy of the project that the test may change. */
function project(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  for (const name of COPIED) cpSync(join(ROOT, name), join(path, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
  return path;
}

test("the inputs of the project have no problem", () => {
  expect(inputProblems(ROOT)).toEqual([]);
});

test("a missing input, a damaged one and a measured test that is gone are named", () => {
  const root = project();
  rmSync(join(root, "src/base/errors.ts"));
  writeFileSync(join(root, "docs/benchmarks.json"), "{");
  rmSync(join(root, "test/trust/isolation/ends.test.ts"));
  expect(inputProblems(root)).toEqual([
    "src/base/errors.ts is missing.",
    "docs/reliability.json: there is no test/trust/isolation/ends.test.ts.",
    expect.stringMatching(/^docs\/benchmarks\.json: SyntaxError: /),
  ]);
});

test("with such a problem nothing is written", () => {
  const root = project();
  const page = join(root, "docs/errors.md");
  writeFileSync(page, "old");
  rmSync(join(root, "test/trust/isolation/ends.test.ts"));
  const script = join(root, "scripts/generate.ts");
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    "docs/reliability.json: there is no test/trust/isolation/ends.test.ts.\nNothing was written.\n",
  ]);
  expect(readFileSync(page, "utf8")).toBe("old");
}, 60_000);
