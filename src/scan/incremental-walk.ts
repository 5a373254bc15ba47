// Walks a source again with the memory of the last walk, if no rule has changed. Looks at each folder and each file, and
// lists only the folders that have changed: a fifth of the time of a whole walk.

import type { Stats } from "node:fs";
import { resolve, sep } from "node:path";

import { repositoryAbove, trackedPaths, type GitSource, type Repository } from "../sources/git.ts";
import { listFolder, type DirectoryEntry } from "./list-folder.ts";
import { maxBytesOf } from "./name-rules.ts";
import { isRuleFile, readRuleFile } from "./rule-file.ts";
import {
  contentHash,
  folderColumns,
  folderStatOf,
  indexPathOf,
  listingHash,
  MAX_CHECKS,
  rememberedFolder,
  repositoryText,
  settledBy,
  stampOf,
  statOf,
  WalkRecorder,
} from "./walk-recorder.ts";
import {
  optionsText,
  type RememberedFolder,
  type RememberedOptions,
  type Stamp,
  type TrackedCheck,
  type WalkMemory,
} from "./walk-memory.ts";
import { byPath, DEFAULT_MAX_FILE_BYTES, walk } from "./walk.ts";
import type { FileRecord, WalkResult } from "./walk-result.ts";
import { rootRules } from "./walk-rules.ts";

/** With more changed folders, a walk takes hardly longer. */
const MAX_CHANGED_FOLDERS = 100;

export interface IncrementalWalk {
  readonly found: WalkResult;
  /** For the next one: the given memory if no folder has changed. */
  readonly memory: WalkMemory;
}

/**
 * Returns what a walk would; undefined if only a walk can tell. The counts of ignored entries remain those of the last
 * walk.
 */
export function incrementalWalk(
  root: string,
  options: RememberedOptions,
  memory: WalkMemory,
): IncrementalWalk | undefined {
  if (memory.options !== optionsText(options)) return undefined;
  const startedMs = Date.now();
  const source = { root: resolve(root), outsideGit: options.outsideGit };
  const repository = repositoryAbove(source);
  if (memory.repository !== repositoryText(repository)) return undefined;
  if (!areRulesSame(source, repository, memory)) return undefined;
  const path = `${source.root.replaceAll(sep, "/")}/`.replace(/\/\/$/, "/");
  const folders = compareFolders(path, memory);
  if (folders === undefined) return undefined;
  const files = filesOf(path, memory, { ...options, isSame: (at) => folders.same.has(at) });
  if (files === undefined) return undefined;
  const skipped = memory.skipped
    .filter(([at]) => folders.same.has(folderOf(at)))
    .map(([at, reason]) => ({ path: at, reason }));
  const { ignored, warnings } = memory;
  const found = { files, skipped, ignored, complete: true, listed: new Set<string>(), warnings };
  if (folders.changed.length === 0) return { found, memory };
  // They may be outdated.
  if (warnings.length > 0) return undefined;
  return withChangedFolders(
    { root: path, options, memory, startedMs },
    { found, same: folders.same, changed: folders.changed },
  );
}

interface WalkContext {
  /** Absolute, ending in `/`. */
  readonly root: string;
  readonly options: RememberedOptions;
  readonly memory: WalkMemory;
  readonly startedMs: number;
}

interface PartOfWalk {
  /** The files below folders that have not changed. */
  readonly found: WalkResult;
  readonly same: ReadonlySet<string>;
  readonly changed: readonly ChangedFolder[];
}

/** Walks the changed folders without their subfolders, and all folders that are new in them. */
function withChangedFolders(
  { root, options, memory, startedMs }: WalkContext,
  { found, same, changed }: PartOfWalk,
): IncrementalWalk | undefined {
  const known = new Set([...same, ...changed.map(({ relative }) => relative)]);
  const ruleFiles = new Set(memory.ruleFiles.map(([path]) => path));
  const listed: RememberedFolder[] = [];
  const below: string[] = [];
  for (const { relative, stat } of changed) {
    const entries = entriesOf(root + relative);
    if (entries === undefined) return undefined;
    if (
      entries.some(
        ({ name }) => decidesRules(relative, name) && !ruleFiles.has(root + relative + name),
      )
    )
      return undefined;
    // The time stamps are those from before the listing: a later change is noticed.
    listed.push(rememberedFolder(relative, { stat, entries, startedMs }));
    const isNew = (entry: DirectoryEntry): boolean =>
      entry.isDirectory() && !known.has(`${relative}${entry.name}/`);
    below.push(...entries.filter(isNew).map(({ name }) => relative + name));
  }
  const recorder = new WalkRecorder(root);
  const folders = changed.map(({ relative }) => relative.slice(0, -1));
  const walked = walk(root, { ...options, folders, below, recorder });
  const part = recorder.finish(memory.options, walked);
  if (part === undefined || part.device !== memory.device) return undefined;
  const files = [...found.files, ...walked.files].toSorted(byPath);
  const skipped = [...found.skipped, ...walked.skipped].toSorted(byPath);
  const isBelow = ({ relative }: RememberedFolder): boolean =>
    below.some((folder) => relative.startsWith(`${folder}/`));
  const all = [
    ...memory.folders.filter(({ relative }) => same.has(relative)).map(settledBy(startedMs)),
    ...listed,
    ...part.folders.filter(isBelow),
  ].toSorted(byRelative);
  const checked = new Set(memory.checks.map(checkKey));
  const checks = [
    ...memory.checks,
    ...part.checks.filter((check) => !checked.has(checkKey(check))),
  ];
  if (checks.length > MAX_CHECKS) return undefined;
  return {
    found: { ...found, files, skipped },
    memory: {
      ...memory,
      ...folderColumns(all, files),
      skipped: skipped.map(({ path, reason }) => [path, reason]),
      ruleFiles: [...memory.ruleFiles, ...part.ruleFiles.filter(([path]) => !ruleFiles.has(path))],
      checks,
    },
  };
}

