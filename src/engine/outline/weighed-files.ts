// The files of an index by how much depends on them.

import type { Importance, IndexReader } from "../../index/backend.ts";
import { FileFlag } from "../../index/segment/format.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";

export interface WeighedFile extends FileFacts {
  /** The most important have the most; files that are not the project's own work have less than any other. */
  readonly weight: number;
}

export interface WeighedFiles {
  /** The most important first. */
  readonly files: readonly WeighedFile[];
  readonly byPath: ReadonlyMap<string, WeighedFile>;
  readonly importance: Importance;
}

/** What is written for others to read, to try or by a program: nothing of it comes before the code. */
const BEHIND = 1000;
/** What tells of a project as a whole. */
const READ_ME = /^(?:.*\/)?readme(?:\.\w+)?$/i;

export async function weighedFiles(reader: IndexReader): Promise<WeighedFiles> {
  const importance = await reader.importance();
  const files: WeighedFile[] = [];
  for await (const file of reader.textCandidates({ kind: "all" }, {})) {
    files.push({ ...file, weight: weightOf(file, importance) });
  }
  // They come in the order of their paths, which stays among those of equal weight.
  files.sort((one, other) => other.weight - one.weight);
  return { files, byPath: new Map(files.map((file) => [file.path, file])), importance };
}

function weightOf({ path, role, flags }: FileFacts, importance: Importance): number {
  if (role === "docs") return READ_ME.test(path) ? 0 : -1;
  const isAside =
    role === "tests" || (flags & (FileFlag.generated | FileFlag.example | FileFlag.vendored)) !== 0;
  const weight = role === "config" ? -2 : importance.file(path);
  return isAside ? weight - BEHIND : weight;
}
