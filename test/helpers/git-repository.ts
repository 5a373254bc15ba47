import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { plant, tree, type Tree } from "./tree.ts";

/** A commit starts another process that checks for maintenance work; these repositories need none. */
const SETTINGS = ["user.name=t", "user.email=t@example.org", "maintenance.auto=false"];

export interface GitRepository extends Tree {
  readonly git: (...args: readonly string[]) => string;
  /** Writes these files (undefined removes one) and commits everything. Returns the commit's id. */
  readonly commit: (
    files: Readonly<Record<string, string | undefined>>,
    message?: string,
  ) => string;
}

/** A temporary repository without a commit; each commit is a day younger than the previous one. */
export function gitRepository(): GitRepository {
  const { path, dispose } = tree();
  let day = 0;
  const git = (...args: readonly string[]): string => {
    const date = `2026-01-01T00:00:00Z`.replace("01-01", `01-${String(day + 1).padStart(2, "0")}`);
    return execFileSync("git", [...SETTINGS.flatMap((one) => ["-c", one]), ...args], {
      cwd: path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim();
  };
  git("init", "-q", "-b", "main");
  return {
    path,
    dispose,
    git,
    commit(files, message = "a change") {
      for (const [name, content] of Object.entries(files)) {
        if (content === undefined) rmSync(join(path, name));
        else plant(path, { [name]: content });
      }
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
      day = Math.min(day + 1, 27);
      return git("rev-parse", "HEAD");
    },
  };
}