function byRelative(one: RememberedFolder, other: RememberedFolder): number {
  return one.relative < other.relative ? -1 : 1;
}

function checkKey({ path, isFolder }: TrackedCheck): string {
  return isFolder ? `${path}/` : path;
}

/** Whether an entry may be the cause of other rules below its folder. */
function decidesRules(folder: string, name: string): boolean {
  if (name === ".git") return folder !== "";
  return isRuleFile(name);
}

function entriesOf(path: string): readonly DirectoryEntry[] | undefined {
  try {
    return listFolder(path);
  } catch {
    return undefined;
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

interface ChangedFolder {
  readonly relative: string;
  readonly stat: Stats;
}

/** Which of the folders are as before; undefined if too many are not. Those that are gone are in neither list. */
function compareFolders(
  root: string,
  { folders, device }: WalkMemory,
): Pick<PartOfWalk, "same" | "changed"> | undefined {
  const same = new Set<string>();
  const changed: ChangedFolder[] = [];
  const present = new Set<string>();
  for (const folder of folders) {
    const { relative } = folder;
    const parent = parentOf(relative);
    // Where a link has replaced the folder above, the path leads out of the tree.
    const isReachable = relative === "" || present.has(parent);
    const stat = isReachable ? folderStatOf(root + relative) : undefined;
    if (stat?.isDirectory() !== true) {
      // A folder cannot go without a change of the one above it.
      if (relative === "" || same.has(parent)) return undefined;
      continue;
    }
    if (stat.dev !== device) return undefined;
    present.add(relative);
    if (isFolderSame(root, folder, stat)) same.add(relative);
    else changed.push({ relative, stat });
    if (changed.length > MAX_CHANGED_FOLDERS) return undefined;
  }
  return { same, changed };
}

/** The folder above a folder. */
function parentOf(relative: string): string {
  return folderOf(relative.slice(0, -1));
}

/** Whether all ignore files, and what git tracks of what they name, are as before. */
function areRulesSame(
  source: GitSource,
  repository: Repository | undefined,
  { ruleFiles, checks, gitIndex }: WalkMemory,
): boolean {
  const within = [...rootRules(source).within, ...(repository?.within ?? [])];
  const isSame = ruleFiles.every(([path, hash]) => {
    const read = readRuleFile(within, path);
    return (read === undefined || "bytes" in read) && contentHash(read?.bytes) === hash;
  });
  if (!isSame || checks.length === 0 || repository === undefined) return isSame;
  if (gitIndex !== undefined && hasStamp(indexPathOf(repository), gitIndex)) return true;
  const tracked = trackedPaths(repository);
  const { topLevel } = repository;
  const topLength = topLevel.endsWith(sep) ? topLevel.length : topLevel.length + 1;
  return checks.every(({ path, isFolder, isTracked }) => {
    const inRepository = path.slice(topLength);
    const now = isFolder ? tracked?.hasBelow(inRepository) : tracked?.has(inRepository);
    return (now === true) === isTracked;
  });
}

function isFolderSame(
  root: string,
  { relative, stamp, listing }: RememberedFolder,
  stat: Stats,
): boolean {
  if (!isStamp(stampOf(stat), stamp)) return false;
  if (listing === "") return true;
  const entries = entriesOf(root + relative);
  return entries !== undefined && listingHash(entries) === listing;
}

/** The files of the folders that are as before, in their present state; undefined if one is missing or of another kind. */
function filesOf(
  root: string,
  { files: runs, folders, skipped }: WalkMemory,
  {
    maxFileBytes = DEFAULT_MAX_FILE_BYTES,
    isSame,
  }: RememberedOptions & { readonly isSame: (folder: string) => boolean },
): readonly FileRecord[] | undefined {
  const files: FileRecord[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const { relative } = folders[Number(runs[at])] ?? { relative: "" };
    if (!isSame(relative)) continue;
    for (const name of String(runs[at + 1]).split("/")) {
      const path = relative + name;
      const stat = statOf(root + path);
      if (stat?.isFile() !== true || stat.size > maxBytesOf(path, maxFileBytes)) return undefined;
      files.push({ path, sizeBytes: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino });
    }
  }
  const areLarge = skipped.every(([path, reason]) => {
    if (reason !== "too-large" || !isSame(folderOf(path))) return true;
    const stat = statOf(root + path);
    return stat?.isFile() === true && stat.size > maxBytesOf(path, maxFileBytes);
  });
  return areLarge ? files : undefined;
}

function hasStamp(path: string, stamp: Stamp): boolean {
  const stat = statOf(path);
  return stat !== undefined && isStamp(stampOf(stat), stamp);
}

function isStamp(one: Stamp, other: Stamp): boolean {
  return one.every((value, at) => value === other[at]);
}
