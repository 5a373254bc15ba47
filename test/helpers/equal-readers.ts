// Compares readers of the same files: all their results must be equal, to the last bit of each number.

import { expect } from "vitest";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { foldText } from "../../src/index/fold-text.ts";
import {
  allOf,
  anyOf,
  literal,
  satisfies,
  type LiteralQuery,
} from "../../src/index/literal-query.ts";
import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import type { CandidateQuery } from "../../src/index/scoring/candidates.ts";
import type { FileFacts, FileRow } from "../../src/index/types.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { authorized } from "./authorized.ts";
import { differences } from "./differences.ts";
import { WEIGHTS } from "./expect-candidates.ts";

export const NAMESPACE = "n";

/** Questions that have words of both projects; some have none. */
const QUESTIONS = [
  "how is a request routed to its handler",
  "render json",
  "validate the binding of a form",
  "basic auth",
  "recover from a panic",
  "where are tokens revoked",
  "merge segments",
  "which files are ignored by gitignore",
  "cosine similarity of chunks",
  "page rank of a file",
  "write the audit log",
  "limit concurrent calls",
  "parse a query into terms",
  "symbols of a file by line",
  "middleware",
  "Größe",
  "x",
  "zzz nothing has these words qqq",
  "RouterGroup",
  "IndexReader textCandidates",
];

/** A reader, and the files that it reads. */
export interface Reading {
  readonly reader: IndexReader;
  /** Texts of the indexed files by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export async function readerOf(backend: IndexBackend): Promise<IndexReader> {
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("nothing is indexed yet");
  return reader;
}

const embedder = new QueryEmbedder(packedEmbeddings);
const tokenizer = createTokenizer();

export function queryOf(question: string): CandidateQuery {
  const { terms } = parseQuery(question, tokenizer);
  return { terms, vector: embedder.embed(question), weights: WEIGHTS, limit: 150 };
}

/** Returns all results of a query, with their chunks. */
export async function resultsOf(
  reader: Pick<IndexReader, "candidates">,
  query: CandidateQuery,
): Promise<unknown> {
  const { files, ...rest } = await reader.candidates(query);
  const shown = files.map(async ({ chunks, scores: _scores, ...file }) => ({
    ...file,
    chunks: await chunks(),
  }));
  return { ...rest, files: await Promise.all(shown) };
}

/** The paths of the candidates whose text really satisfies the query. */
async function matchesOf({ reader, texts }: Reading, query: LiteralQuery): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(query, {})) {
    if (satisfies(foldText(texts.get(path) ?? ""), query)) paths.push(path);
  }
  return paths;
}

function isCode({ role }: FileFacts): boolean {
  return role === "code";
}

/** Compares the candidates of all questions, with terms and vectors, only terms, and with a filter and a limit. */
async function expectEqualCandidates(one: IndexReader, other: IndexReader): Promise<void> {
  const queries = QUESTIONS.flatMap((question) => {
    const query = queryOf(question);
    return [query, { ...query, vector: undefined }, { ...query, filter: isCode, limit: 7 }];
  });
  expect(queries).toHaveLength(60);
  let found = 0;
  let similar = 0;
  for (const query of queries) {
    // oxlint-disable-next-line no-await-in-loop -- a reader answers one query at a time
    const [expected, actual] = await Promise.all([resultsOf(one, query), resultsOf(other, query)]);
    expect(differences(expected, actual)).toEqual([]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { files, maxSimilarity } = await one.candidates(query);
    found += files.length;
    if (maxSimilarity > 0.2) similar += 1;
  }
  expect(found).toBeGreaterThan(300);
  expect(similar).toBeGreaterThan(20);
}

/** Compares all data that depends on names: symbols, uses and references of each file. */
async function expectEqualNames(
  one: IndexReader,
  other: IndexReader,
  paths: readonly string[],
): Promise<void> {
  const same = async (read: (reader: IndexReader) => Promise<unknown>): Promise<void> => {
    expect(differences(await read(one), await read(other))).toEqual([]);
  };
  const names = new Set<string>();
  const modules = new Set<string>();
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- a real project has hundreds of files
    const [symbols, { uses, imports }] = await Promise.all([
      one.symbolsOf(path),
      one.referencesOf(path),
    ]);
    for (const { name } of symbols) names.add(name);
    for (const { name } of uses.slice(0, 20)) names.add(name);
    for (const { module } of imports) modules.add(module.split(/[/.:]+/).at(-1) ?? "");
    // oxlint-disable-next-line no-await-in-loop -- as above
    await same(async (reader) => [
      await reader.symbolsOf(path),
      await reader.referencesOf(path),
      await reader.scopeOf(path),
      await reader.inheritsOf(path),
      await reader.importsOf(path),
      await reader.includesOf(path),
      await reader.numberedSymbolsOf(path),
      await reader.factsOf(path),
    ]);
  }
  const some = [...names].filter((_, at) => at % Math.ceil(names.size / 150) === 0);
  expect(some.length).toBeGreaterThan(60);
  for (const name of some) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    await same(async (reader) => [
      await reader.symbolsNamed(name, 50),
      await reader.symbolsNamed(name.toUpperCase(), 3),
      await reader.usesOf(name),
      await reader.usingFiles(name),
      await reader.definitionsOf(name),
    ]);
  }
  for (const module of modules) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    await same((reader) => reader.importersOf(module));
  }
}

