// Several indexes read as one give the same results as one index with all their files.
import { beforeAll, expect, test } from "vitest";

import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { MultiReader, splitNamespace } from "../../../src/index/multi/multi-reader.ts";
import { literal } from "../../../src/index/literal-query.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";
import { parseQuery } from "../../../src/search/parse-query.ts";
import { rank as rankFiles, type Ranking } from "../../../src/search/rank.ts";
import { differences } from "../../helpers/differences.ts";
import { queryOf, readerOf, resultsOf } from "../../helpers/equal-readers.ts";
import { sourcesOfSvc, writeSources, type IndexedSources } from "../../helpers/sources-of-svc.ts";

/** No question has these words: the name of a namespace is part of a path, and so of the words of a file. */
const ONE = "qqone";
const OTHER = "qqother";

let multi: MultiReader;
let whole: IndexReader;
let paths: readonly string[];

async function indexOf(sources: IndexedSources): Promise<IndexReader> {
  const backend = new MemoryBackend();
  await writeSources(backend, sources);
  return readerOf(backend);
}

async function constructorsIn(
  reader: Pick<IndexReader, "symbolsNamed">,
): Promise<readonly string[]> {
  const found = await reader.symbolsNamed("constructor", 20);
  return found.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`);
}

async function candidatesAfter(last: string | undefined): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { path } of multi.textCandidates(literal("import"), { after: last }))
    found.push(path);
  return found;
}

beforeAll(async () => {
  const sources = await sourcesOfSvc({ every: 12 });
  const half = sources.entries.length >> 1;
  const placed = sources.entries.map((entry, at) => ({
    ...entry,
    state: { ...entry.state, path: `${at < half ? ONE : OTHER}/${entry.state.path}` },
    content: { ...entry.content, path: `${at < half ? ONE : OTHER}/${entry.content.path}` },
  }));
  paths = placed.map(({ state }) => state.path);
  whole = await indexOf({ ...sources, entries: placed });
  multi = new MultiReader([
    {
      namespace: OTHER,
      reader: await indexOf({ ...sources, entries: sources.entries.slice(half) }),
    },
    {
      namespace: ONE,
      reader: await indexOf({ ...sources, entries: sources.entries.slice(0, half) }),
    },
  ]);
}, 60_000);

test("candidates have the scores and the order of one index, to the last bit", async () => {
  const questions = ["page rank of a file", "read a text file", "limit", "IndexReader candidates"];
  for (const question of questions) {
    // Vectors contain the words of paths, so those of files in another folder differ.
    const query = { ...queryOf(question), vector: undefined };
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const [expected, actual] = [await resultsOf(whole, query), await resultsOf(multi, query)];
    expect(JSON.stringify(expected)).toContain(`${ONE}/`);
    expect(JSON.stringify(expected)).toContain(`${OTHER}/`);
    expect(differences(expected, actual)).toEqual([]);
    const chosen = { ...query, paths: new Set(paths.filter((_, at) => at % 2 === 0)) };
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(differences(await resultsOf(whole, chosen), await resultsOf(multi, chosen))).toEqual([]);
  }
});

function resultConfidences({ files, confidence }: Ranking): readonly number[] {
  return files.map(({ score }) => confidence.ofResult(score));
}

async function rankings(question: string): Promise<readonly [Ranking, Ranking]> {
  const query = parseQuery(question, createTokenizer());
  return [await rankFiles(whole, query, { limit: 5 }), await rankFiles(multi, query, { limit: 5 })];
}

test("answers have the confidence of one index", async () => {
  for (const question of ["page rank of a file", "IndexReader", "kubernetes pods on a node"]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const [one, several] = await rankings(question);
    expect(several.signals).toEqual(one.signals);
    expect(several.confidence.value).toBe(one.confidence.value);
  }
});

// Each namespace has its own page ranks, which count for a single name.
test("results have the confidence of one index, apart from those for a single name", async () => {
  for (const question of ["page rank of a file", "kubernetes pods on a node"]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const [one, several] = await rankings(question);
    expect(resultConfidences(several)).toEqual(resultConfidences(one));
  }
});

test("vectors are compared in all of them, and a filter sees the path in its namespace", async () => {
  const seen = new Set<string>();
  const { files, maxSimilarity } = await multi.candidates({
    ...queryOf("compute the page rank of files"),
    filter: ({ path }) => {
      seen.add(path);
      return true;
    },
  });
  expect(maxSimilarity).toBeGreaterThan(0.2);
  expect(new Set(files.map(({ file }) => splitNamespace(file.path).namespace))).toEqual(
    new Set([ONE, OTHER]),
  );
  expect([...seen].every((path) => path.startsWith("src/"))).toBe(true);
});

test("counts, statistics and names are those of one index", async () => {
  const terms = ["rank", "path", "nothinghasthis"];
  expect(await multi.termCounts(terms)).toEqual(await whole.termCounts(terms));
  expect(await multi.corpusStats()).toEqual(await whole.corpusStats());
  expect(await multi.usingFiles("path")).toBe(await whole.usingFiles("path"));
  expect(await constructorsIn(multi)).toEqual(await constructorsIn(whole));
  expect((await constructorsIn(multi)).length).toBeGreaterThan(3);
  const names = (await multi.segmentSymbols()).map(({ prefix }) => prefix);
  expect(new Set(names)).toEqual(new Set([`${ONE}/`, `${OTHER}/`]));
});

test("text candidates come in the order of paths, and go on after any of them", async () => {
  const all = await candidatesAfter(undefined);
  expect(all.length).toBeGreaterThan(20);
  expect(all).toEqual(all.toSorted());
  for (const at of [0, 5, all.length - 2, all.length - 1])
    expect(await candidatesAfter(all[at])).toEqual(all.slice(at + 1));
});

test("a file is found under its path, and its rank is that of its namespace", async () => {
  const [path = ""] = paths;
  expect((await multi.file(path))?.path).toBe(path);
  expect((await multi.factsOf(path))?.path).toBe(path);
  expect(await multi.symbolsOf(path)).toEqual(await whole.symbolsOf(path));
  const ranks = await multi.pageRanks();
  expect(paths.map(ranks.fileRank).some((rank) => rank > 0)).toBe(true);
  expect(ranks.fileRank("nothing/a.ts")).toBe(0);
  expect(ranks.symbolRank("nothing/a.ts", 0)).toBe(0);
  for (const absent of ["nothing/a.ts", `${ONE}/nothing.ts`, "nothing"]) {
    // oxlint-disable-next-line no-await-in-loop -- in memory
    expect(await multi.file(absent)).toBeUndefined();
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await multi.symbolsOf(absent)).toEqual([]);
  }
});
