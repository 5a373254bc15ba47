// A git directory that svc creates, so that git does not read the repository's configuration. Git starts
// programs that a configuration names: file system monitors, filters, diff drivers, signature verifiers, and
// fetches of missing objects, in submodules too. Options cannot turn all of that off. So this directory has a
// configuration that names nothing, and it uses the objects and the index of the repository.

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

/** Variables that keep git from running programs, reading other places and taking locks. */
const SAFE_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  // Missing objects of a partial clone are not fetched. Older versions of git know only the second variable.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
} as const;
/** Options for each run: older versions of git read these settings whatever the configuration says. */
export const SAFE_GIT_OPTIONS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** The minimal configuration of a git directory. Only the object format is copied from the repository. */
function configFor({ objectIdBytes }: Repository): string {
  const extension = objectIdBytes === 32 ? "[extensions]\n\tobjectformat = sha256\n" : "";
  const version = objectIdBytes === 32 ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${extension}`;
}

/** A temporary git directory. */
export interface GitDirectory {
  readonly path: string;
  /** With these variables git reads only the objects, the index and the work tree of the repository. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly remove: () => void;
}

/** Maximum size of a copied file: lists of commits and of rules, and an index. */
const COPY_LIMIT_BYTES = 1 << 28;
const SHARED = "sharedindex.";

/**
 * Creates the directory; the caller calls `remove`. Throws INVALID_PARAMS if the repository would lead git to
 * another place or make it block, because git opens the objects and the index in place.
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

/** The environment for a git that reads the repository's own configuration. */
export function safeEnvironment(): Readonly<Record<string, string | undefined>> {
  return { ...readSessionEnvironment(), ...SAFE_ENVIRONMENT };
}

/** Copies the files that complete the objects and the index, and the ignore rules outside the work tree. */
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

/** The name of the index's shared file. The index is read only if such files exist, because few indexes are split. */
function sharedIndexOf({ gitDirectory, within, objectIdBytes }: Repository): string | undefined {
  const names = readdirSync(toFilePath(gitDirectory)).filter((name) => name.startsWith(SHARED));
  if (names.length === 0) return undefined;
  const index = readInside(within, join(gitDirectory, "index"), COPY_LIMIT_BYTES);
  const id = index && sharedIndexId(index, objectIdBytes);
  return id === undefined ? undefined : names.find((name) => name === SHARED + id);
}
