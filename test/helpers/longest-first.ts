import path from "node:path";

import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take 10 s or more, most of it in programs that they start and wait for. If such a file begins last, it
 * keeps one worker busy while the others are idle.
 */
const LONG_FILES = [
  "trust/hostile-repository",
  "trust/parse-budget",
  "transports/http/run-in-turn",
  "trust/ignore-files",
  "cli/commands/audit-rollback",
  "trust/swapped-root",
  "trust/scanner-abuse",
  "credentials/keychain/data-key-keychain",
  "trust/index/kill-at-write",
  "engine/drift/notes-renewal",
  "engine/indexing/index-process",
  "engine/indexing/restore-earlier",
  "engine/indexing/kills-in-commit",
  "engine/indexing/kills",
  "credentials/faults/many-processes",
  "credentials/faults/kill-at-every-write",
  "engine/indexing/indexer-processes",
  "trust/partition",
  "trust/team",
  "trust/soak",
  "e2e/reproducible",
  "e2e/npm-package",
  "e2e/debian-package",
  "e2e/conformance",
  "e2e/guide",
  "engine/text-search/ripgrep",
  "e2e/real-project",
  "e2e/search-page",
  "e2e/code-browser",
  "e2e/clients/matrix",
  "e2e/upgrade",
  "e2e/search-page-session",
  "e2e/search-page-safety",
  "e2e/failing-token",
  "e2e/clients/inspector",
  "e2e/secrets",
  "e2e/keychain",
  "e2e/first-index-cut-off",
];

/**
 * Folders whose tests load grammars and tables and start hardly a program. Workers grow with them from 0.2 GB to 1 GB,
 * and starting a program from one of 1 GB takes 20 ms more of processor time.
 */
const LARGE_FOLDERS = new Set(
  "chunk embed engine golden graph index mcp parse search tools".split(" "),
);

const TESTS = path.join(import.meta.dirname, "..");

/**
 * Sorts by project, in the order of the configuration: a worker that has finished one project begins with the next. In
 * each project, large folders come last, and long files first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const others = await super.sort(files);
    const { projects } = this.ctx;
    return others.toSorted(
      (one, other) =>
        projects.indexOf(one.project) - projects.indexOf(other.project) ||
        Number(isLarge(one)) - Number(isLarge(other)) ||
        rankOf(one) - rankOf(other),
    );
  }
}

function isLarge({ moduleId }: TestSpecification): boolean {
  const [folder = ""] = path.relative(TESTS, moduleId).split(path.sep);
  return LARGE_FOLDERS.has(folder);
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG_FILES.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONG_FILES.length : rank;
}
