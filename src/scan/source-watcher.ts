// Watches one source: each directory that a walk would list, and the files that decide which directories those
// are. Events only mark folders as dirty; `drain` reads the actual state from the disk.

import { accessSync, constants, lstatSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import { repositoryAbove } from "../sources/git.ts";
import { rootIdentity } from "../sources/source-root.ts";
import { isOwnOutput } from "./is-own-output.ts";
import { PROJECT_SETTINGS_FILE, type GlobFilter, type ProjectFilter } from "./walk-filters.ts";
import { walk, type WalkedFolder } from "./walk.ts";
import {
  maxReliableEvents,
  remoteFileSystem,
  watchFolder,
  type FolderWatcher,
} from "./folder-watcher.ts";
import { tooManyFolders, WatchLimitError } from "./watch-limit-error.ts";
import { RepositoryWatcher } from "./repository-watcher.ts";
import { isRuleFile } from "./rule-file.ts";

/** Options of a source watcher. */
export interface SourceWatcherOptions extends GlobFilter {
  /** See WalkOptions. */
  readonly project?: ProjectFilter | undefined;
  /** See WalkOptions. */
  readonly outsideGit?: string | undefined;
  /** Absolute paths of directories that are never watched, whatever the rules: svc's own writes must not wake it. */
  readonly leftOut: readonly string[];
  /** Watching more folders throws WatchLimitError. */
  readonly maxFolders: number;
  /** Uses one watch for the whole tree, if the system supports it; true by default except on Linux. */
  readonly isRecursive?: boolean;
  /** Called on each event, so it must be fast. */
  readonly onEvent: () => void;
}

/** The folders to scan again. */
export interface DirtyFolders {
  /** Paths relative to the root; the root itself is "". A removed folder represents everything below it. */
  readonly folders: ReadonlySet<string>;
  /** Any file may have changed, or may have become included or excluded. */
  readonly isComplete: boolean;
}

interface WatchedFolder {
  watch: FolderWatcher | undefined;
  includesFile: WalkedFolder["includesFile"];
  /** Names of its watched subfolders. */
  readonly children: Set<string>;
}

/** The name in an event that reported none. */
const NO_NAME = "";
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);

/** Watches one source until `close`. */
export class SourceWatcher {
  readonly #root: string;
  readonly #options: SourceWatcherOptions;
  readonly #isRecursive: boolean;
  readonly #maxEvents = maxReliableEvents();
  readonly #repositories: RepositoryWatcher;
  /** Watched folders by path from the root: empty, or ending in `/`. */
  readonly #folders = new Map<string, WatchedFolder>();
  /** Watches of the whole tree and of the folders above the root whose rules apply in it. */
  #extraWatches: (FolderWatcher | undefined)[] = [];
  /** Changed names by folder. */
  #pending = new Map<string, Set<string>>();
  #events = 0;
  /** Whether rules above the root have changed or the root was replaced. */
  #hasRootChanged = false;
  /** Identifies the root directory; undefined while it does not exist. */
  #identity: string | undefined;

  /** `root` is a real path. */
  constructor(root: string, options: SourceWatcherOptions) {
    this.#root = root;
    this.#options = options;
    this.#isRecursive = options.isRecursive ?? process.platform !== "linux";
    this.#repositories = new RepositoryWatcher(options.onEvent);
  }

  get folders(): number {
    return this.#folders.size;
  }

