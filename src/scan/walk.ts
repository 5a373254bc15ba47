// Lists the files of a source. A walk opens only ignore files and files of git, and never follows links. A file
// that changes during the walk is listed in one of its states. To read a listed file, use openBelow: a folder
// can be replaced by a link at any time.

import { lstatSync, type Stats } from "node:fs";
import { resolve, sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { toFilePath } from "../base/path-bytes.ts";
import type { Repository } from "../sources/git.ts";
import { matchRules } from "./ignore.ts";
import { listFolder, type DirectoryEntry } from "./list-folder.ts";
import { isDependencyFolder, maxBytesOf, skipReasonOfPath } from "./name-rules.ts";
import { isRuleFile, type RuleProblem } from "./rule-file.ts";
import type { WalkRecorder } from "./walk-recorder.ts";
import type { SkipReason } from "./skip-reasons.ts";
import {
  enterFilters,
  excludeFile,
  excludeFolder,
  kindFilter,
  rootFilters,
  type DirectoryFilters,
  type GlobFilter,
  type ProjectFilter,
} from "./walk-filters.ts";
import type { FileRecord, IgnoredCounts, SkippedFile, WalkResult } from "./walk-result.ts";
import {
  enterFolder,
  hasTrackedBelow,
  isTracked,
  matchOwnRules,
  nestedRules,
  rootRules,
  withRuleFile,
  type RuleState,
} from "./walk-rules.ts";

/** Options of a walk. */
export interface WalkOptions extends GlobFilter {
  /** Real path of a git directory outside the root that the source's owner has allowed. */
  readonly outsideGit?: string | undefined;
  /** What the project itself narrows the index to. */
  readonly project?: ProjectFilter | undefined;
  /** Larger files are skipped; 1 MiB by default. */
  readonly maxFileBytes?: number;
  /**
   * Folders to list without their subfolders, relative to the root (the root itself is ""). All folders by
   * default.
   */
  readonly folders?: readonly string[] | undefined;
  /** Folders to list with their subfolders, in addition to `folders`. */
  readonly below?: readonly string[] | undefined;
  /** Records the walk; only for one without a visitor. */
  readonly recorder?: WalkRecorder | undefined;
  /** Called for each listed directory. */
  readonly visitor?: FolderVisitor | undefined;
  /** Called before each directory; returning true ends the walk. */
  readonly signal?: () => boolean;
}

/** A directory that rules do not exclude. */
export interface WalkedFolder {
  /** From the root: empty, or ending in `/`. */
  readonly relative: string;
  /** The repository that contains it. */
  readonly repository: Repository | undefined;
  /** Whether rules include a file of this name. The name or the content may still exclude it later. */
  readonly includesFile: (name: string) => boolean;
}

/** Visits directories only: a walk with a visitor checks no files. */
export interface FolderVisitor {
  /** Called before the directory is listed, so that no later change is missed. Returning false skips it. */
  readonly enter: (relative: string) => boolean;
  /** Called when the directory's rules are known. */
  readonly entered: (folder: WalkedFolder) => void;
}

const MAX_DEPTH = 255;
/** Larger files are skipped if nothing else is asked for. */
export const DEFAULT_MAX_FILE_BYTES = 1 << 20;
/** Below this share of included files, the rules are probably not meant for an index. */
const LOW_SHARE = 0.05;
const MAX_PROBLEM_WARNINGS = 5;
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);

const DOT = 0x2e;
const NO_THROW = { throwIfNoEntry: false } as const;

interface WalkState {
  readonly recorder: WalkRecorder | undefined;
  readonly only: WalkScope | undefined;
  readonly visitor: FolderVisitor | undefined;
  readonly listed: Set<string>;
  readonly maxFileBytes: number;
  readonly isOfKind: ((path: string) => boolean) | undefined;
  readonly signal: () => boolean;
  readonly files: FileRecord[];
  readonly skipped: SkippedFile[];
  readonly ignored: { -readonly [Whose in keyof IgnoredCounts]: number };
  complete: boolean;
  /** Unusable ignore files. */
  readonly problems: RuleProblem[];
}

