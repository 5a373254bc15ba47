import { searchPassages } from "../../src/engine/search-passages.ts";
import { searchText } from "../../src/engine/search-text.ts";
import type { SearchRequest, TextRequest } from "../../src/engine/engine.ts";
import { ALL } from "../../src/index/literal-query.ts";
import type { IndexedTree } from "./indexed-tree.ts";
import { LOCAL } from "./rpc.ts";

const common = { caller: LOCAL, signal: new AbortController().signal };

export async function searchIn(
  indexed: IndexedTree,
  query: string,
  more: Partial<SearchRequest> = {},
): ReturnType<typeof searchPassages> {
  const request = { query, limit: 50, maxTokens: 20_000, ...common, ...more };
  return searchPassages(await indexed.sight(), request);
}

export async function textIn(
  indexed: IndexedTree,
  pattern: string,
  more: Partial<TextRequest> = {},
): ReturnType<typeof searchText> {
  return searchText(await indexed.sight(), {
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
  const { reader } = await indexed.sight();
  const { indexedAt: _when, ...summary } = await reader.summary();
  const files: unknown[] = [];
  for await (const { path, language, role, flags } of reader.textCandidates(ALL, {})) {
    const { hash, stage, chunks, symbols } = (await reader.file(path)) ?? {};
    files.push({ path, language, role, flags, hash, stage, chunks, symbols });
    for (const symbol of await reader.symbolsOf(path)) files.push({ path, symbol });
  }
  const found: unknown[] = [];
  for (const word of words) {
    const { passages } = await searchIn(indexed, word);
    const { matches, totalMatches } = await textIn(indexed, word);
    found.push({
      word,
      passages: passages.map(({ path, changed }) => `${path} ${changed}`).toSorted(),
      matches: matches.map(({ path, line, symbol }) => `${path}:${line} ${symbol}`),
      totalMatches,
      named: await reader.symbolsNamed(word, 100),
      paths: await reader.pathsNamed(word, 100),
    });
  }
  return { files, summary, skipped: await reader.skippedFiles(100), found };
}