  /** Starts to watch. Waits for a root that does not exist. Throws WatchLimitError. */
  open(): void {
    const remote = remoteFileSystem(this.#root);
    if (remote !== undefined) {
      throw new WatchLimitError(
        `${this.#root} is on a ${remote} file system, which does not report changes by other machines.`,
      );
    }
    this.#identity = identityOf(this.#root);
    if (this.#identity === undefined) return;
    this.#watchAbove();
    if (this.#isRecursive) this.#watchTree();
    this.#scan("");
  }

  close(): void {
    this.#drop("");
    this.#repositories.close();
    for (const watch of this.#extraWatches) watch?.close();
    this.#extraWatches = [];
    this.#pending.clear();
  }

  /** Whether the root is another directory now. Call it regularly: mounting or removing a drive causes no event. */
  isRootReplaced(): boolean {
    return identityOf(this.#root) !== this.#identity;
  }

  /** Whether more changes are expected soon. */
  isBusy(): boolean {
    return this.#repositories.isBusy();
  }

  /** Returns the folders that changed since the last call and updates the watches. Throws WatchLimitError. */
  drain(): DirtyFolders {
    const pending = this.#pending;
    const isCertain =
      this.#events < this.#maxEvents && !this.#hasRootChanged && !this.isRootReplaced();
    this.#pending = new Map();
    this.#events = 0;
    this.#hasRootChanged = false;
    if (!isCertain) {
      this.close();
      this.open();
      return { folders: new Set(), isComplete: this.#identity !== undefined };
    }
    const folders = new Set<string>();
    let isComplete = this.#repositories.haveRulesChanged();
    if (isComplete) this.#scan("");
    // A folder comes before its subfolders, which may have changed by then.
    for (const folder of [...pending.keys()].toSorted()) {
      if (this.#drainFolder(folder, pending.get(folder) ?? new Set(), folders)) isComplete = true;
    }
    return { folders, isComplete };
  }

  /** Returns true if rules have changed. */
  #drainFolder(folder: string, names: ReadonlySet<string>, dirty: Set<string>): boolean {
    let hasOtherRules = false;
    for (const name of names) {
      const known = this.#folders.get(folder);
      if (known === undefined) break;
      const isSettings = folder === "" && name === PROJECT_SETTINGS_FILE;
      if (isSettings || name === ".git" || isRuleFile(name)) {
        hasOtherRules = true;
      } else if (name === NO_NAME) {
        this.#scan(folder, dirty);
      } else if (!VERSION_CONTROL.has(name)) {
        const isFolder = known.children.has(name) || this.#isFolder(folder + name);
        if (isFolder) this.#rescan(folder, name, dirty);
        if (
          isFolder ||
          (known.includesFile(name) && !isOwnOutput(join(this.#root, folder + name)))
        ) {
          dirty.add(withoutSlash(folder));
        }
      }
    }
    if (hasOtherRules) this.#scan(folder);
    return hasOtherRules;
  }

  /** Handles a folder that was created, removed, moved or made readable: everything below it may differ. */
  #rescan(parent: string, name: string, dirty: Set<string>): void {
    const path = `${parent}${name}/`;
    const dropped = new Set<string>();
    this.#drop(path, dropped);
    this.#scan(path, dirty);
    // If the folder is gone, it represents all below it. If another took its place, each dropped subfolder
    // counts.
    if (this.#folders.has(path)) for (const one of dropped) dirty.add(one);
    else if (dropped.size > 0) dirty.add(withoutSlash(path));
  }

  /** Updates the watches at and below a folder. Adds new and dropped folders to `found`. */
  #scan(from: string, found?: Set<string>): void {
    const { include, exclude, project, outsideGit, leftOut } = this.#options;
    const seen = new Set<string>();
    const visitor = {
      enter: (relative: string): boolean => {
        // `join` writes separators as the system does, like the real paths that it is compared with.
        if (leftOut.includes(join(this.#root, withoutSlash(relative)))) return false;
        this.#add(relative);
        seen.add(relative);
        found?.add(withoutSlash(relative));
        return true;
      },
      entered: ({ relative, repository, includesFile }: WalkedFolder): void => {
        const watched = this.#folders.get(relative);
        if (watched !== undefined) watched.includesFile = includesFile;
        if (repository !== undefined) this.#repositories.add(repository);
      },
    };
    try {
      walk(this.#root, { include, exclude, project, outsideGit, below: [from], visitor });
    } catch (thrown) {
      if (thrown instanceof WatchLimitError) throw thrown;
      // The root was removed during the scan, or cannot be read.
      this.#identity = undefined;
    }
    this.#dropUnseen(from, seen, found);
  }

  #add(relative: string): void {
    if (this.#folders.has(relative)) return;
    if (this.#folders.size >= this.#options.maxFolders)
      throw tooManyFolders(this.#options.maxFolders);
    const watch = this.#isRecursive
      ? undefined
      : watchFolder(this.#root + "/" + relative, (name, isRename) =>
          this.#onChange(relative, name ?? NO_NAME, isRename),
        );
    this.#folders.set(relative, { watch, includesFile: () => true, children: new Set() });
    if (relative !== "") this.#folders.get(parentOf(relative))?.children.add(nameOf(relative));
  }

  #dropUnseen(relative: string, seen: ReadonlySet<string>, dropped?: Set<string>): void {
    if (!seen.has(relative)) {
      this.#drop(relative, dropped);
      return;
    }
    for (const name of this.#folders.get(relative)?.children ?? []) {
      this.#dropUnseen(`${relative}${name}/`, seen, dropped);
    }
  }

  #drop(relative: string, dropped?: Set<string>): void {
    const known = this.#folders.get(relative);
    if (known === undefined) return;
    dropped?.add(withoutSlash(relative));
    for (const name of known.children) this.#drop(`${relative}${name}/`, dropped);
    known.watch?.close();
    this.#folders.delete(relative);
    if (relative !== "") this.#folders.get(parentOf(relative))?.children.delete(nameOf(relative));
  }

  #onChange(folder: string, name: string, isRename: boolean): void {
    this.#events += 1;
    // Above this number everything is scanned, so names are not needed.
    if (this.#events < this.#maxEvents) {
      const names = this.#pending.get(folder) ?? new Set();
      this.#pending.set(folder, names.add(name));
      // A change of a directory itself is reported by its parent under its name. The root's parent is not
      // watched, so the root reports its own.
      const isOwn = folder === "" && isRename && name === basename(this.#root);
      if (isOwn && !this.#exists(name)) this.#hasRootChanged = true;
    }
    this.#options.onEvent();
  }

  /** For systems that can watch a whole tree. */
  #watchTree(): void {
    const onTreeEvent = (path: string | undefined, isRename: boolean): void => {
      const [relative, name] = splitPath(path?.split(sep).join("/") ?? NO_NAME);
      if (this.#folders.has(relative)) this.#onChange(relative, name, isRename);
    };
    this.#extraWatches.push(watchFolder(this.#root, onTreeEvent, { recursive: true }));
  }

  /** Watches the folders above the root: ignore files apply from the top level of the repository on. */
  #watchAbove(): void {
    const top = repositoryAbove({
      root: this.#root,
      outsideGit: this.#options.outsideGit,
    })?.topLevel;
    if (top === undefined) return;
    for (let at = this.#root; at !== top;) {
      at = dirname(at);
      this.#extraWatches.push(
        watchFolder(at, (name) => {
          if (name !== undefined && name !== ".git" && !isRuleFile(name)) return;
          this.#hasRootChanged = true;
          this.#options.onEvent();
        }),
      );
    }
  }

  #isFolder(relative: string): boolean {
    try {
      const path = toFilePath(join(this.#root, relative));
      return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    } catch {
      return false;
    }
  }

  #exists(relative: string): boolean {
    try {
      return (
        lstatSync(toFilePath(join(this.#root, relative)), { throwIfNoEntry: false }) !== undefined
      );
    } catch {
      return true;
    }
  }
}

/** The identity of the root; undefined if it cannot be listed, or if it is now a link to another place. */
function identityOf(root: string): string | undefined {
  try {
    accessSync(toFilePath(root), constants.R_OK | constants.X_OK);
    return rootIdentity(root);
  } catch {
    return undefined;
  }
}

function splitPath(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}

function parentOf(relative: string): string {
  return splitPath(withoutSlash(relative))[0];
}

function nameOf(relative: string): string {
  return splitPath(withoutSlash(relative))[1];
}

function withoutSlash(relative: string): string {
  return relative.replace(/\/$/, "");
}
