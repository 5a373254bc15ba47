import { searchPassages } from "../../src/engine/search-passages.ts";
import { searchText } from "../../src/engine/search-text.ts";
import type { SearchRequest, TextRequest } from "../../src/engine/engine.ts";
import type { IndexedTree } from "./indexed-tree.ts";
import { LOCAL } from "./rpc.ts";

const common = { caller: LOCAL, signal: new AbortController().signal };

export function searchIn(
  indexed: IndexedTree,
  query: string,
  more: Partial<SearchRequest> = {},
): ReturnType<typeof searchPassages> {
  const request = { query, limit: 50, maxTokens: 20_000, ...common, ...more };
  return searchPassages(indexed.sight(), request);
}

export function textIn(
  indexed: IndexedTree,
  pattern: string,
  more: Partial<TextRequest> = {},
): ReturnType<typeof searchText> {
  return searchText(indexed.sight(), {
    pattern,
    isRegex: false,
    caseSensitive: false,
    wholeWord: false,
    contextLines: 0,
    output: "matches",
    limit: 500,
    ...common,
    ...more,
  });
}

/** Everything that can be asked of an index, without what differs from one index to another. */
export async function pictureOf(indexed: IndexedTree, words: readonly string[]): Promise<unknown> {
  const { catalog, snapshot } = indexed.sight();
  const live = snapshot.segments.flatMap(({ reader, dead }) =>
    Array.from({ length: reader.files }, (_, at) => at)
      .filter((at) => dead[at] !== 1)
      .map((at) => reader.file(at)),
  );
  const found: unknown[] = [];
  for (const word of words) {
    const { passages } = searchIn(indexed, word);
    const { matches, totalMatches } = await textIn(indexed, word);
    found.push({
      word,
      passages: passages.map(({ path, changed }) => `${path} ${changed}`).toSorted(),
      matches: matches.map(({ path, line, symbol }) => `${path}:${line} ${symbol}`),
      totalMatches,
    });
  }
  return {
    files: catalog
      .files()
      .map(({ path, hash, chunks, symbols, skipped }) => ({ path, hash, chunks, symbols, skipped }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    symbols: live
      .flatMap(({ path }) => catalog.symbolsOfFile(path))
      .map(({ path, qualified, startLine }) => `${path}:${startLine} ${qualified}`)
      .toSorted(),
    indexed: live.map(({ path, language, role }) => `${path} ${language} ${role}`).toSorted(),
    totals: catalog.totals(),
    skipped: catalog.skippedCounts(),
    found,
  };
}
