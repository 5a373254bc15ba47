// Both published conformance suites of MCP against the shipped program, and against the same layers
// with the tools that the suites call by name.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { outcomeOf, problemsIn } from "../conformance/conformance.ts";
import { compare } from "../conformance/expected-failures.ts";
import { startSuites, SUITES } from "../conformance/suites.ts";
import { startTarget, TARGET_NAMES, type Target } from "../conformance/targets.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const START_MS = 60_000;
/** For a suite that runs in seconds; it has its own limits for each scenario. */
const SUITE_MS = 120_000;

const host = startSuites();
afterAll(() => host.close());

describe.each(TARGET_NAMES)("%s", (name) => {
  let target: Target | undefined;
  beforeAll(async () => {
    target = await startTarget(name);
  }, START_MS);
  afterAll(() => target?.close());

  test.each(SUITES)(
    "fails in suite $name exactly what is expected to fail, for a reason",
    async (suite) => {
      if (target === undefined) throw new Error("the target is started before its tests");
      expect(problemsIn(await outcomeOf(host, { name, target, suite }))).toEqual([]);
    },
    SUITE_MS,
  );
});

test("unexpected failures and unexpected passes are reported", () => {
  const check = { scenario: "ping", id: "ping", message: "no answer" };
  expect(problemsIn(compare([{ ...check, passed: false }], []))).toEqual([
    "failed: ping ping no answer",
  ]);
  expect(problemsIn(compare([{ ...check, passed: true }], ["ping ping"]))).toEqual([
    "stale, it does not fail any more: ping ping",
  ]);
  expect(problemsIn(compare([{ ...check, passed: false }], ["ping"]))).toEqual([]);
  expect(problemsIn(compare([{ ...check, passed: false }], ["ping other"]))).toHaveLength(2);
});
