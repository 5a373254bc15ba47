import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take 10 s or more, most of it in programs that they start and wait for. One that begins last keeps one worker
 * busy while the others have nothing left to do.
 */
const LONG_FILES = [
  "trust/hostile-repository",
  "trust/parse-budget",
  "transports/http/run-in-turn",
  "trust/ignore-files",
  "engine/engine",
  "engine/changes/change-log",
  "cli/commands/audit-rollback",
  "trust/swapped-root",
  "trust/scanner-abuse",
  "credentials/keychain/data-key-keychain",
  "trust/index/kill-at-write",
  "engine/indexing/kills-in-commit",
  "engine/indexing/kills",
  "credentials/faults/many-processes",
  "trust/soak",
  "e2e/conformance",
  "e2e/guide",
  "e2e/ripgrep",
  "e2e/search-page",
  "e2e/failing-token",
  "e2e/clients/inspector",
  "e2e/secrets",
  "e2e/keychain",
  "e2e/first-index-cut-off",
  "e2e/reproducible",
];

/** Begins with these files, in this order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const others = await super.sort(files);
    return others.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG_FILES.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONG_FILES.length : rank;
}