/** The folders that a walk is limited to and their ancestors. Paths are empty or end in `/`. */
interface WalkScope {
  readonly folders: ReadonlySet<string>;
  /** Folders to list with their subfolders at any depth. */
  readonly recursive: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
}

interface Folder {
  /** Absolute path, ending in `/`. */
  readonly path: string;
  /** From the root: empty, or ending in `/`. */
  readonly relative: string;
  readonly depth: number;
  readonly rules: RuleState;
  readonly filters: DirectoryFilters;
  /** Whether to list everything below it. */
  readonly isRecursive: boolean;
}

/** Walks a source synchronously; run it in a worker thread. Throws PATH_NOT_FOUND if the root cannot be listed. */
export function walk(root: string, options: WalkOptions = {}): WalkResult {
  const { project, maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const absolute = resolve(root);
  // With `/` on every platform, since Windows accepts both. Relative paths can then be sliced without
  // rewriting.
  const path = `${absolute.replaceAll(sep, "/")}/`.replace(/\/\/$/, "/");
  const scan: WalkState = {
    recorder: options.recorder,
    only: walkScope(options),
    visitor: options.visitor,
    listed: new Set(),
    maxFileBytes,
    isOfKind: kindFilter(project),
    signal: options.signal ?? (() => false),
    files: [],
    skipped: [],
    ignored: { git: 0, svc: 0, options: 0 },
    complete: true,
    problems: [],
  };
  walkFolder(scan, {
    path,
    relative: "",
    depth: 0,
    rules: rootRules({ root: absolute, outsideGit: options.outsideGit }, options.recorder),
    filters: rootFilters(project === undefined ? [options] : [options, project]),
    isRecursive: scan.only === undefined,
  });
  const { files, skipped, ignored, complete, listed } = scan;
  skipped.sort(byPath);
  const warnings = scan.only === undefined ? warningsOf(scan) : [];
  return { files, skipped, ignored, complete, listed, warnings };
}

function walkScope({ folders: single, below }: WalkOptions): WalkScope | undefined {
  if (single === undefined && below === undefined) return undefined;
  const folders = new Set(single?.map(withSlash));
  const recursive = new Set(below?.map(withSlash));
  const above = new Set([""]);
  for (const folder of [...folders, ...recursive]) {
    for (let end = folder.indexOf("/"); end !== -1; end = folder.indexOf("/", end + 1)) {
      above.add(folder.slice(0, end + 1));
    }
  }
  return { folders, recursive, above };
}

function withSlash(path: string): string {
  return path === "" ? "" : `${path.replace(/\/+$/, "")}/`;
}

function walkFolder(scan: WalkState, found: Folder): void {
  if (scan.signal()) scan.complete = false;
  if (!scan.complete) return;
  const { only, visitor } = scan;
  const { relative } = found;
  const listed =
    found.isRecursive || !only?.recursive.has(relative) ? found : { ...found, isRecursive: true };
  const isWanted = listed.isRecursive || only?.folders.has(relative) === true;
  if (isWanted && visitor?.enter(relative) === false) return;
  const entries = entriesOf(scan, listed);
  const folder = withOwnRules(listed, entries);
  const withFiles = isWanted && visitor === undefined;
  recordProblems(scan, folder, withFiles);
  if (isWanted) {
    if (only !== undefined) scan.listed.add(relative.replace(/\/$/, ""));
    visitor?.entered(walked(scan, folder));
  }
  visitEntries(scan, folder, entries, withFiles);
}

function visitEntries(
  scan: WalkState,
  folder: Folder,
  entries: readonly DirectoryEntry[],
  withFiles: boolean,
): void {
  if (folder.rules.isClosed) return;
  for (const entry of entries) {
    const { name } = entry;
    if (isDotted(name) && VERSION_CONTROL.has(name)) continue;
    if (!entry.isDirectory()) {
      if (withFiles) visitFile(scan, folder, entry);
    } else if (folder.isRecursive || scan.only?.above.has(`${folder.relative}${name}/`) === true) {
      visitFolder(scan, folder, name);
    }
  }
}

function walked(scan: WalkState, folder: Folder): WalkedFolder {
  return {
    relative: folder.relative,
    repository: folder.rules.repository?.repository,
    includesFile: (name) => !folder.rules.isClosed && ignoredBy(scan, folder, name) === undefined,
  };
}

function entriesOf(scan: WalkState, folder: Folder): readonly DirectoryEntry[] {
  const record = scan.recorder?.folder(folder.path, folder.relative);
  try {
    const entries = listFolder(folder.path);
    record?.(entries);
    return entries;
  } catch (cause) {
    if (folder.depth === 0) {
      throw new SvcError("PATH_NOT_FOUND", `"${folder.path}" cannot be listed.`, {
        hint: "Name an existing directory that you may read.",
        cause,
      });
    }
    skipFailed(scan, folder.relative.slice(0, -1), cause);
    return [];
  }
}

/** Applies the directory's own `.git` and ignore files, `.git` first. */
function withOwnRules(folder: Folder, entries: readonly DirectoryEntry[]): Folder {
  let { rules } = folder;
  for (const { name } of entries) {
    if (!isDotted(name)) continue;
    if (name === ".git" && folder.depth > 0) rules = nestedRules(rules, folder.path);
    if (isRuleFile(name)) rules = withRuleFile(rules, folder.path, name);
  }
  return rules === folder.rules ? folder : { ...folder, rules };
}

/** Records the folder's unusable ignore files as skipped. Those above the root are only in the warnings. */
function recordProblems(
  scan: WalkState,
  { path, relative, rules }: Folder,
  isListed: boolean,
): void {
  for (const problem of rules.problems) {
    scan.recorder?.giveUp();
    if (problem.isFault) scan.complete = false;
    scan.problems.push(problem);
    const name = problem.path.startsWith(path) ? problem.path.slice(path.length) : "";
    // For a file inside the git directory, record the folder's `.git` entry: a skipped path must be in this
    // folder.
    const [entry = ""] = name.split("/");
    if (isListed && entry !== "")
      scan.skipped.push({ path: relative + entry, reason: "ignore-rules" });
  }
}

function isDotted(name: string): boolean {
  return name.charCodeAt(0) === DOT;
}

function visitFolder(scan: WalkState, folder: Folder, name: string): void {
  const { rules } = folder;
  const path = folder.path + name;
  const own = matchOwnRules(rules, name, true);
  const isIgnored =
    rules.onlyTracked || (own !== false && matchRules(rules.git, name, true) === true);
  const onlyTracked = isIgnored || (own !== false && isDependencyFolder(name));
  if (own === true) {
    scan.ignored.svc++;
  } else if (excludeFolder(folder.filters, name)) {
    scan.ignored.options++;
  } else if (onlyTracked && !hasTrackedBelow(rules, path)) {
    if (isIgnored) scan.ignored.git++;
    else skip(scan, folder, name, "dependency-folder");
  } else if (folder.depth === MAX_DEPTH) {
    skip(scan, folder, name, "too-deep");
  } else {
    walkFolder(scan, {
      path: `${path}/`,
      relative: `${folder.relative}${name}/`,
      depth: folder.depth + 1,
      rules: enterFolder(onlyTracked ? { ...rules, onlyTracked } : rules, name),
      filters: enterFilters(folder.filters, name),
      isRecursive: folder.isRecursive,
    });
  }
}

function visitFile(scan: WalkState, folder: Folder, entry: DirectoryEntry): void {
  const { name } = entry;
  if (folder.rules.problems.some(({ path }) => path === folder.path + name)) return;
  const ignoredSource = ignoredBy(scan, folder, name);
  if (ignoredSource !== undefined) {
    scan.ignored[ignoredSource]++;
    return;
  }
  const reason = skipReasonOfEntry(folder, entry);
  if (reason !== undefined) {
    skip(scan, folder, name, reason);
    return;
  }
  let stat: Stats | undefined;
  try {
    stat = lstatSync(toFilePath(folder.path + name), NO_THROW);
  } catch (error) {
    skipFailed(scan, folder.relative + name, error);
    return;
  }
  // The file was removed or replaced by a directory after the listing. The next walk sees the new state.
  if (stat === undefined || stat.isDirectory()) return;
  if (stat.isSymbolicLink()) skip(scan, folder, name, "symbolic-link");
  else if (!stat.isFile()) skip(scan, folder, name, "not-a-file");
  else if (stat.size > maxBytesOf(name, scan.maxFileBytes)) skip(scan, folder, name, "too-large");
  else
    scan.files.push({
      path: folder.relative + name,
      sizeBytes: stat.size,
      mtimeMs: stat.mtimeMs,
      inode: stat.ino,
    });
}

function ignoredBy(
  { isOfKind }: WalkState,
  { path, relative, rules, filters }: Folder,
  name: string,
): keyof IgnoredCounts | undefined {
  const own = matchOwnRules(rules, name, false);
  if (own === true) return "svc";
  if (filters.length > 0 && excludeFile(filters, name)) return "options";
  if (isOfKind?.(relative + name) === false) return "options";
  const isGitIgnored = own !== false && matchRules(rules.git, name, false) === true;
  if (!rules.onlyTracked && !isGitIgnored) return undefined;
  return isTracked(rules, path + name) ? undefined : "git";
}

function skipReasonOfEntry({ relative }: Folder, entry: DirectoryEntry): SkipReason | undefined {
  if (entry.isSymbolicLink()) return "symbolic-link";
  if (!entry.isFile()) return "not-a-file";
  return skipReasonOfPath(relative + entry.name);
}

function skip(scan: WalkState, folder: Folder, name: string, reason: SkipReason): void {
  scan.skipped.push({ path: folder.relative + name, reason });
}

function skipFailed(scan: WalkState, path: string, error: unknown): void {
  scan.recorder?.giveUp();
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return;
    case "ENAMETOOLONG":
      scan.skipped.push({ path, reason: "too-deep" });
      return;
    case "EACCES":
    case "EPERM":
      break;
    default:
      scan.complete = false;
  }
  scan.skipped.push({ path, reason: "unreadable" });
}

/** Orders by path, in code unit order. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}

function warningsOf(scan: WalkState): string[] {
  return [...problemWarnings(scan), ...shareWarnings(scan)];
}

function problemWarnings({ problems }: WalkState): string[] {
  const warnings = problems.slice(0, MAX_PROBLEM_WARNINGS).map(({ path, why }) => {
    const closes = /\/\.(?:svc)?ignore$/.test(path);
    const skipped = closes ? "everything in its folder" : "files there that git does not track";
    return `"${path}" ${why}, so svc skips ${skipped}; replace it with a readable file of up to 1 MiB, or remove it.`;
  });
  const more = problems.length - warnings.length;
  return more === 0 ? warnings : [...warnings, `${more} more ignore files cannot be read.`];
}

function shareWarnings({ files, ignored }: WalkState): string[] {
  const ignoredCount = ignored.git + ignored.svc;
  const seen = files.length + ignoredCount;
  if (ignoredCount === 0 || files.length >= seen * LOW_SHARE) return [];
  return [
    `Ignore rules leave ${files.length} of ${seen} files and folders; ` +
      "check .gitignore, .ignore and .svcignore (.gitignore excludes no file that git tracks).",
  ];
}
