// Runs one suite against one target, and reports the outcome.
import type { Host } from "../helpers/hosted-program.ts";
import { compare, expectedOf, scenarioOf, type Difference } from "./expected-failures.ts";
import { runSuite, type Check, type Suite } from "./suites.ts";
import type { Target, TargetName } from "./targets.ts";

export interface Outcome extends Difference {
  readonly checks: readonly Check[];
  /** Scenarios in which some or all checks were expected to fail. */
  readonly expected: readonly string[];
}

export async function outcomeOf(
  host: Host,
  { name, target, suite }: { name: TargetName; target: Target; suite: Suite },
): Promise<Outcome> {
  const checks = await runSuite(host, suite, target.url);
  const expected = expectedOf(suite.name, name, checks);
  return { checks, expected: expected.map(scenarioOf), ...compare(checks, expected) };
}

/** One line for each unexpected result. */
export function problemsIn({ unexpected, stale }: Difference): readonly string[] {
  return [
    ...unexpected.map(({ scenario, id, message }) => `failed: ${scenario} ${id} ${message}`.trim()),
    ...stale.map((entry) => `stale, it does not fail any more: ${entry}`),
  ];
}
