// The ignore rules and tracked files that apply in the current directory of a walk.

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
import { readRuleFile, type RuleFileName, type RuleProblem } from "./rule-file.ts";
import type { WalkRecorder } from "./walk-recorder.ts";

/** The rules that apply in one directory. */
export interface RuleState {
  /** Rules of .gitignore files and `info/exclude`. */
  readonly git: DirectoryRules;
  /** Rules of .ignore files, as ripgrep reads them: a `!` rule includes what git ignores. */
  readonly plain: DirectoryRules;
  /** Rules of .svcignore files. They are separate so that a `!` rule cannot include what git ignores. */
  readonly svc: DirectoryRules;
  readonly repository: OpenRepository | undefined;
  /** Only files that git tracks are included in this directory. */
  readonly onlyTracked: boolean;
  /** Real paths of the folders that must contain the ignore files and the git directories of nested repositories. */
  readonly within: readonly string[];
  /** The whole directory is skipped, because an unreadable .ignore or .svcignore may name anything. */
  readonly isClosed: boolean;
  /** Unusable ignore files of this directory; for a root, also of the directories above it. */
  readonly problems: readonly RuleProblem[];
  readonly recorder: WalkRecorder | undefined;
}

interface OpenRepository {
  readonly repository: Repository;
  readonly ignoreCase: boolean;
  /** Length of the top level's absolute path, including its `/`. */
  readonly topLength: number;
  /** Reads the index on the first call: many walks never need it. */
  readonly tracked: () => TrackedPaths | undefined;
}

const NO_STATE: RuleState = {
  git: NO_RULES,
  plain: NO_RULES,
  svc: NO_RULES,
  repository: undefined,
  onlyTracked: false,
  within: [],
  isClosed: false,
  problems: [],
  recorder: undefined,
};

/**
 * Returns the rules at the root of a walk: those of its repository, from the top level to the root's parent.
 * Without a repository, nothing above the root counts.
 */
export function rootRules(source: GitSource, recorder?: WalkRecorder): RuleState {
  const { root } = source;
  const repository = repositoryAbove(source);
  if (repository === undefined) return { ...NO_STATE, recorder, within: [realOrSame(root)] };
  recorder?.repository(repository);
  // The git directories of submodules are inside that of the outer repository.
  const within = [realOrSame(repository.topLevel), repository.commonDirectory];
  let state = withRepository({ ...NO_STATE, recorder, within }, repository);
  let path = `${repository.topLevel}${sep}`;
  for (const name of relative(repository.topLevel, root).split(sep)) {
    if (name === "") break;
    state = withRuleFile(withRuleFile(state, path, ".gitignore"), path, ".ignore");
    state = withRuleFile(state, path, ".svcignore");
    // The user chose this root on purpose, so rules that ignore the root itself do not apply inside it.
    const isHidden = matchRules(state.git, name, true) === true;
    const { problems } = state;
    state = { ...enterFolder(isHidden ? { ...state, git: NO_RULES } : state, name), problems };
    path += name + sep;
  }
  return state;
}

/** Returns the rules in a directory with a `.git`: git's rules end at a repository's boundary. */
export function nestedRules(state: RuleState, directory: string): RuleState {
  // Only a walk knows what git tracks in each of several repositories.
  state.recorder?.giveUp();
  const repository = repositoryAt(directory.slice(0, -1), state.within);
  return repository === undefined ? state : withRepository(state, repository);
}

/**
 * Adds the ignore file `name` of `directory`, which ends in a separator. An unusable file counts as one that
 * names everything: a .gitignore then excludes all files that git does not track, any other excludes all files.
 */
export function withRuleFile(state: RuleState, directory: string, name: RuleFileName): RuleState {
  const isGit = name === ".gitignore";
  const read = readRuleFile(state.within, directory + name);
  state.recorder?.ruleFile(directory + name, read);
  if (read === undefined) return state;
  if (!("bytes" in read)) {
    const problems = [...state.problems, read];
    return { ...state, problems, ...(isGit ? { onlyTracked: true } : { isClosed: true }) };
  }
  // ripgrep always distinguishes case.
  const foldCase = name !== ".ignore" && state.repository?.ignoreCase === true;
  const rules = compileIgnoreFile(read.bytes, foldCase);
  if (isGit) return { ...state, git: withRules(state.git, rules) };
  return name === ".ignore"
    ? { ...state, plain: withRules(state.plain, rules) }
    : { ...state, svc: withRules(state.svc, rules) };
}

/**
 * Returns what .svcignore and .ignore files say of an entry: true to exclude it; false to include it even if git ignores
 * it, which only .ignore can say; undefined to leave it to git's rules. A .svcignore comes before an .ignore.
 */
export function matchOwnRules(
  { svc, plain }: RuleState,
  name: string,
  isDirectory: boolean,
): boolean | undefined {
  // Most trees have none of them, and this is asked for each entry.
  if (svc.length === 0 && plain.length === 0) return undefined;
  const bySvc = matchRules(svc, name, isDirectory);
  if (bySvc === true) return true;
  const byPlain = matchRules(plain, name, isDirectory);
  return byPlain === true && bySvc === false ? undefined : byPlain;
}

/** Returns the rules that the sub-directory `name` inherits. */
export function enterFolder(state: RuleState, name: string): RuleState {
  return {
    ...state,
    git: enterDirectory(state.git, name),
    plain: enterDirectory(state.plain, name),
    svc: enterDirectory(state.svc, name),
    problems: [],
  };
}

/** Whether git tracks the file at this absolute path. */
export function isTracked({ repository, recorder }: RuleState, path: string): boolean {
  const is = repository?.tracked()?.has(path.slice(repository.topLength)) === true;
  recorder?.check({ path, isFolder: false, isTracked: is });
  return is;
}

/** Whether git tracks files below the directory, or the directory as a submodule. */
export function hasTrackedBelow({ repository, recorder }: RuleState, path: string): boolean {
  const is = repository?.tracked()?.hasBelow(path.slice(repository.topLength)) === true;
  recorder?.check({ path, isFolder: true, isTracked: is });
  return is;
}

/** Git's rules end at a repository's boundary; svc's rules continue. */
function withRepository(state: RuleState, repository: Repository): RuleState {
  const { topLevel, commonDirectory, within, ignoreCase } = repository;
  const excludeFile = `${commonDirectory}/info/exclude`;
  const exclude = readRuleFile(within, excludeFile);
  state.recorder?.ruleFile(excludeFile, exclude);
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
