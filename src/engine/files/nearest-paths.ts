// Suggests existing files for a path that does not exist.

import { distanceWithin } from "../../base/edit-distance.ts";
import type { FileTree } from "../../index/port.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";

export interface NearestPaths {
  /** The most similar first. */
  readonly paths: readonly string[];
  /** False if no file has a similar name, and these are only in the same folder. */
  readonly isAlike: boolean;
}

/** Similarity of a name to the requested one. */
const SAME_NAME = 0;
const OTHER_EXTENSION = 1;
const PART_OF_NAME = 2;
/** One more for each typo. */
const MISSPELT = 2;
const NOT_ALIKE = Infinity;

/** Shorter names are part of too many others. */
const MIN_PART_LENGTH = 4;
const MAX_TYPOS = 3;

/**
 * Returns up to `limit` files with the same or a similar name, those in the most similar folder first; else files of the
 * same folder, the most similar names first. Compares every path of the index: some ms for 10,000 paths.
 */
export function nearestPaths(tree: FileTree, path: string, limit: number): NearestPaths {
  const wanted = partsOf(path);
  // The path itself may be in the index, but not readable.
  const isOther = (other: string): boolean => other !== path;
  const alike = filesBelow(tree, "")
    .filter(isOther)
    .map((other) => ({ path: other, ...partsOf(other) }))
    .map((other) => ({ ...other, likeness: likenessOf(wanted, other) }))
    .filter(({ likeness }) => likeness !== NOT_ALIKE)
    .toSorted(
      (one, other) =>
        one.likeness - other.likeness ||
        commonFolders(wanted, other) - commonFolders(wanted, one) ||
        one.folders.length - other.folders.length ||
        compare(one.path, other.path),
    )
    .map((other) => other.path);
  if (alike.length > 0) return { paths: alike.slice(0, limit), isAlike: true };
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const neighbors = filesIn(tree, folder)
    .filter(isOther)
    .map((other) => ({ path: other, ...partsOf(other) }))
    .filter(({ extension }) => extension === wanted.extension)
    .map((other) => ({ ...other, distance: distanceOf(wanted.stem, other.stem) }))
    .toSorted((one, other) => one.distance - other.distance || compare(one.path, other.path))
    .map((other) => other.path);
  return { paths: neighbors.slice(0, limit), isAlike: false };
}

interface PathParts {
  /** In lower case, as the others. */
  readonly name: string;
  /** The name without its extension. */
  readonly stem: string;
  readonly extension: string;
  /** Outermost first. */
  readonly folders: readonly string[];
}

function partsOf(path: string): PathParts {
  const folders = path.toLowerCase().split("/");
  const name = folders.pop() ?? "";
  const dot = name.lastIndexOf(".");
  const stem = dot <= 0 ? name : name.slice(0, dot);
  return { name, stem, extension: name.slice(stem.length), folders };
}

function likenessOf(wanted: PathParts, other: PathParts): number {
  if (other.name === wanted.name) return SAME_NAME;
  if (other.stem === wanted.stem) return OTHER_EXTENSION;
  const allowed = Math.min(MAX_TYPOS, Math.floor(wanted.stem.length / 3));
  const distance = distanceWithin(wanted.stem, other.stem, allowed);
  if (distance !== undefined) return MISSPELT + distance;
  const [shorter, longer] =
    wanted.stem.length < other.stem.length ? [wanted.stem, other.stem] : [other.stem, wanted.stem];
  const isPart = shorter.length >= MIN_PART_LENGTH && longer.includes(shorter);
  // `export.svg` is not meant by `ZipExportBuilder.php`.
  const isOther = other.extension !== wanted.extension && shorter.length * 2 < longer.length;
  return isPart && !isOther ? PART_OF_NAME + longer.length - shorter.length : NOT_ALIKE;
}

/** Returns the number of folders that both paths have in common. */
function commonFolders({ folders }: PathParts, other: PathParts): number {
  const shared = new Set(folders);
  return other.folders.filter((folder) => shared.has(folder)).length;
}

function distanceOf(one: string, other: string): number {
  const most = Math.max(one.length, other.length);
  return distanceWithin(one, other, most) ?? most;
}

/** Skips files of secrets, because an error must not name them. */
function filesIn(tree: FileTree, folder: string): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const paths = tree.filesIn(folder).map((name) => prefix + name);
  return paths.filter((path) => skipReasonOfPath(path) !== "secret");
}

function filesBelow(tree: FileTree, folder: string): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  return [
    ...filesIn(tree, folder),
    ...tree.foldersIn(folder).flatMap((name) => filesBelow(tree, prefix + name)),
  ];
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
