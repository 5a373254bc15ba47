// The tags of the commit that is checked out, read from the files of the repository without starting a process.

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import type { Repository } from "./git.ts";
import { readInside } from "./guarded-read.ts";

const MAX_REFS_BYTES = 1 << 24;
/** Tags in files of their own: git packs them when there are many. */
const MAX_LOOSE_TAGS = 1000;
const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const TAGS = "refs/tags/";

/**
 * Returns the names of the tags at HEAD. An annotated tag is found if it is packed, as it is after a clone: only its object
 * says of which commit it is.
 */
export function tagsAtHead(repository: Repository): readonly string[] {
  const { gitDirectory, commonDirectory, within } = repository;
  const read = (folder: string, name: string): string =>
    readInside(within, join(folder, name), MAX_REFS_BYTES)?.toString("utf8").trim() ?? "";
  const packed = read(commonDirectory, "packed-refs");
  const head = read(gitDirectory, "HEAD");
  const branch = /^ref: (?<name>refs\/[\w./-]+)$/.exec(head)?.groups?.["name"];
  const ofBranch = branch === undefined ? "" : read(commonDirectory, branch);
  const commit = branch === undefined ? head : ofBranch || (idOf(packed, branch) ?? "");
  if (!ID.test(commit)) return [];
  const loose = looseTags(commonDirectory).filter(
    (tag) => read(commonDirectory, TAGS + tag) === commit,
  );
  return [...new Set([...packedTags(packed, commit), ...loose])].toSorted();
}

/** After the line of an annotated tag, another one has the commit: `^id`. */
function packedTags(packed: string, commit: string): readonly string[] {
  const rows = packed.matchAll(
    /^(?<id>[0-9a-f]+) refs\/tags\/(?<tag>.+)(?:\n\^(?<peeled>[0-9a-f]+))?$/gm,
  );
  return [...rows].flatMap(({ groups }) =>
    groups?.["id"] === commit || groups?.["peeled"] === commit ? [groups["tag"] ?? ""] : [],
  );
}

function idOf(packed: string, ref: string): string | undefined {
  const row = packed.split("\n").find((line) => line.endsWith(` ${ref}`));
  return row?.split(" ")[0];
}

function looseTags(commonDirectory: string): readonly string[] {
  try {
    // A tag may be in a folder, as `sub/v1.0.0` of a Go module is; a folder has no commit.
    return readdirSync(toFilePath(join(commonDirectory, TAGS)), { recursive: true })
      .map((name) => String(name).split(sep).join("/"))
      .slice(0, MAX_LOOSE_TAGS);
  } catch {
    return [];
  }
}
