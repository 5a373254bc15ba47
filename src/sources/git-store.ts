// Checks the files of a repository that git would open, before git is started or the repository is used: git
// follows every link in it and blocks on every pipe. This code opens only the lists of alternates, with
// readInside.

import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join, resolve } from "node:path";

import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { resolveWithin } from "./confined-path.ts";
import { isThere, type GitLocation, type GitRefusal } from "./git-location.ts";
import { readInside } from "./guarded-read.ts";

const LIMIT_BYTES = 1 << 20;
/** The depth to which git follows alternates of alternates. */
const MAX_DEPTH = 5;
const MAX_STORES = 64;
/** Entries of a git directory that git may open to answer a command. Links are allowed if they stay inside. */
const OPENED = /^(?:HEAD|config|config\.worktree|packed-refs|refs|logs|reftable|info|shallow)$/;
/** Entries that must not be links: git reads them in place. */
const OPENED_IN_PLACE = /^(?:index|sharedindex\..*)$/;
/** In an object store git opens only files of these folders. */
const OBJECT_FOLDER = /^(?:[0-9a-f]{2}|info|pack|commit-graphs)$/;
/** A folder may change again within one tick of the file system's clock. */
const TICK_MS = 2000;
const MAX_KNOWN = 20_000;
/** `objects/info/commit-graphs`. */
const MAX_FOLDER_DEPTH = 2;

const OBJECTS_LEAD_OUT: GitRefusal = {
  detail:
    "Some or all objects of this repository are outside its folder, so svc does not use them.",
  hint: "Copy them into the repository: run `git repack -a -d` in it, then delete .git/objects/info/alternates.",
};

/** Why the objects of a repository cannot be used: they, or an alternate, are outside. Undefined if they can. */
export function objectsProblem(place: GitLocation): GitRefusal | undefined {
  return objectStores(place) === undefined ? OBJECTS_LEAD_OUT : undefined;
}

/** Why git must not be started on a repository; undefined if it may. Takes one `lstat` per folder of objects. */
export function storeProblem(place: GitLocation): GitRefusal | undefined {
  const { gitDirectory, commonDirectory, within } = place;
  const stores = objectStores(place);
  if (stores === undefined) return OBJECTS_LEAD_OUT;
  try {
    for (const directory of new Set([gitDirectory, commonDirectory])) {
      for (const entry of readdirSync(toFilePath(directory), { withFileTypes: true })) {
        if (!isUsable(entry, directory, within)) return notPlain(entry.name);
      }
    }
    return stores.every((store) => isPlain(store)) ? undefined : notPlain("objects");
  } catch {
    // Git cannot use a folder that cannot be listed either.
    return notPlain("objects");
  }
}

function notPlain(name: string): GitRefusal {
  return {
    detail: `.git/${name} of this repository is or contains a link that leads out, a pipe or a device, so svc does not use the repository.`,
    hint: "Replace it with the files themselves, or clone the repository again.",
  };
}

/** Whether git does not open the entry, or it is a file, a folder, or a link to one inside. */
function isUsable(entry: Dirent, directory: string, within: readonly string[]): boolean {
  const isInPlace = OPENED_IN_PLACE.test(entry.name);
  if (!isInPlace && !OPENED.test(entry.name)) return true;
  if (entry.isFile() || entry.isDirectory()) return true;
  if (isInPlace || !entry.isSymbolicLink()) return false;
  const place = resolveWithin(within, join(directory, entry.name));
  if (typeof place === "string") return place === "missing";
  const stat = lstatSync(toFilePath(place.real));
  return stat.isFile() || stat.isDirectory();
}

/** Returns the real folders of a repository's objects, its own and the alternates; undefined if one is outside. */
function objectStores({ commonDirectory, within }: GitLocation): readonly string[] | undefined {
  const stores = new Set<string>();
  let wanted: readonly string[] = [join(commonDirectory, "objects")];
  for (let depth = 0; wanted.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of wanted) {
      const place = resolveWithin(within, path);
      if (place === "outside") return undefined;
      if (place === "missing" || stores.has(place.real)) continue;
      // Git may resolve an alternate's path to another place, as it does for one through /proc/self.
      if (depth > 0 && place.real !== path) return undefined;
      stores.add(place.real);
      const alternates = alternatesOf(place.real, within);
      if (alternates === undefined) return undefined;
      next.push(...alternates);
    }
    if (depth > MAX_DEPTH || stores.size > MAX_STORES) return undefined;
    wanted = next;
  }
  return [...stores];
}

/** Returns the folders in `info/alternates`; undefined if it is unreadable or has quoted names. They may be anywhere. */
export function alternatesOf(
  store: string,
  within: readonly string[],
): readonly string[] | undefined {
  const path = join(store, "info/alternates");
  if (!isThere(path)) return [];
  const bytes = readInside(within, path, LIMIT_BYTES);
  if (bytes === undefined) return undefined;
  const lines = pathFromBytes(bytes)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.some((line) => line.startsWith('"'))) return undefined;
  return lines.map((line) => resolve(store, line));
}

interface Known {
  readonly signature: string;
  /** Its subfolders that must be checked as well. */
  readonly folders: readonly string[];
}

/** Folders of objects that contained only files and folders, by path, with their signature at that time. */
const plainFolders = new Map<string, Known>();

/** Whether a folder of objects, and each subfolder that git reads, contains only files and folders. */
function isPlain(folder: string, depth = 0): boolean {
  if (depth > MAX_FOLDER_DEPTH) return true;
  const stat = lstatSync(toFilePath(folder), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isDirectory()) return false;
  const signature = `${stat.dev} ${stat.ino} ${stat.ctimeNs}`;
  let known = plainFolders.get(folder);
  if (known?.signature !== signature) {
    const entries = readdirSync(toFilePath(folder), { withFileTypes: true });
    if (!entries.every((entry) => entry.isFile() || entry.isDirectory())) return false;
    const folders = entries.filter(
      (entry) => entry.isDirectory() && OBJECT_FOLDER.test(entry.name),
    );
    known = { signature, folders: folders.map(({ name }) => join(folder, name)) };
    if (plainFolders.size >= MAX_KNOWN) plainFolders.clear();
    const isOld = Date.now() - Number(stat.ctimeMs) > TICK_MS;
    if (isOld) plainFolders.set(folder, known);
  }
  return known.folders.every((one) => isPlain(one, depth + 1));
}
