// Both backends give the same results for the same files, to the last bit of each number.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { chunkFile, needsSyntax } from "../../src/chunk/chunk.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { indexEntry } from "../../src/engine/indexing/index-entry.ts";
import { runIndexJob } from "../../src/engine/indexing/run-index-job.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { foldText } from "../../src/index/fold-text.ts";
import {
  allOf,
  anyOf,
  literal,
  satisfies,
  type LiteralQuery,
} from "../../src/index/literal-query.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import type { CandidateQuery } from "../../src/index/scoring/candidates.ts";
import type { FileFacts, FileInput, FileRow, FileState } from "../../src/index/types.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { plainFile } from "../engine/fixtures/plain-file.ts";
import { authorized } from "../helpers/authorized.ts";
import { WEIGHTS } from "../helpers/expect-candidates.ts";
import { differences } from "../helpers/differences.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";
import { someFiles } from "../helpers/segments.ts";
import { tree } from "../helpers/tree.ts";
import { questionOf, SMALL } from "../helpers/vectors.ts";

const NAMESPACE = "n";
const CHECKOUT = join(import.meta.dirname, "../..");
const GIN = join(import.meta.dirname, "../engine/fixtures/gin");

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

interface Reading {
  readonly reader: IndexReader;
  /** Texts of the indexed files by path. */
  readonly texts: ReadonlyMap<string, string>;
}

async function readerOf(backend: IndexBackend): Promise<IndexReader> {
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("nothing is indexed yet");
  return reader;
}

function embeddedBackend(): EmbeddedBackend {
  const { path, dispose } = tree();
  const backend = new EmbeddedBackend(path);
  onTestFinished(() => {
    backend.close();
    dispose();
  });
  return backend;
}

const embedder = new QueryEmbedder(packedEmbeddings);
const tokenizer = createTokenizer();

function queryOf(question: string): CandidateQuery {
  const { terms } = parseQuery(question, tokenizer);
  return { terms, vector: embedder.embed(question), weights: WEIGHTS, limit: 150 };
}

async function resultsOf(reader: IndexReader, query: CandidateQuery): Promise<unknown> {
  const { files, ...rest } = await reader.candidates(query);
  const shown = files.map(async ({ chunks, ...file }) => ({ ...file, chunks: await chunks() }));
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

/** Compares everything that depends on names: symbols, uses and references of each file. */
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

/** Compares what is known of the whole project, and the ranks of all files and symbols. */
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

async function expectEqual(one: Reading, other: Reading): Promise<void> {
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

test("a difference in the last bit is found", () => {
  expect(differences({ a: [0.3] }, { a: [0.1 + 0.2] })).toEqual([
    "it.a.0: 0.3, 0.30000000000000004",
  ]);
  expect(differences([0], [-0])).toHaveLength(1);
  expect(differences({ a: new Uint8Array([1]) }, { a: new Uint8Array([1]), b: undefined })).toEqual(
    [],
  );
});

test("any files", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(someFiles(5), async (files) => {
      const write = async (backend: IndexBackend): Promise<IndexReader> => {
        const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: SMALL });
        if (writer === undefined) throw new Error("another is writing");
        for (const content of files) writer.add(stateOf(content), content);
        await writer.commit();
        await writer.computePageRank();
        await writer.close();
        return readerOf(backend);
      };
      const one = await write(embeddedBackend());
      const other = await write(new MemoryBackend());
      expect(differences(await everythingOf(one, files), await everythingOf(other, files))).toEqual(
        [],
      );
    }),
    { numRuns: 60 },
  );
});

function stateOf({ path, language, role, flags, chunks, symbols }: FileInput): FileState {
  const counts = { chunks: chunks.length, symbols: symbols.length };
  return { ...plainFile(path, "").state, language, role, flags, ...counts };
}

