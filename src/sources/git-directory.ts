// A directory of git's that is svc's own: what a repository's configuration names is not read with it. Git
// starts what a configuration names: file system monitors, filters, drivers of diffs, programs that verify
// signatures, and fetches of objects that are missing, in submodules as well; not all of it can be turned
// off by options. So the directory has settings that name nothing, and borrows the objects and the index of
// the repository.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import { sharedIndexId } from "./git-index.ts";
import { refused } from "./git-location.ts";
import { storeProblem } from "./git-store.ts";
import type { Repository } from "./git.ts";
import { readInside } from "./guarded-read.ts";

/** Whatever may run nothing, look nowhere else, and lock nothing. */
const SAFE_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  // Objects that a partial clone has left out are not fetched. Older programs know the second alone.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
} as const;
/** Options for each run: older programs look there whatever the settings name. */
export const SAFE_GIT_OPTIONS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** What it takes to be a directory of git. The format of object names is the one thing that is copied. */
function configFor({ objectIdBytes }: Repository): string {
  const extension = objectIdBytes === 32 ? "[extensions]\n\tobjectformat = sha256\n" : "";
  const version = objectIdBytes === 32 ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${extension}`;
}

export interface GitDirectory {
  readonly path: string;
  /** With it git reads the objects, the index and the work tree of the repository, and nothing else. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly remove: () => void;
}

/** What is copied is no larger: lists of commits and of rules, and an index. */
const COPY_LIMIT_BYTES = 1 << 28;
const SHARED = "sharedindex.";

/**
 * Throws INVALID_PARAMS where git would be led out of the repository, or kept waiting: it opens the objects and the index
 * where they are.
 */
export function createGitDirectory(repository: Repository): GitDirectory {
  const problem = storeProblem(repository);
  if (problem !== undefined) throw refused(problem);
  const path = mkdtempSync(join(tmpdir(), "svc-git-"));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    mkdirSync(join(path, "refs"));
    writeFileSync(join(path, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(path, "config"), configFor(repository));
    linkRepository(repository, path);
  } catch (error) {
    remove();
    throw error;
  }
  const environment = {
    ...safeEnvironment(),
    HOME: path,
    XDG_CONFIG_HOME: path,
    GIT_CONFIG_GLOBAL: join(path, "none"),
    GIT_DIR: path,
    GIT_WORK_TREE: repository.topLevel,
    GIT_OBJECT_DIRECTORY: join(repository.commonDirectory, "objects"),
    GIT_INDEX_FILE: join(repository.gitDirectory, "index"),
  };
  return { path, environment, remove };
}

/** Of a git that reads a repository's own configuration. */
export function safeEnvironment(): Readonly<Record<string, string | undefined>> {
  return { ...readSessionEnvironment(), ...SAFE_ENVIRONMENT };
}

/** What makes objects and index complete, and the ignore rules that are in no work tree. */
function linkRepository(repository: Repository, directory: string): void {
  const { gitDirectory, commonDirectory, within } = repository;
  const copy = (from: string, name: string): void => {
    const bytes = readInside(within, join(from, name), COPY_LIMIT_BYTES);
    if (bytes === undefined) return;
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), bytes);
  };
  copy(commonDirectory, "shallow");
  copy(commonDirectory, "info/exclude");
  const shared = sharedIndexOf(repository);
  if (shared !== undefined) copy(gitDirectory, shared);
}

/** The file that the index says is a part of it. The index is read only where there is one: few are split. */
function sharedIndexOf({ gitDirectory, within, objectIdBytes }: Repository): string | undefined {
  const names = readdirSync(toFilePath(gitDirectory)).filter((name) => name.startsWith(SHARED));
  if (names.length === 0) return undefined;
  const index = readInside(within, join(gitDirectory, "index"), COPY_LIMIT_BYTES);
  const id = index && sharedIndexId(index, objectIdBytes);
  return id === undefined ? undefined : names.find((name) => name === SHARED + id);
}
