// Orders an outline by a query: files that a search finds come first, and in each file the definitions in the matching
// parts. The rest keeps its order by importance.

import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { Query } from "../../search/parse-query.ts";
import type { FileFilter, Ranking } from "../../search/rank.ts";
import { prepareQuery } from "../passages/search-passages.ts";
import type { MatchedLines, OutlineFocus, RankedFiles, RankedIndexFile } from "./ranked-files.ts";

/** Number of files from the search that come before the others. */
const FOCUSED_FILES = 60;
/** Above the ranks of importance, which are below 256. */
const FIRST_RANK = 10_000;
/** Larger than what an outline takes off for each further file of a folder: the order of the search stays. */
const RANK_STEP = 100;
/** Ranks of a definition in lines that match, and for each word of the question in its name; 16 doubles the importance. */
const LINES_BONUS = 512;
const WORD_BONUS = 128;

type SearchContext = Parameters<typeof prepareQuery>[0];

/** Returns the files with those first that a search for the question finds, best first, among those of the filter. */
export async function focusOutline(
  context: SearchContext,
  files: RankedFiles,
  { query: question, filter }: { readonly query: string; readonly filter: FileFilter },
): Promise<RankedFiles> {
  const { query, rank } = await prepareQuery(context, { query: question });
  const found = await rank({ limit: FOCUSED_FILES, filter });
  const focused = new Map<string, RankedIndexFile>();
  for (const { file } of found.files) {
    const known = files.byPath.get(file.path);
    if (known === undefined) continue;
    const position = FIRST_RANK - RANK_STEP * focused.size;
    focused.set(file.path, { ...known, isSecondary: false, rank: position });
  }
  const others = files.files.filter(({ path }) => !focused.has(path));
  const all = [...focused.values(), ...others];
  const byPath = new Map(all.map((file) => [file.path, file]));
  return { ...files, files: all, byPath, focus: focusOf(found, query, context.tokenizer) };
}

function focusOf({ files }: Ranking, { terms }: Query, tokenizer: Tokenizer): OutlineFocus {
  const lines = new Map<string, readonly MatchedLines[]>();
  for (const { file, chunks } of files) {
    lines.set(
      file.path,
      chunks.map(({ chunk: { startLine, endLine } }) => [startLine, endLine]),
    );
  }
  return (path, { name, startLine, endLine }) => {
    const isFound = lines.get(path)?.some(([first, last]) => startLine <= last && endLine >= first);
    if (isFound !== true) return 0;
    const words = new Set(tokenizer.split(name).filter((word) => terms.has(word)));
    return LINES_BONUS + WORD_BONUS * words.size;
  };
}
