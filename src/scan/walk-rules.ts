// Which ignore rules and which tracked files hold for the directory a walk is in.

import { relative, sep } from "node:path";

import { realOrSame } from "../sources/confined-path.ts";
import {
  repositoryAbove,
  repositoryAt,
  trackedPaths,
  type Repository,
  type GitSource,
} from "../sources/git.ts";
import type { TrackedPaths } from "../sources/git-index.ts";
import {
  compileIgnoreFile,
  enterDirectory,
  NO_RULES,
  matchRules,
  withRules,
  type DirectoryRules,
} from "./ignore.ts";
import { readRuleFile, type RuleProblem } from "./rule-file.ts";

export interface RuleState {
  readonly git: DirectoryRules;
  /** .svcignore files are kept apart, so that a `!` in one cannot bring back what git leaves out. */
  readonly svc: DirectoryRules;
  readonly repository: OpenRepository | undefined;
  /** The directory is left out but for the files below it that git tracks. */
  readonly onlyTracked: boolean;
  /** Real folders that ignore files, and the git directories of nested repositories, have to lie in. */
  readonly within: readonly string[];
  /** All of the directory is left out: a .svcignore that cannot be read may name anything. */
  readonly isClosed: boolean;
  /** Ignore files of this directory, and for a root of those above it, that cannot be used. */
  readonly problems: readonly RuleProblem[];
}

interface OpenRepository {
  readonly repository: Repository;
  readonly ignoreCase: boolean;
  /** Length of the top level's absolute path with its `/`. */
  readonly topLength: number;
  /** Reads the index at the first question: many folders never ask one. */
  readonly tracked: () => TrackedPaths | undefined;
}

const NO_STATE: RuleState = {
  git: NO_RULES,
  svc: NO_RULES,
  repository: undefined,
  onlyTracked: false,
  within: [],
  isClosed: false,
  problems: [],
};

/**
 * What holds at the root of a walk: the rules of its repository from the top level down to above it.
 * Without a repository nothing above the root counts.
 */
export function rootRules(source: GitSource): RuleState {
  const { root } = source;
  const repository = repositoryAbove(source);
  if (repository === undefined) return { ...NO_STATE, within: [realOrSame(root)] };
  // The git directories of submodules lie in that of the repository around them.
  const within = [realOrSame(repository.topLevel), repository.commonDirectory];
  let state = withRepository({ ...NO_STATE, within }, repository);
  let path = `${repository.topLevel}${sep}`;
  for (const name of relative(repository.topLevel, root).split(sep)) {
    if (name === "") break;
    state = withRuleFile(withRuleFile(state, path, ".gitignore"), path, ".svcignore");
    // A root that git ignores was named on purpose: the rules that hide it say nothing about it.
    const isHidden = matchRules(state.git, name, true) === true;
    const { problems } = state;
    state = { ...enterFolder(isHidden ? { ...state, git: NO_RULES } : state, name), problems };
    path += name + sep;
  }
  return state;
}

/** What holds in a directory that has a `.git`: rules of git end at the border of a repository. */
export function nestedRules(state: RuleState, directory: string): RuleState {
  const repository = repositoryAt(directory.slice(0, -1), state.within);
  return repository === undefined ? state : withRepository(state, repository);
}

/**
 * Adds the ignore file `name` of `directory`, which ends in a separator. One that cannot be used counts as one that
 * names everything: git's rules say nothing about files that git tracks, those of a .svcignore do.
 */
export function withRuleFile(
  state: RuleState,
  directory: string,
  name: ".gitignore" | ".svcignore",
): RuleState {
  const isGit = name === ".gitignore";
  const read = readRuleFile(state.within, directory + name);
  if (read === undefined) return state;
  if (!("bytes" in read)) {
    const problems = [...state.problems, read];
    return { ...state, problems, ...(isGit ? { onlyTracked: true } : { isClosed: true }) };
  }
  const rules = compileIgnoreFile(read.bytes, state.repository?.ignoreCase);
  return isGit
    ? { ...state, git: withRules(state.git, rules) }
    : { ...state, svc: withRules(state.svc, rules) };
}

/** What the sub-directory `name` inherits. */
export function enterFolder(state: RuleState, name: string): RuleState {
  return {
    ...state,
    git: enterDirectory(state.git, name),
    svc: enterDirectory(state.svc, name),
    problems: [],
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

/** Rules of git end at the border of a repository; those of svc go on. */
function withRepository(state: RuleState, repository: Repository): RuleState {
  const { topLevel, commonDirectory, within, ignoreCase } = repository;
  const exclude = readRuleFile(within, `${commonDirectory}/info/exclude`);
  const isUsable = exclude === undefined || "bytes" in exclude;
  const rules = compileIgnoreFile(isUsable ? (exclude?.bytes ?? "") : "", ignoreCase);
  let tracked: { readonly paths: TrackedPaths | undefined } | undefined;
  return {
    ...state,
    git: withRules(NO_RULES, rules),
    onlyTracked: !isUsable,
    problems: isUsable ? state.problems : [...state.problems, exclude],
    repository: {
      repository,
      ignoreCase,
      topLength: topLevel.endsWith(sep) ? topLevel.length : topLevel.length + 1,
      tracked: () => (tracked ??= { paths: trackedPaths(repository) }).paths,
    },
  };
}
