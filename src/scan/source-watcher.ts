// Watches one source: the directories that a walk would list, each by itself, and what decides which those
// are. Events only say where to look; what is true is asked of the disk when they are taken together.

import { accessSync, constants, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import { repositoryAbove } from "../sources/git.ts";
import { rootIdentity } from "../sources/source-root.ts";
import { isOwnOutput } from "./is-own-output.ts";
import { walk, type WalkedFolder } from "./walk.ts";
import {
  maxReliableEvents,
  remoteFileSystem,
  watchFolder,
  type FolderWatcher,
} from "./folder-watcher.ts";
import { tooManyFolders, WatchLimitError } from "./watch-limit-error.ts";
import { RepositoryWatcher } from "./repository-watcher.ts";

export interface SourceWatcherOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** As in WalkOptions. */
  readonly outsideGit?: string | undefined;
  /** Absolute paths of directories that are left out, whatever rules say: svc must not wake itself. */
  readonly leftOut: readonly string[];
  readonly maxFolders: number;
  /** One watch for the whole tree, where the system has that; by default on all but Linux. */
  readonly isRecursive?: boolean;
  /** Called at each event, so it must be quick. */
  readonly onEvent: () => void;
}

/** What has to be looked at again. */
export interface DirtyFolders {
  /** Relative to the root; the root itself is "". What is gone stands for all that was below it. */
  readonly folders: ReadonlySet<string>;
  /** Files anywhere may have changed, or count now, or no longer. */
  readonly isComplete: boolean;
}

interface WatchedFolder {
  watch: FolderWatcher | undefined;
  includesFile: WalkedFolder["includesFile"];
  /** Names of the folders in it that are watched. */
  readonly children: Set<string>;
}

/** An event of a folder that came without a name. */
const NO_NAME = "";
const RULE_FILES = new Set([".gitignore", ".svcignore"]);
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);

export class SourceWatcher {
  readonly #root: string;
  readonly #options: SourceWatcherOptions;
  readonly #isRecursive: boolean;
  readonly #maxEvents = maxReliableEvents();
  readonly #repositories: RepositoryWatcher;
  /** By path from the root, empty or ending in `/`. */
  readonly #folders = new Map<string, WatchedFolder>();
  /** Watches of the whole tree, and of the folders above it whose rules hold in it. */
  #extraWatches: (FolderWatcher | undefined)[] = [];
  /** Names by folder. */
  #pending = new Map<string, Set<string>>();
  #events = 0;
  /** Rules above the root have changed, or the root was replaced. */
  #hasRootChanged = false;
  /** Which directory the root is; undefined while there is none. */
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

  /** Begins to watch. A root that is not there is waited for. Throws WatchLimit. */
  open(): void {
    const remote = remoteFileSystem(this.#root);
    if (remote !== undefined) {
      throw new WatchLimitError(
        `${this.#root} lies on a ${remote} file system, which does not tell what is changed elsewhere.`,
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

  /** To be asked now and then: a drive that is mounted or taken away is no event. */
  isRootReplaced(): boolean {
    return identityOf(this.#root) !== this.#identity;
  }

  /** Whether more of the same is to be expected. */
  isBusy(): boolean {
    return this.#repositories.isBusy();
  }

  /** What was heard of since the last time; brings the watches up to date with it. Throws WatchLimit. */
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
    // Folders come before those within them, which may be others by then.
    for (const folder of [...pending.keys()].toSorted()) {
      if (this.#drainFolder(folder, pending.get(folder) ?? new Set(), folders)) isComplete = true;
    }
    return { folders, isComplete };
  }

  /** True when rules have changed. */
  #drainFolder(folder: string, names: ReadonlySet<string>, dirty: Set<string>): boolean {
    let hasOtherRules = false;
    for (const name of names) {
      const known = this.#folders.get(folder);
      if (known === undefined) break;
      if (name === ".git" || RULE_FILES.has(name)) {
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

  /** A folder that came, went, was moved, or can now be read: all below may be others. */
  #rescan(parent: string, name: string, dirty: Set<string>): void {
    const path = `${parent}${name}/`;
    const dropped = new Set<string>();
    this.#drop(path, dropped);
    this.#scan(path, dirty);
    // Of a folder that is gone all is, while another in its place may lack some of those below.
    if (this.#folders.has(path)) for (const one of dropped) dirty.add(one);
    else if (dropped.size > 0) dirty.add(withoutSlash(path));
  }

  /** Watches what is to be watched at and below a folder, and no longer what is not; `found` gets both. */
  #scan(from: string, found?: Set<string>): void {
    const { include, exclude, outsideGit, leftOut } = this.#options;
    const seen = new Set<string>();
    const visitor = {
      enter: (relative: string): boolean => {
        if (leftOut.includes(withoutSlash(`${this.#root}/${relative}`))) return false;
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
      walk(this.#root, { include, exclude, outsideGit, below: [from], visitor });
    } catch (thrown) {
      if (thrown instanceof WatchLimitError) throw thrown;
      // The root went away while it was looked at, or cannot be read.
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
    // Beyond this all is looked at, and names are of no use.
    if (this.#events < this.#maxEvents) {
      const names = this.#pending.get(folder) ?? new Set();
      this.#pending.set(folder, names.add(name));
      // What becomes of a directory itself is told under its own name; the root has no other folder to say it.
      const isOwn = folder === "" && isRename && name === basename(this.#root);
      if (isOwn && !this.#isThere(name)) this.#hasRootChanged = true;
    }
    this.#options.onEvent();
  }

  /** For systems that watch a tree themselves. */
  #watchTree(): void {
    const hear = (path: string | undefined, isRename: boolean): void => {
      const [relative, name] = splitPath(path?.replaceAll("\\", "/") ?? NO_NAME);
      if (this.#folders.has(relative)) this.#onChange(relative, name, isRename);
    };
    this.#extraWatches.push(watchFolder(this.#root, hear, { recursive: true }));
  }

  /** Ignore files hold from the top level of the repository on. */
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
          if (name !== undefined && name !== ".git" && !RULE_FILES.has(name)) return;
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

  #isThere(relative: string): boolean {
    try {
      return (
        lstatSync(toFilePath(join(this.#root, relative)), { throwIfNoEntry: false }) !== undefined
      );
    } catch {
      return true;
    }
  }
}

/** Undefined where nothing can be listed, and where a link leads elsewhere by now. */
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
