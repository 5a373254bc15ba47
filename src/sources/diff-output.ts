// Parses the output of `git diff-index --raw --numstat --patch -z --unified=0` and similar commands into files
// with changed lines. The first part has the file names as plain bytes. The second part has the numbers of
// added and removed lines per file. The patches follow in the same order; a file without changed lines may have
// none.

import { pathFromBytes } from "../base/path-bytes.ts";

/** One hunk of a patch. Lines are 1-based. A side without lines has count 0 and comes after the line `…Start`. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** The changes of one file. */
export interface FileDiff {
  /** Path on the new side, or on the old side of a deleted file; relative to the repository's top level. */
  readonly path: string;
  /** Path on the old side, if it differs. */
  readonly oldPath: string | undefined;
  readonly status: "added" | "modified" | "deleted";
  /** In line order. Undefined if lines are not known: binary files, links, submodules. */
  readonly hunks: readonly DiffHunk[] | undefined;
  /** The removed lines, without line ends. */
  readonly removed: readonly string[];
}

/** Maximum lines per file in `removed`. */
const MAX_REMOVED_LINES = 20_000;
/** Characters of a header line that the parser reads. */
const MAX_HEADER_LENGTH = 100;
const REGULAR_FILE = /^100/;
const STATUS: Readonly<Record<string, FileDiff["status"]>> = { A: "added", D: "deleted" };

interface RawEntry {
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly status: string;
  /** See `ChangedName`. */
  readonly differs: boolean | undefined;
  /** Whether both sides are files, or one side is a file and the other is empty. */
  readonly isFile: boolean;
}

/** Numbers of added and removed lines; undefined for binary files. */
type Counts = { readonly added: number; readonly removed: number } | undefined;

/** A file of the first part only. */
export interface ChangedName extends Pick<FileDiff, "path" | "oldPath" | "status"> {
  /** Whether its contents differ. Undefined if git would have to read the file: it may only have been touched. */
  readonly differs: boolean | undefined;
}

/** Parses the output of `git diff-index --raw -z` and similar commands. */
export function parseNames(bytes: Buffer): readonly ChangedName[] {
  return withoutConflicts(readRaw(new NulSeparatedParts(bytes))).map(
    ({ path, oldPath, status, differs }) => ({
      path,
      oldPath,
      status: STATUS[status] ?? "modified",
      differs,
    }),
  );
}

/** Parses a diff. Omits files without a text difference, such as files that were only touched or made executable. */
export function parseDiff(bytes: Buffer): readonly FileDiff[] {
  const parts = new NulSeparatedParts(bytes);
  const entries = readRaw(parts);
  const counts = readCounts(parts);
  const patches = new PatchQueue(readPatches(bytes.toString("utf8", parts.end)));
  return withoutConflicts(entries).flatMap((entry) => {
    const known = counts.has(entry.path);
    const count = counts.get(entry.path);
    const isUnknown = entry.status === "U" || (known && count === undefined);
    const patch = patches.take(count ?? { added: 0, removed: 0 });
    return diffOf(entry, isUnknown ? undefined : patch);
  });
}

/**
 * Removes the duplicates of files in conflict, which git lists once as a conflict and once with their work-tree
 * status.
 */
function withoutConflicts(entries: readonly RawEntry[]): readonly RawEntry[] {
  const paths = new Set(entries.flatMap(({ status, path }) => (status === "U" ? [] : [path])));
  return entries.filter(({ status, path }) => status !== "U" || !paths.has(path));
}

function diffOf(entry: RawEntry, patch: Patch | undefined): readonly FileDiff[] {
  const { path, oldPath, isFile } = entry;
  const status = STATUS[entry.status] ?? "modified";
  const hunks = isFile && entry.status !== "T" ? patch?.hunks : undefined;
  if (status === "modified" && hunks?.length === 0 && oldPath === undefined) return [];
  const removed = hunks === undefined ? [] : (patch?.removed ?? []);
  return [{ path, oldPath, status, hunks, removed }];
}

/** Reads parts that end with a NUL. */
class NulSeparatedParts {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Offset of the next part. */
  get end(): number {
    return this.#at;
  }

  /** The first byte of the next part. */
  get first(): number | undefined {
    return this.#bytes[this.#at];
  }

  next(): Buffer {
    const until = this.#bytes.indexOf(0, this.#at);
    const part = this.#bytes.subarray(this.#at, until === -1 ? this.#bytes.length : until);
    this.#at += part.length + 1;
    return part;
  }
}

const COLON = 0x3a;

/** Reads `:mode mode id id status NUL path NUL`. A renamed file has a second path. */
function readRaw(parts: NulSeparatedParts): readonly RawEntry[] {
  const entries: RawEntry[] = [];
  while (parts.first === COLON) {
    const head = parts.next().toString("latin1", 1).split(" ");
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = head;
    const first = pathFromBytes(parts.next());
    const isMoved = /^[RC]/.test(status);
    const isFile = [oldMode, newMode].every((mode) => REGULAR_FILE.test(mode) || /^0+$/.test(mode));
    entries.push({
      path: isMoved ? pathFromBytes(parts.next()) : first,
      oldPath: isMoved ? first : undefined,
      status: status.slice(0, 1),
      differs: isOther(status, oldId, newId),
      isFile,
    });
  }
  return entries;
}

