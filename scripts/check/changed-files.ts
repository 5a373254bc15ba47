// The files that differ from the main branch.
import { execFileSync } from "node:child_process";

const MAIN = "main";

/**
 * Paths below `root` that were changed, added or removed since this branch left main, committed or not; on main itself,
 * since the last commit. Throws if `root` is no git repository.
 */
export function changedFiles(root: string): readonly string[] {
  const changed = listed(root, "diff", "--name-only", "-z", "--no-renames", startOf(root));
  const added = listed(root, "ls-files", "--others", "--exclude-standard", "-z");
  return [...new Set([...changed, ...added])].toSorted();
}

/** The commit where this branch left main; HEAD if there is no main. */
function startOf(root: string): string {
  try {
    return git(root, "merge-base", "HEAD", MAIN).trim();
  } catch {
    return "HEAD";
  }
}

function listed(root: string, ...args: readonly string[]): readonly string[] {
  return git(root, ...args)
    .split("\0")
    .filter((path) => path !== "");
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
