// npm run conformance: both published suites against the built program and against the same layers over
// fixture tools, on both wires. Ends with 0 if exactly the failures of expected-failures.ts occurred.
import { outcomeOf, problemsIn, type Outcome } from "./conformance.ts";
import { EXCEPTIONS, scenarioOf } from "./expected-failures.ts";
import { startSuites, SUITES, type SuiteName } from "./suites.ts";
import { startTarget, TARGET_NAMES, type TargetName } from "./targets.ts";

type Outcomes = Readonly<Record<SuiteName, Map<TargetName, Outcome>>>;

process.env["SVC_BIN"] ??= `${import.meta.dirname}/../../dist/svc`;

const outcomes: Outcomes = {
  "0.1.16": new Map(),
  "0.2 2025-11-25": new Map(),
  "0.2 2026-07-28": new Map(),
};
const problems: string[] = [];
const host = startSuites();
for (const name of TARGET_NAMES) {
  // One after the other: a suite waits for some answers by the clock.
  // oxlint-disable-next-line no-await-in-loop
  const target = await startTarget(name);
  try {
    for (const suite of SUITES) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await outcomeOf(host, { name, target, suite });
      outcomes[suite.name].set(name, outcome);
      problems.push(...problemsIn(outcome).map((line) => `${suite.name}, ${name}: ${line}`));
    }
  } finally {
    // oxlint-disable-next-line no-await-in-loop
    await target.close();
  }
}
await host.close();
for (const { name } of SUITES) printTable(name, outcomes[name]);
printReasons();
for (const line of problems) print(line);
print(problems.length === 0 ? "As expected." : `${problems.length} differences.`);
if (problems.length > 0) process.exitCode = 1;

/** The number of passed checks of each scenario; `x` marks scenarios with expected failures. */
function printTable(title: string, columns: ReadonlyMap<TargetName, Outcome>): void {
  const scenarios = new Set(
    [...columns.values()].flatMap(({ checks }) => checks.map(({ scenario }) => scenario)),
  );
  print(row(`suite ${title}`, TARGET_NAMES));
  for (const scenario of [...scenarios].toSorted()) {
    const cells = TARGET_NAMES.map((name) => cellOf(columns.get(name), scenario));
    print(row(scenario, cells));
  }
  const totals = TARGET_NAMES.map((name) => {
    const { checks = [] } = columns.get(name) ?? {};
    return `${checks.filter(({ passed }) => passed).length}/${checks.length}`;
  });
  print(`${row("checks passed", totals)}\n`);
}

function cellOf(outcome: Outcome | undefined, scenario: string): string {
  const checks = outcome?.checks.filter((check) => check.scenario === scenario) ?? [];
  const passed = checks.filter((check) => check.passed).length;
  const isWrong =
    outcome?.unexpected.some((check) => check.scenario === scenario) === true ||
    outcome?.stale.some((entry) => scenarioOf(entry) === scenario) === true;
  const mark = isWrong ? " WRONG" : outcome?.expected.includes(scenario) === true ? " x" : "";
  return `${passed}/${checks.length}${mark}`;
}

function printReasons(): void {
  print("x: expected to fail; where, and of how many scenarios:");
  for (const { reason, on = ["everywhere"], failures } of EXCEPTIONS) {
    const scenarios = new Set(failures.map(scenarioOf)).size;
    print(`  ${reason} (${on.join(" and ")}: ${scenarios})`);
  }
}

function row(first: string, cells: readonly string[]): string {
  return [first.padEnd(46), ...cells.map((cell) => cell.padEnd(16))].join(" ").trimEnd();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