/** An id of zeros is that of a file in the work tree that git has not read. Other files with one status differ. */
function isOther(status: string, oldId: string, newId: string): boolean | undefined {
  if (status !== "M") return true;
  return [oldId, newId].some((id) => /^0*$/.test(id)) ? undefined : oldId !== newId;
}

/**
 * Reads `added TAB removed TAB path NUL`, where both numbers are `-` for a binary file, and `added TAB removed
 * TAB NUL path NUL path NUL` for a renamed file. An empty part ends them. Returns counts by path on the new
 * side.
 */
function readCounts(parts: NulSeparatedParts): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  for (let part = parts.next(); part.length > 0; part = parts.next()) {
    const tab = part.indexOf("\t", part.indexOf("\t") + 1);
    const [added, removed] = part.toString("latin1", 0, Math.max(0, tab)).split("\t");
    const isMoved = tab === part.length - 1;
    if (isMoved) parts.next();
    const path = pathFromBytes(isMoved ? parts.next() : part.subarray(tab + 1));
    const isBinary = added === "-";
    counts.set(path, isBinary ? undefined : { added: Number(added), removed: Number(removed) });
  }
  return counts;
}

interface Patch {
  readonly hunks: DiffHunk[];
  readonly removed: string[];
}

/** Assigns patches to files in order, by comparing the numbers of lines. */
class PatchQueue {
  readonly #patches: readonly Patch[];
  #next = 0;

  constructor(patches: readonly Patch[]) {
    this.#patches = patches.filter(({ hunks }) => hunks.length > 0);
  }

  /**
   * Returns the next patches with exactly these numbers of lines, merged. Undefined for this and all later
   * calls if the numbers do not match.
   */
  take({ added, removed }: NonNullable<Counts>): Patch | undefined {
    const taken: Patch = { hunks: [], removed: [] };
    let [addedLeft, removedLeft] = [added, removed];
    // A file that becomes a link has two patches: it is deleted and added.
    while (addedLeft + removedLeft > 0) {
      const patch = this.#patches[this.#next];
      if (patch === undefined) return undefined;
      this.#next += 1;
      for (const { oldCount, newCount } of patch.hunks) {
        addedLeft -= newCount;
        removedLeft -= oldCount;
      }
      if (addedLeft < 0 || removedLeft < 0) {
        this.#next = this.#patches.length;
        return undefined;
      }
      for (const hunk of patch.hunks) taken.hunks.push(hunk);
      for (const line of patch.removed) taken.removed.push(line);
    }
    return taken;
  }
}

/** Reads patches. Each hunk header gives the number of its lines, so their content is not parsed. */
function readPatches(text: string): readonly Patch[] {
  const patches: Patch[] = [];
  let left = 0;
  for (let at = 0; at < text.length;) {
    const until = text.indexOf("\n", at);
    const end = until === -1 ? text.length : until;
    const patch = patches.at(-1);
    if (left === 0) {
      left = readHeader(text.slice(at, Math.min(end, at + MAX_HEADER_LENGTH)), patches);
    } else if (text[at] !== "\\") {
      left -= 1;
      const isRemoved = text[at] === "-" && patch !== undefined;
      if (isRemoved && patch.removed.length < MAX_REMOVED_LINES) {
        patch.removed.push(text.slice(at + 1, end));
      }
    }
    at = end + 1;
  }
  return patches;
}

/** Reads a line between hunks; returns the number of lines of the hunk that follows. */
function readHeader(line: string, patches: Patch[]): number {
  if (line.startsWith("diff --git ")) patches.push({ hunks: [], removed: [] });
  const patch = patches.at(-1);
  if (patch === undefined) return 0;
  const hunk = readHunk(line);
  if (hunk === undefined) return 0;
  patch.hunks.push(hunk);
  return hunk.oldCount + hunk.newCount;
}

function readHunk(line: string): DiffHunk | undefined {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (found === null) return undefined;
  const [, oldStart, oldCount = "1", newStart, newCount = "1"] = found;
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
  };
}

/**
 * Maps a line of the old side to the new side. A replaced line maps to its replacement, at most to the last new
 * line of the hunk.
 */
export function mapOldLine(hunks: readonly DiffHunk[], line: number): number {
  let shift = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    const end = oldCount === 0 ? oldStart : oldStart + oldCount - 1;
    if (line > end) {
      shift += newCount - oldCount;
      continue;
    }
    if (line < oldStart || oldCount === 0) break;
    return Math.min(newStart + (line - oldStart), newStart + Math.max(0, newCount - 1));
  }
  return line + shift;
}
