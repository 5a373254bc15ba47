import type {
  Reporter,
  SerializedError,
  TestModule,
  TestRunEndReason,
  TestSuite,
} from "vitest/node";

/** Ends the run with one plain line, `N passed, N failed, N skipped`, for programs to read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number =>
      tests.filter((test) => test.result().state === state).length;
    // A file that did not load and a hook that threw leave no failed test behind.
    const broken = modules
      .flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()])
      .filter((owner) => owner.errors().length > 0).length;
    const failed = count("failed") + broken + unhandled.length;
    // A run that did not pass must not look as if it had, whatever the reason.
    const reported = reason === "passed" ? failed : Math.max(failed, 1);
    process.stdout.write(
      `\n${count("passed")} passed, ${reported} failed, ${count("skipped")} skipped\n`,
    );
  }
}