/** What a reader returns of these files, for all their names, modules and some terms. */
async function everythingOf(reader: IndexReader, files: readonly FileInput[]): Promise<unknown> {
  const symbols = files.flatMap((file) => file.symbols.map(({ name }) => name));
  const uses = files.flatMap(({ references }) => references.uses.map(({ name }) => name));
  const imports = files.flatMap(({ references }) => references.imports);
  const parts = imports.flatMap(({ module }) => module.split(/[/.:\\]+/));
  const names = [...new Set([...symbols, ...uses, ...parts])];
  const texts = files.flatMap((file) => file.chunks.flatMap((chunk) => chunk.names));
  const terms = new Set<string>();
  for (const text of [...names, ...texts]) tokenizer.terms(text, (term) => terms.add(term));
  const ranks = await reader.pageRanks();
  return {
    files: await Promise.all(
      files.map(async ({ path }) => [
        await reader.symbolsOf(path),
        await reader.referencesOf(path),
        await reader.scopeOf(path),
        ranks.fileRank(path),
      ]),
    ),
    names: await Promise.all(
      names.map(async (name) => [
        await reader.symbolsNamed(name, 50),
        await reader.usesOf(name),
        await reader.usingFiles(name),
        await reader.importersOf(name),
      ]),
    ),
    counts: await reader.termCounts([...terms]),
    results: [
      await resultsOf(reader, {
        terms: new Map(Array.from(terms, (term) => [term, 1])),
        vector: questionOf("parse config user token", SMALL),
        weights: WEIGHTS,
        limit: 100,
      }),
    ],
  };
}

test("an indexing run of a Go project", { timeout: 60_000 }, async () => {
  const backends = [embeddedBackend(), new MemoryBackend()] as const;
  const job = {
    namespace: NAMESPACE,
    sources: [sourceAt(GIN, { namespace: NAMESPACE })],
    rebuild: false,
    waitMs: 0,
  };
  for (const backend of backends) {
    const hooks = { index: backend, grammars: packedGrammars, embeddings: packedEmbeddings };
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    expect(await runIndexJob(job, hooks)).toMatchObject({ outcome: "done" });
  }
  const readers = [await readerOf(backends[0]), await readerOf(backends[1])] as const;
  const texts = new Map<string, string>();
  for await (const { path } of readers[0].textCandidates({ kind: "all" }, {})) {
    texts.set(path, readFileSync(join(GIN, path), "utf8"));
  }
  expect(texts.size).toBeGreaterThan(10);
  await expectEqual({ reader: readers[0], texts }, { reader: readers[1], texts });
  // With several segments the order depends on them.
  for (const prefix of ["", "ren", "B", "Rout", "zzz"]) {
    // oxlint-disable-next-line no-await-in-loop -- one prefix after the other
    const [expected, actual] = await Promise.all(readers.map((one) => one.symbolNames(prefix, 40)));
    expect(actual).toEqual(expected);
  }
});

test("the sources of svc, in several commits", { timeout: 120_000 }, async () => {
  const texts = new Map(
    readdirSync(join(CHECKOUT, "src"), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((file) => [relative(CHECKOUT, file), readFileSync(file, "utf8")]),
  );
  const grammars = await packedGrammars();
  const entries = Array.from(texts, ([path, text], at) =>
    indexEntry(
      {
        source: 1,
        path,
        pathInSource: path,
        text,
        bytes: Buffer.from(text),
        hash: String(at),
        generated: false,
        times: { size: Buffer.byteLength(text), mtimeMs: at, inode: at, indexedMs: at },
      },
      { chunkFile, needsSyntax },
      grammars,
    ),
  );
  const read = async (backend: IndexBackend): Promise<Reading> => {
    const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: packedEmbeddings });
    if (writer === undefined) throw new Error("another is writing");
    for (const [at, { state, content }] of entries.entries()) {
      writer.add(state, content);
      // oxlint-disable-next-line no-await-in-loop -- three segments, which are not merged
      if (at % Math.ceil(entries.length / 3) === 0) await writer.commit();
    }
    await writer.commit();
    expect(await writer.computePageRank()).toBe(true);
    await writer.close();
    return { reader: await readerOf(backend), texts };
  };
  await expectEqual(await read(embeddedBackend()), await read(new MemoryBackend()));
});
