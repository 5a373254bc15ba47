import { onTestFinished } from "vitest";

import { repositoryAbove } from "../../src/sources/git.ts";
import { withGit, type Git } from "../../src/sources/run-git.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";

export const LIMITS = {
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  maxBytes: 1 << 22,
};

interface HistoryRepository extends GitRepository {
  /** Calls `use` with a git that reads the repository. */
  readonly read: <T>(use: (git: Git) => Promise<T>) => Promise<T>;
}

/** A repository until the test ends. */
export function historyRepository(): HistoryRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return {
    ...created,
    read: (use) => {
      const repository = repositoryAbove({ root: created.path });
      if (repository === undefined) throw new Error("there is no repository");
      return withGit(repository, use);
    },
  };
}

/** Lines of a file. */
export function linesOf(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
