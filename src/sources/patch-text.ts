// Parses patches with their lines: the output of `git log -L` and of `git diff-tree -p --stdin`. The header of a hunk
// gives the number of its lines, and each of them begins with a mark, so no text of a file can pass for a header.

import { pathFromBytes } from "../base/path-bytes.ts";

/** One hunk. Lines are 1-based. A side without lines has count 0 and comes after the line `…Start`. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** What git takes for the definition around it; "" if it finds none. */
  readonly section: string;
  /** Its lines, each with ` `, `+` or `-` before it, without line ends. */
  readonly lines: readonly string[];
}

/** The patch of one file. */
export interface FilePatch {
  /** Path on the new side; undefined for a deleted file, and if there are no hunks. */
  readonly path: string | undefined;
  /** Path on the old side; undefined for an added file, and if there are no hunks. */
  readonly oldPath: string | undefined;
  readonly hunks: readonly PatchHunk[];
  /** For a renamed file, its paths before and after, also without hunks. */
  readonly renamed?: { readonly from: string; readonly to: string } | undefined;
}

/** The patches of one commit. */
export interface CommitPatches {
  /** Full id of the commit. */
  readonly id: string;
  readonly files: readonly FilePatch[];
}

const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const RENAME_FROM = "rename from ";
const RENAME_TO = "rename to ";
/** Longer lines of a file are cut. */
const MAX_LINE_LENGTH = 2000;
/** Paths and section names are shorter; minified text may follow a hunk's header. */
const MAX_HEADER_LENGTH = 10_000;

interface OpenFile {
  path: string | undefined;
  oldPath: string | undefined;
  readonly hunks: (PatchHunk & { readonly lines: string[] })[];
  renamed?: { readonly from: string; readonly to: string };
}

/** Parses the patches of commits. A line with the id of each commit precedes its patches. */
export function parsePatches(text: string): readonly CommitPatches[] {
  const commits: { readonly id: string; readonly files: OpenFile[] }[] = [];
  // Lines of each side that are missing from the current hunk.
  let left = { old: 0, new: 0 };
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const files = commits.at(-1)?.files;
    if (left.old + left.new > 0) {
      const mark = text[at];
      if (mark !== "\\") {
        files
          ?.at(-1)
          ?.hunks.at(-1)
          ?.lines.push(lineAt(text, at, end));
        if (mark !== "+") left.old -= 1;
        if (mark !== "-") left.new -= 1;
      }
    } else {
      const header = text.slice(at, Math.min(end, at + MAX_HEADER_LENGTH));
      if (COMMIT_ID.test(header)) commits.push({ id: header, files: [] });
      else if (files !== undefined) left = readHeader(header, files);
    }
    at = end + 1;
  }
  return commits;
}

function lineAt(text: string, start: number, end: number): string {
  const last = text[end - 1] === "\r" ? end - 1 : end;
  return text.slice(start, Math.min(last, start + MAX_LINE_LENGTH));
}

/** Reads a line between hunks. Returns the number of lines of the hunk that follows. */
function readHeader(line: string, files: OpenFile[]): { old: number; new: number } {
  const none = { old: 0, new: 0 };
  if (line.startsWith("diff --git ")) {
    files.push({ path: undefined, oldPath: undefined, hunks: [] });
    return none;
  }
  const file = files.at(-1);
  if (file === undefined) return none;
  if (line.startsWith("--- ")) file.oldPath = pathIn(line.slice(4));
  else if (line.startsWith("+++ ")) file.path = pathIn(line.slice(4));
  else if (line.startsWith(RENAME_FROM))
    file.renamed = { from: pathFromQuoted(line.slice(RENAME_FROM.length)), to: "" };
  else if (line.startsWith(RENAME_TO) && file.renamed !== undefined)
    file.renamed = { ...file.renamed, to: pathFromQuoted(line.slice(RENAME_TO.length)) };
  const found = HUNK.exec(line);
  if (found === null) return none;
  const [, oldStart, oldCount = "1", newStart, newCount = "1", section = ""] = found;
  const counts = { oldCount: Number(oldCount), newCount: Number(newCount) };
  const starts = { oldStart: Number(oldStart), newStart: Number(newStart) };
  file.hunks.push({ ...starts, ...counts, section: section.trim(), lines: [] });
  return { old: counts.oldCount, new: counts.newCount };
}

/** Reads `a/src/a.ts`, or the same in quotes if the name has special characters; undefined for /dev/null. */
function pathIn(text: string): string | undefined {
  // A tab ends a name with spaces.
  const plain = pathFromQuoted(text.endsWith("\t") ? text.slice(0, -1) : text);
  return /^[ab]\//.test(plain) ? plain.slice(2) : undefined;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
};

/** Returns a path as git writes it: plain, or in quotes with the escapes of C if it has special characters. */
export function pathFromQuoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [part, escaped] of name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs)) {
    if (escaped === undefined) bytes.push(...Buffer.from(part));
    else if (/^\d/.test(escaped)) bytes.push(Number.parseInt(escaped, 8) & 0xff);
    else bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0));
  }
  return pathFromBytes(Uint8Array.from(bytes));
}
