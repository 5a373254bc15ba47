// Records what a walk reads, for a later one that asks whether anything has changed.

import { hash } from "node:crypto";
import { lstatSync, statfsSync, type Stats } from "node:fs";

import { MIN_STABLE_AGE_MS } from "../base/files.ts";
import { toFilePath } from "../base/path-bytes.ts";
import type { Repository } from "../sources/git.ts";
import type { DirectoryEntry } from "./list-folder.ts";
import type { readRuleFile } from "./rule-file.ts";
import type { RememberedFolder, Stamp, TrackedCheck, WalkMemory } from "./walk-memory.ts";
import type { FileRecord, WalkResult } from "./walk-result.ts";

/** More than this many answers of git's index are not worth their place. */
export const MAX_CHECKS = 5000;
/**
 * Types of local file systems that change the time stamps of a folder with its entries: ext, XFS, Btrfs, tmpfs, overlayfs,
 * ZFS, F2FS and Bcachefs, as statfs of Linux numbers them.
 */
const RELIABLE_FILE_SYSTEMS = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** Collects the memory of one walk. */
export class WalkRecorder {
  readonly #startedMs = Date.now();
  readonly #folders: RememberedFolder[] = [];
  readonly #ruleFiles: (readonly [string, string])[] = [];
  readonly #checks: TrackedCheck[] = [];
  #device: number | undefined;
  #repository: Repository | undefined;
  #gitIndex: Stamp | undefined;
  #canRemember: boolean;

  /** `root`: absolute path. */
  constructor(root: string) {
    this.#canRemember = isReliable(root);
  }

  /** Call it when the walk met something that only another walk can judge. */
  giveUp(): void {
    this.#canRemember = false;
  }

  /** Records the repository around the root, before its index is read. */
  repository(repository: Repository): void {
    this.#repository = repository;
    const stat = statOf(indexPathOf(repository));
    const stamp = stat && stampOf(stat);
    if (stamp !== undefined && !isYoung(stamp, this.#startedMs)) this.#gitIndex = stamp;
  }

  /** Call it before a folder is listed, and the result with its entries. */
  folder(path: string, relative: string): (entries: readonly DirectoryEntry[]) => void {
    const stat = this.#canRemember ? folderStatOf(path) : undefined;
    this.#device ??= stat?.dev;
    if (stat?.isDirectory() !== true || stat.dev !== this.#device) this.giveUp();
    return (entries) => {
      if (stat === undefined) return;
      this.#folders.push(rememberedFolder(relative, { stat, entries, startedMs: this.#startedMs }));
    };
  }

  /** Records an ignore file that was read; a problem or `undefined` if it could not be, or is missing. */
  ruleFile(path: string, read: ReturnType<typeof readRuleFile>): void {
    if (read !== undefined && !("bytes" in read)) this.giveUp();
    else this.#ruleFiles.push([path, contentHash(read?.bytes)]);
  }

  /** Records an answer of git's index. */
  check(check: TrackedCheck): void {
    if (this.#checks.length === MAX_CHECKS) this.giveUp();
    else this.#checks.push(check);
  }

  /** Returns the memory of the walk; undefined if something in it could change unnoticed. */
  finish(
    options: string,
    { files, skipped, ignored, complete, warnings }: WalkResult,
  ): WalkMemory | undefined {
    if (!this.#canRemember || !complete || this.#device === undefined) return undefined;
    return {
      options,
      repository: repositoryText(this.#repository),
      device: this.#device,
      ...folderColumns(this.#folders, files),
      skipped: skipped.map(({ path, reason }) => [path, reason]),
      ignored,
      warnings,
      ruleFiles: this.#ruleFiles,
      checks: this.#checks,
      gitIndex: this.#gitIndex,
    };
  }
}

/** Whether a folder or file is so young that it may change again with the same time stamps. */
function isYoung([, mtimeMs, ctimeMs]: Stamp, startedMs: number): boolean {
  return Math.max(mtimeMs, ctimeMs) > startedMs - MIN_STABLE_AGE_MS;
}

/** `stat`: from before the folder was listed. */
export function rememberedFolder(
  relative: string,
  seen: {
    readonly stat: Stats;
    readonly entries: readonly DirectoryEntry[];
    readonly startedMs: number;
  },
): RememberedFolder {
  const stamp = stampOf(seen.stat);
  const listing = isYoung(stamp, seen.startedMs) ? listingHash(seen.entries) : "";
  return { relative, stamp, listing };
}

/** A folder that has had the same entries for long enough is known by its time stamps. */
export function settledBy(nowMs: number): (folder: RememberedFolder) => RememberedFolder {
  return (folder) =>
    folder.listing === "" || isYoung(folder.stamp, nowMs) ? folder : { ...folder, listing: "" };
}

export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(toFilePath(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** `path`: ends in `/`, with which the system would follow a link in place of the folder. */
export function folderStatOf(path: string): Stats | undefined {
  return statOf(path.length > 1 ? path.slice(0, -1) : path);
}

export function stampOf({ ino, mtimeMs, ctimeMs }: Stats): Stamp {
  return [ino, mtimeMs, ctimeMs];
}

export function listingHash(entries: readonly DirectoryEntry[]): string {
  const list = entries.map((entry) => `${kindOf(entry)}${entry.name}`).join("/");
  return hash("sha256", list, "base64");
}

/** `bytes`: undefined for a missing file. */
export function contentHash(bytes: string | undefined): string {
  return bytes === undefined ? "" : hash("sha256", bytes, "base64");
}

export function repositoryText(repository: Repository | undefined): string {
  return repository === undefined ? "" : JSON.stringify(repository);
}

export function indexPathOf({ gitDirectory }: Repository): string {
  return `${gitDirectory}/index`;
}

function kindOf(entry: DirectoryEntry): string {
  if (entry.isDirectory()) return "d";
  if (entry.isFile()) return "f";
  return entry.isSymbolicLink() ? "l" : "o";
}

function isReliable(root: string): boolean {
  try {
    return process.platform === "linux" && RELIABLE_FILE_SYSTEMS.has(statfsSync(root).type);
  } catch {
    return false;
  }
}

/** Consecutive files of one folder share its number. */
export function folderColumns(
  folders: readonly RememberedFolder[],
  files: readonly FileRecord[],
): Pick<WalkMemory, "folders" | "files"> {
  const numbers = new Map(folders.map(({ relative }, number) => [relative, number]));
  const runs: (number | string)[] = [];
  let last: string | undefined;
  let names: string[] = [];
  const end = (): void => {
    if (last !== undefined) runs.push(numbers.get(last) ?? 0, names.join("/"));
  };
  for (const { path } of files) {
    const nameStart = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, nameStart);
    if (folder !== last) {
      end();
      last = folder;
      names = [];
    }
    names.push(path.slice(nameStart));
  }
  end();
  return { folders, files: runs };
}
