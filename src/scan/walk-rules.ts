// Which ignore rules and which tracked files hold for the directory a walk is in.

import { relative, sep } from "node:path";

import { readRegularFile } from "../base/files.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { repositoryAbove, repositoryAt, trackedPaths, type Repository } from "../sources/git.ts";
import type { TrackedPaths } from "../sources/git-index.ts";
import {
  compileIgnoreFile,
  enterDirectory,
  NO_RULES,
  verdict,
  withRules,
  type DirectoryRules,
} from "./ignore.ts";

export interface RuleState {
  readonly git: DirectoryRules;
  /** .svcignore files are kept apart, so that a `!` in one cannot bring back what git leaves out. */
  readonly svc: DirectoryRules;
  readonly repository: OpenRepository | undefined;
  /** The directory is left out but for the files below it that git tracks. */
  readonly onlyTracked: boolean;
}

interface OpenRepository {
  readonly repository: Repository;
  readonly ignoreCase: boolean;
  /** Length of the top level's absolute path with its `/`. */
  readonly topLength: number;
  /** Reads the index at the first question: many folders never ask one. */
  readonly tracked: () => TrackedPaths | undefined;
}

const IGNORE_FILE_LIMIT_BYTES = 1 << 20;

/**
 * What holds at the root of a walk: the rules of its repository from the top level down to above it.
 * Without a repository nothing above the root counts.
 */
export function rootRules(root: string): RuleState {
  const repository = repositoryAbove(root);
  if (repository === undefined) {
    return { git: NO_RULES, svc: NO_RULES, repository: undefined, onlyTracked: false };
  }
  let state: RuleState = { ...repositoryRules(repository), svc: NO_RULES };
  let path = `${repository.topLevel}${sep}`;
  for (const name of relative(repository.topLevel, root).split(sep)) {
    if (name === "") break;
    state = withRuleFile(withRuleFile(state, path, ".gitignore"), path, ".svcignore");
    // A root that git ignores was named on purpose: the rules that hide it say nothing about it.
    const isHidden = verdict(state.git, name, true) === true;
    state = enter(isHidden ? { ...state, git: NO_RULES } : state, name);
    path += name + sep;
  }
  return state;
}

/** What holds in a directory that has a `.git`: rules of git end at the border of a repository. */
export function nestedRules(state: RuleState, directory: string): RuleState {
  const repository = repositoryAt(directory.slice(0, -1));
  if (repository === undefined) return state;
  return { ...repositoryRules(repository), svc: state.svc };
}

/** Adds the ignore file `name` of `directory`, which ends in a separator. */
export function withRuleFile(
  state: RuleState,
  directory: string,
  name: ".gitignore" | ".svcignore",
): RuleState {
  const bytes = readRegularFile(toFilePath(directory + name), IGNORE_FILE_LIMIT_BYTES);
  if (bytes === undefined) return state;
  const rules = compileIgnoreFile(bytes.toString("latin1"), state.repository?.ignoreCase);
  return name === ".gitignore"
    ? { ...state, git: withRules(state.git, rules) }
    : { ...state, svc: withRules(state.svc, rules) };
}

/** What the sub-directory `name` inherits. */
export function enter(state: RuleState, name: string): RuleState {
  return {
    ...state,
    git: enterDirectory(state.git, name),
    svc: enterDirectory(state.svc, name),
  };
}

/** Whether git tracks the file at this absolute path. */
export function isTracked({ repository }: RuleState, path: string): boolean {
  return repository?.tracked()?.has(path.slice(repository.topLength)) === true;
}

/** Whether git tracks files below the directory, or the directory as a submodule. */
export function hasTrackedBelow({ repository }: RuleState, path: string): boolean {
  return repository?.tracked()?.hasBelow(path.slice(repository.topLength)) === true;
}

function repositoryRules(repository: Repository): Omit<RuleState, "svc"> {
  const { topLevel, commonDirectory, ignoreCase } = repository;
  const exclude = readRegularFile(
    toFilePath(`${commonDirectory}/info/exclude`),
    IGNORE_FILE_LIMIT_BYTES,
  );
  const rules = compileIgnoreFile(exclude?.toString("latin1") ?? "", ignoreCase);
  let tracked: { readonly paths: TrackedPaths | undefined } | undefined;
  return {
    git: withRules(NO_RULES, rules),
    onlyTracked: false,
    repository: {
      repository,
      ignoreCase,
      topLength: topLevel.endsWith(sep) ? topLevel.length : topLevel.length + 1,
      tracked: () => (tracked ??= { paths: trackedPaths(repository) }).paths,
    },
  };
}
