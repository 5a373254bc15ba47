// The files of an index, sorted by importance.

import type { PageRanks, IndexReader, IndexVersion } from "../../index/port.ts";
import { FileFlag, type FileFacts, type SymbolFacts } from "../../index/types.ts";
import type { VersionCache } from "../version-cache.ts";

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

/** Returns a function that ranks files as `rankFiles` does; all files of a version of an index only once. */
export function rankOnce(
  known: VersionCache<RankedFiles>,
  { namespace, version }: { readonly namespace: string; readonly version: IndexVersion },
  open: () => Promise<IndexReader>,
): (path: string) => Promise<RankedFiles> {
  return async (path) =>
    path === ""
      ? known.get(namespace, version, async () => rankFiles(await open()))
      : rankFiles(await open(), path);
}

/** Ranks the files of a folder and its subfolders, or one file. `path`: "" for all files. */
export async function rankFiles(reader: IndexReader, path = ""): Promise<RankedFiles> {
  const pageRanks = await reader.pageRanks();
  const files: RankedIndexFile[] = [];
  for await (const file of filesAt(reader, path)) {
    const isSecondary = isSecondaryFile(file);
    files.push({ ...file, isSecondary, rank: rankOf(file, isSecondary, pageRanks) });
  }
  // Files come sorted by path, and the stable sort keeps this order for equal ranks.
  files.sort((one, other) => other.rank - one.rank);
  return { files, byPath: new Map(files.map((file) => [file.path, file])), pageRanks };
}

/** Files come in path order, those of a folder one after the other: others are not read. */
async function* filesAt(reader: IndexReader, path: string): AsyncGenerator<FileFacts> {
  if (path === "") {
    yield* reader.textCandidates({ kind: "all" }, {});
    return;
  }
  for await (const file of reader.textCandidates({ kind: "all" }, { after: justBefore(path) })) {
    if (file.path !== path) break;
    yield file;
    return;
  }
  for await (const file of reader.textCandidates({ kind: "all" }, { after: `${path}/` })) {
    if (!file.path.startsWith(`${path}/`)) return;
    yield file;
  }
}

/** Returns a text that comes after all paths that come before this one. */
function justBefore(path: string): string {
  const last = path.length - 1;
  return `${path.slice(0, last)}${String.fromCharCode(path.charCodeAt(last) - 1)}\u{ffff}`;
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
