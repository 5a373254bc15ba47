import { gitVersion } from "../sources/run-git.ts";
import type { Check } from "./check-context.ts";
import { createReporter } from "./finding.ts";

const CHECK = "git";
const { ok, warning } = createReporter(CHECK);

/** The first version with GIT_NO_LAZY_FETCH (SECURITY.md). */
const MIN_VERSION = [2, 39, 4] as const;

/** git is installed. svc needs it to fetch repositories and for histories and changes, not for search. */
export const checkGit: Check = {
  name: CHECK,
  async run({ signal }) {
    const version = await gitVersion(signal);
    if (version === undefined) {
      const what = "git is not on PATH: svc cannot fetch repositories or read histories";
      return [warning(what, "Install git 2.39.4 or later.")];
    }
    if (!isOld(version)) return [ok(`git ${version}`)];
    return [warning(`git ${version} is old`, "Install git 2.39.4 or later.")];
  },
};

/** Whether a version is below MIN_VERSION. A text without a number counts as new. */
export function isOld(version: string): boolean {
  const parts = (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
  if (parts[0] === 0) return false;
  for (const [at, minimum] of MIN_VERSION.entries()) {
    const part = parts[at] ?? 0;
    if (part !== minimum) return part < minimum;
  }
  return false;
}
