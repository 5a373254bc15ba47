// A directory of git's that is svc's own: what a repository's configuration names is not read with it. Git
// starts what a configuration names: file system monitors, filters, drivers of diffs, programs that verify
// signatures, and fetches of objects that are missing, in submodules as well; not all of it can be turned
// off by options. So the directory has settings that name nothing, and borrows the objects and the index of
// the repository.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import type { Repository } from "./git.ts";

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
export const OFF = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

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

export function makeGitDirectory(repository: Repository): GitDirectory {
  const path = mkdtempSync(join(tmpdir(), "svc-git-"));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    mkdirSync(join(path, "refs"));
    writeFileSync(join(path, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(path, "config"), configFor(repository));
    borrow(repository, path);
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
function borrow({ gitDirectory, commonDirectory }: Repository, directory: string): void {
  copyIfThere(join(commonDirectory, "shallow"), join(directory, "shallow"));
  mkdirSync(join(directory, "info"));
  copyIfThere(join(commonDirectory, "info/exclude"), join(directory, "info/exclude"));
  for (const name of namesIn(gitDirectory)) {
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) {
      copyIfThere(join(gitDirectory, name), join(directory, name));
    }
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(toFilePath(from), to);
  } catch {
    // Few repositories have all of them.
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(toFilePath(directory));
  } catch {
    return [];
  }
}
