// What git would open of a repository, checked before git is started or the repository is used: git follows every link
// in it, and waits at every pipe. Nothing is opened here but the lists of alternates, through the guard.

import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join, resolve } from "node:path";

import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { resolveWithin } from "./confined-path.ts";
import { isThere, type GitLocation, type GitRefusal } from "./git-location.ts";
import { readInside } from "./guarded-read.ts";

const LIMIT_BYTES = 1 << 20;
/** As deep as git itself follows alternates of alternates. */
const MAX_DEPTH = 5;
const MAX_STORES = 64;
/** Entries of a git directory that git may open for a question; links are allowed while they stay inside. */
const OPENED = /^(?:HEAD|config|config\.worktree|packed-refs|refs|logs|reftable|info|shallow)$/;
/** The same, without links: git reads them where they are. */
const OPENED_IN_PLACE = /^(?:index|sharedindex\..*)$/;
/** Below a store of objects git opens files of these folders alone. */
const OBJECT_FOLDER = /^(?:[0-9a-f]{2}|info|pack|commit-graphs)$/;
/** A folder may change once more within the same tick of the file system's clock. */
const TICK_MS = 2000;
const MAX_KNOWN = 20_000;
/** `objects/info/commit-graphs`. */
const MAX_FOLDER_DEPTH = 2;

const OBJECTS_LEAD_OUT: GitRefusal = {
  detail:
    "The objects of this repository lie outside of its folder, in part or all, and are not used.",
  hint: "Bring them in: run `git repack -a -d` in the repository, then delete .git/objects/info/alternates.",
};

/** Why the objects of a repository cannot be used: they, or an alternate, lie elsewhere. Undefined when they can. */
export function objectsProblem(place: GitLocation): GitRefusal | undefined {
  return objectStores(place) === undefined ? OBJECTS_LEAD_OUT : undefined;
}

/** Why git must not be started on a repository; undefined when it may. Costs one `lstat` for each folder of objects. */
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
    // What may not be listed is of no use to git either.
    return notPlain("objects");
  }
}

function notPlain(name: string): GitRefusal {
  return {
    detail: `.git/${name} of this repository is, or holds, a link that leads out, a pipe or a device: the repository is not used.`,
    hint: "Replace it with the files themselves, or clone the repository again.",
  };
}

/** Not opened, a file or a folder, or a link to one of them inside. */
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

/** The real folders of a repository's objects, its own and the alternates; undefined when one lies elsewhere. */
function objectStores({ commonDirectory, within }: GitLocation): readonly string[] | undefined {
  const stores = new Set<string>();
  let wanted: readonly string[] = [join(commonDirectory, "objects")];
  for (let depth = 0; wanted.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of wanted) {
      const place = resolveWithin(within, path);
      if (place === "outside") return undefined;
      if (place === "missing" || stores.has(place.real)) continue;
      // The way to an alternate may mean another place to git, as one through /proc/self does.
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

/** The folders that `info/alternates` names; undefined when it cannot be read, or says it in quotes. */
function alternatesOf(store: string, within: readonly string[]): readonly string[] | undefined {
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
  readonly look: string;
  /** Folders in it that count as well. */
  readonly folders: readonly string[];
}

/** Folders of objects that held nothing but files and folders, by path, with how they looked then. */
const plain = new Map<string, Known>();

/** Whether a folder of objects, with those in it that git looks into, holds nothing but files and folders. */
function isPlain(folder: string, depth = 0): boolean {
  if (depth > MAX_FOLDER_DEPTH) return true;
  const stat = lstatSync(toFilePath(folder), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isDirectory()) return false;
  const look = `${stat.dev} ${stat.ino} ${stat.ctimeNs}`;
  let known = plain.get(folder);
  if (known?.look !== look) {
    const entries = readdirSync(toFilePath(folder), { withFileTypes: true });
    if (!entries.every((entry) => entry.isFile() || entry.isDirectory())) return false;
    const folders = entries.filter(
      (entry) => entry.isDirectory() && OBJECT_FOLDER.test(entry.name),
    );
    known = { look, folders: folders.map(({ name }) => join(folder, name)) };
    if (plain.size >= MAX_KNOWN) plain.clear();
    const isOld = Date.now() - Number(stat.ctimeMs) > TICK_MS;
    if (isOld) plain.set(folder, known);
  }
  return known.folders.every((one) => isPlain(one, depth + 1));
}
