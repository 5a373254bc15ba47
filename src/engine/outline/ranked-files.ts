// The files of an index, sorted by importance.

import type { PageRanks, IndexReader } from "../../index/port.ts";
import { FileFlag, type FileFacts, type SymbolFacts } from "../../index/types.ts";

export interface RankedIndexFile extends FileFacts {
  /** Higher is more important. Tests, generated, example and vendored files have the lowest. */
  readonly rank: number;
  /** Tests, examples, generated files and other people's code. */
  readonly isSecondary: boolean;
}

/** First and last line of a part that matches a question, from 1. */
export type MatchedLines = readonly [number, number];

/** Returns what a question adds to the rank of a definition in a file; 0 if it is not about it. */
export type OutlineFocus = (
  path: string,
  symbol: Pick<SymbolFacts, "name" | "startLine" | "endLine">,
) => number;

export interface RankedFiles {
  /** Most important first. */
  readonly files: readonly RankedIndexFile[];
  readonly byPath: ReadonlyMap<string, RankedIndexFile>;
  readonly pageRanks: PageRanks;
  readonly focus?: OutlineFocus;
}

/** Penalty for tests, generated, example and vendored files, which never come before code. */
const SECONDARY_RANK_PENALTY = 1000;
/** Readme files, which describe a project or a folder. */
const README = /^(?:.*\/)?readme(?:\.\w+)?$/i;

export async function rankFiles(reader: IndexReader): Promise<RankedFiles> {
  const pageRanks = await reader.pageRanks();
  const files: RankedIndexFile[] = [];
  for await (const file of reader.textCandidates({ kind: "all" }, {})) {
    const isSecondary = isSecondaryFile(file);
    files.push({ ...file, isSecondary, rank: rankOf(file, isSecondary, pageRanks) });
  }
  // Files come sorted by path, and the stable sort keeps this order for equal ranks.
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
