// Checks a local repository that a client names by a `file:` URL. git follows its `.git`, `commondir` and alternates,
// and tries other names if the folder is not a repository (`NAME.git`).

import { join } from "node:path";

import { isBareRepository } from "./bare-repository.ts";
import {
  isGitRefusal,
  isThere,
  locateGit,
  refused,
  type GitLocation,
  type GitRefusal,
} from "./git-location.ts";
import { storeProblem } from "./git-store.ts";

const NO_REPOSITORY: GitRefusal = {
  detail: "There is no git repository in that folder.",
  hint: "Name the folder that holds the .git directory; to index files as they are, name the folder by its path.",
};

const LEADS_OUT: GitRefusal = {
  detail:
    "The repository in that folder points to another one outside the folder, so svc does not use it.",
  hint: "Clone it, and index the clone.",
};

/** Throws INVALID_PARAMS unless the folder, by its real path, contains a complete repository. */
export function requireOwnRepository(folder: string): void {
  const found = isThere(join(folder, ".git"))
    ? (locateGit(folder, [folder]) ?? NO_REPOSITORY)
    : bareLocation(folder);
  const problem = isGitRefusal(found) ? found : storeProblem(found);
  if (problem !== undefined) throw refused(problem);
}

function bareLocation(folder: string): GitLocation | GitRefusal {
  if (!isBareRepository(folder)) return NO_REPOSITORY;
  if (isThere(join(folder, "commondir"))) return LEADS_OUT;
  return { gitDirectory: folder, commonDirectory: folder, within: [folder] };
}
