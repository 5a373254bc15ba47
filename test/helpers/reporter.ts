import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSuite,
} from "vitest/node";

import {
  describeRequirements,
  TEST_REQUIREMENTS,
  REQUIREMENT_PREFIX,
  REQUIREMENT_NAMES,
  type RequirementName,
} from "../../scripts/testing/requirements.ts";

/**
 * Names the skipped tests, with the missing needs, and ends the run with one plain
 * line, `N passed, N failed, N skipped`, for programs to read.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const withState = (state: string): readonly TestCase[] =>
      tests.filter((test) => test.result().state === state);
    const skipped = withState("skipped");
    const complaints = complaintsAbout(skipped);
    // A file that did not load or a hook that threw leaves no failed test.
    const broken = modules
      .flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()])
      .filter((owner) => owner.errors().length > 0).length;
    const failed = withState("failed").length + broken + unhandled.length + complaints.length;
    // A run that did not pass must never look as if it had.
    const reported = reason === "passed" ? failed : Math.max(failed, 1);
    if (complaints.length > 0) process.exitCode = 1;
    process.stdout.write(
      [
        "",
        ...reportLeftOut(skipped),
        ...complaints,
        `${withState("passed").length} passed, ${reported} failed, ${skipped.length} skipped\n`,
      ].join("\n"),
    );
  }
}

function reportLeftOut(skipped: readonly TestCase[]): readonly string[] {
  if (skipped.length === 0) return [];
  const names = missingFor(skipped);
  return [
    `Skipped ${skipped.length} tests:`,
    ...skipped.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`),
    ...(names.length === 0 ? [] : ["They need:", ...describeRequirements(names)]),
    ...(names.length === 0 ? [] : ["Install everything with: npm run test:setup", ""]),
  ];
}

/** The needs of these tests that this machine lacks. */
function missingFor(skipped: readonly TestCase[]): readonly RequirementName[] {
  const titles = new Set(skipped.flatMap(titlesAbove));
  return REQUIREMENT_NAMES.filter((name) =>
    [...titles].some(
      (title) =>
        title.startsWith(REQUIREMENT_PREFIX) &&
        title.slice(REQUIREMENT_PREFIX.length).split(", ").includes(name),
    ),
  );
}

function titlesAbove(test: TestCase): readonly string[] {
  const titles: string[] = [];
  for (let at = test.parent; at.type === "suite"; at = at.parent) titles.push(at.name);
  return titles;
}

/** A complete machine skips nothing; a machine that hides the programs skips tests of each program. */
function complaintsAbout(skipped: readonly TestCase[]): readonly string[] {
  const isHidden = (process.env["SVC_TESTS_WITHOUT_PROGRAMS"] ?? "") !== "";
  if (isHidden) {
    const missing = new Set(missingFor(skipped));
    return REQUIREMENT_NAMES.filter(
      (name) => TEST_REQUIREMENTS[name].programs.length > 0 && !missing.has(name),
    ).map((name) => `FAILED: no test was skipped because ${name} is missing.`);
  }
  const isCi = (process.env["CI"] ?? "") !== "";
  if (!isCi || skipped.length === 0) return [];
  return [`FAILED: in CI no test may be skipped, and ${skipped.length} were.`];
}
