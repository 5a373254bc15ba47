import { pathsWith, vectorsByPath, look } from "../engine/fixtures/check-index.ts";
import { searchPassages } from "../../src/engine/passages/search-passages.ts";
import { searchText } from "../../src/engine/text-search/search-text.ts";
import type { TextSearchRequest } from "../../src/engine/api/search-text.ts";
import type { SearchRequest } from "../../src/engine/api/search.ts";
import { ALL } from "../../src/index/literal-query.ts";
import type { IndexedTree } from "./indexed-tree.ts";
import { LOCAL } from "./rpc.ts";

const common = { principal: LOCAL, signal: new AbortController().signal };

export async function searchIn(
  indexed: IndexedTree,
  query: string,
  more: Partial<SearchRequest> = {},
): ReturnType<typeof searchPassages> {
  const request = { query, limit: 50, maxTokens: 20_000, ...common, ...more };
  return searchPassages(await indexed.queryContext(), request);
}

export async function textIn(
  indexed: IndexedTree,
  pattern: string,
  more: Partial<TextSearchRequest> = {},
): ReturnType<typeof searchText> {
  return searchText(await indexed.queryContext(), {
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

/** The files that the index finds only by the words of a query. */
export async function wordedIn(indexed: IndexedTree, query: string): Promise<readonly string[]> {
  const { reader, tokenizer } = await indexed.queryContext();
  const terms: string[] = [];
  tokenizer.terms(query, (term) => terms.push(term));
  return (await pathsWith(reader, ...terms)).toSorted();
}

/** Number of files up to which an answer shows all matches. */
const FEW = 50;

/** All content of an index, without the parts that differ from one index to another. */
export async function pictureOf(indexed: IndexedTree, words: readonly string[]): Promise<unknown> {
  const { reader } = await indexed.queryContext();
  const { indexedAt: _when, ...summary } = await reader.summary();
  const files: unknown[] = [];
  for await (const { path, language, role, flags } of reader.textCandidates(ALL, {})) {
    const { hash, stage, chunks, symbols } = (await reader.file(path)) ?? {};
    files.push({ path, language, role, flags, hash, stage, chunks, symbols });
    for (const symbol of await reader.symbolsOf(path)) files.push({ path, symbol });
  }
  const found: unknown[] = [];
  for (const word of words) {
    const { passages } =
      summary.files > FEW ? { passages: [] } : await searchIn(indexed, word, { limit: 150 });
    const { matches, totalMatches } = await textIn(indexed, word);
    found.push({
      word,
      worded: await wordedIn(indexed, word),
      passages: [...new Set(passages.map(({ path, changed }) => `${path} ${changed}`))].toSorted(),
      matches: matches.map(({ path, line, symbol }) => `${path}:${line} ${symbol}`),
      totalMatches,
      named: await reader.symbolsNamed(word, 100),
    });
  }
  const vectors = await look(indexed.data, "project", async (seen) => vectorsByPath(seen));
  return { files, summary, skipped: await reader.skippedFiles(100), found, vectors };
}