/** Compares the data about the whole project, and the ranks of all files and symbols. */
async function expectEqualProjects(
  one: IndexReader,
  other: IndexReader,
  paths: readonly string[],
): Promise<void> {
  const picture = async (reader: IndexReader): Promise<unknown> => {
    const [ranks, tree_, { indexedAt: _at, ...summary }] = await Promise.all([
      reader.pageRanks(),
      reader.fileTree(),
      reader.summary(),
    ]);
    const ofFiles = paths.map(async (path) => {
      const symbols = await reader.symbolsOf(path);
      return [
        path,
        ranks.fileRank(path),
        symbols.map((_, number) => ranks.symbolRank(path, number)),
        rowIn(await reader.file(path)),
      ];
    });
    const { code, languages } = await reader.corpusStats();
    return {
      files: await Promise.all(ofFiles),
      corpus: [code, ...languages],
      folders: [tree_.filesIn(""), tree_.foldersIn(""), tree_.named("index.ts")],
      rankVersion: await reader.rankVersion(),
      summary,
    };
  };
  expect(differences(await picture(one), await picture(other))).toEqual([]);
  const ranks = await one.pageRanks();
  expect(new Set(paths.map((path) => ranks.fileRank(path))).size).toBeGreaterThan(5);
}

/** The fields of a row, without the time of reading and those that only one backend has. */
const ROW_FIELDS = [
  "path",
  "source",
  "size",
  "mtimeMs",
  "inode",
  "hash",
  "language",
  "role",
  "flags",
  "stage",
  "chunks",
  "symbols",
  "skipped",
  "problem",
  "hasContent",
] as const satisfies readonly (keyof FileRow)[];

function rowIn(row: FileRow | undefined): readonly unknown[] {
  return ROW_FIELDS.map((field) => [field, row?.[field]]);
}

const LITERALS: readonly LiteralQuery[] = [
  literal("func "),
  literal("RETURN"),
  literal("engine"),
  literal("no file has this text"),
  allOf([literal("json"), literal("error")]),
  anyOf([literal("panic"), literal("abort")]),
  allOf([literal("import"), anyOf([literal("strings"), literal("sqlite")])]),
];

/** Compares all results of two readers. */
export async function expectEqual(one: Reading, other: Reading): Promise<void> {
  const paths = [...one.texts.keys()];
  await expectEqualCandidates(one.reader, other.reader);
  await expectEqualNames(one.reader, other.reader, paths);
  await expectEqualProjects(one.reader, other.reader, paths);
  for (const query of LITERALS) {
    // oxlint-disable-next-line no-await-in-loop -- one scan after the other
    const [expected, actual] = await Promise.all([matchesOf(one, query), matchesOf(other, query)]);
    expect(actual).toEqual(expected);
    const all = [...one.texts].filter(([, text]) => satisfies(foldText(text), query));
    expect(expected).toEqual(all.map(([path]) => path).toSorted());
  }
}
