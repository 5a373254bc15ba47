// The files of an index by how much depends on them.

import type { PageRanks, IndexReader } from "../../index/port.ts";
import { FileFlag } from "../../index/segment/format.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";

export interface RankedIndexFile extends FileFacts {
  /** The most important have the most; files that are not the project's own work have less than any other. */
  readonly rank: number;
  /** Tests, examples, generated files and other people's code. */
  readonly isSecondary: boolean;
}

export interface RankedFiles {
  /** The most important first. */
  readonly files: readonly RankedIndexFile[];
  readonly byPath: ReadonlyMap<string, RankedIndexFile>;
  readonly pageRanks: PageRanks;
}

/** What is written for others to read, to try or by a program: nothing of it comes before the code. */
const SECONDARY_RANK_PENALTY = 1000;
/** What tells of a project as a whole. */
const README = /^(?:.*\/)?readme(?:\.\w+)?$/i;

export async function rankFiles(reader: IndexReader): Promise<RankedFiles> {
  const pageRanks = await reader.pageRanks();
  const files: RankedIndexFile[] = [];
  for await (const file of reader.textCandidates({ kind: "all" }, {})) {
    const isSecondary = isSecondaryFile(file);
    files.push({ ...file, isSecondary, rank: rankOf(file, isSecondary, pageRanks) });
  }
  // They come in the order of their paths, which stays among those of equal weight.
  files.sort((one, other) => other.rank - one.rank);
  return { files, byPath: new Map(files.map((file) => [file.path, file])), pageRanks };
}

function isSecondaryFile({ role, flags }: FileFacts): boolean {
  return (
    role === "tests" || (flags & (FileFlag.generated | FileFlag.example | FileFlag.vendored)) !== 0
  );
}

function rankOf({ path, role }: FileFacts, isSecondary: boolean, pageRanks: PageRanks): number {
  if (role === "docs") return README.test(path) ? 0 : -1;
  const rank = role === "config" ? -2 : pageRanks.fileRank(path);
  return isSecondary ? rank - SECONDARY_RANK_PENALTY : rank;
}
