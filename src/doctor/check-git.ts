import { gitVersion } from "../sources/run-git.ts";
import type { Check } from "./check-context.ts";
import { createReporter } from "./finding.ts";

const CHECK = "git";
const { ok, warning } = createReporter(CHECK);

/** The first that knows GIT_NO_LAZY_FETCH (SECURITY.md). */
const MIN_VERSION = [2, 39, 4] as const;

/** git is found, for repositories that are fetched, histories and changes; svc searches without it. */
export const checkGit: Check = {
  name: CHECK,
  async run({ signal }) {
    const version = await gitVersion(signal);
    if (version === undefined) {
      const what = "there is no git on PATH: no repository can be fetched, no history read";
      return [warning(what, "Install git 2.39.4 or later.")];
    }
    if (!isOld(version)) return [ok(`git ${version}`)];
    return [warning(`git ${version} is old`, "Install git 2.39.4 or later.")];
  },
};

/** Words that hold no number are taken for new. */
export function isOld(version: string): boolean {
  const parts = (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
  if (parts[0] === 0) return false;
  for (const [at, minimum] of MIN_VERSION.entries()) {
    const part = parts[at] ?? 0;
    if (part !== minimum) return part < minimum;
  }
  return false;
}
