// Both backends give the same results for the same files, to the last bit of each number.
import { documentsInMemory } from "../../src/sources/text/document-store.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { runIndexJob } from "../../src/engine/indexing/run-index-job.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import type { FileInput, FileState } from "../../src/index/types.ts";
import { createTokenizer, withPrefixes } from "../../src/parse/tokenizer.ts";
import { plainFile } from "../engine/fixtures/plain-file.ts";
import { WEIGHTS } from "../helpers/expect-candidates.ts";
import { differences } from "../helpers/differences.ts";
import { expectEqual, NAMESPACE, readerOf, resultsOf } from "../helpers/equal-readers.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";
import { someFiles } from "../helpers/segments.ts";
import { sourcesOfSvc, writeSources } from "../helpers/sources-of-svc.ts";
import { MULTILINGUAL, MULTILINGUAL_QUESTIONS } from "../helpers/multilingual-files.ts";
import { tree } from "../helpers/tree.ts";
import { questionOf, SMALL } from "../helpers/vectors.ts";

const GIN = join(import.meta.dirname, "../engine/fixtures/gin");

const tokenizer = createTokenizer();

function embeddedBackend(): EmbeddedBackend {
  const { path, dispose } = tree();
  const backend = new EmbeddedBackend(path);
  onTestFinished(() => {
    backend.close();
    dispose();
  });
  return backend;
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
    const texts = documentsInMemory().archiveOf(NAMESPACE);
    const hooks = { index: backend, grammars: packedGrammars, embeddings: packedEmbeddings, texts };
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
  // The backend in memory looks through all files for each name: with all sources that would be most of the time.
  const sources = await sourcesOfSvc({ every: 4 });
  expect(sources.texts.size).toBeGreaterThan(180);
  const [one, other] = [embeddedBackend(), new MemoryBackend()];
  await writeSources(one, sources);
  await writeSources(other, sources);
  const { texts } = sources;
  await expectEqual(
    { reader: await readerOf(one), texts },
    { reader: await readerOf(other), texts },
  );
});

test("documentation in many languages", { timeout: 60_000 }, async () => {
  const { path, dispose } = tree(MULTILINGUAL);
  onTestFinished(dispose);
  const backends = [embeddedBackend(), new MemoryBackend()] as const;
  const job = {
    namespace: NAMESPACE,
    sources: [sourceAt(path, { namespace: NAMESPACE })],
    rebuild: false,
    waitMs: 0,
  };
  const terms = new Set<string>();
  for (const text of [...Object.values(MULTILINGUAL), ...MULTILINGUAL_QUESTIONS.flat()]) {
    withPrefixes(tokenizer).terms(text, (term) => terms.add(term));
  }
  const counts: (readonly number[])[] = [];
  for (const backend of backends) {
    const texts = documentsInMemory().archiveOf(NAMESPACE);
    const hooks = { index: backend, grammars: packedGrammars, embeddings: packedEmbeddings, texts };
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    expect(await runIndexJob(job, hooks)).toMatchObject({ outcome: "done" });
    // oxlint-disable-next-line no-await-in-loop -- as above
    counts.push(await (await readerOf(backend)).termCounts([...terms]));
  }
  expect(counts[1]).toEqual(counts[0]);
  const countOf = (term: string): number => counts[0]?.[[...terms].indexOf(term)] ?? 0;
  // German and Polish pages have prefixes; English ones have none.
  expect(["druck~", "uzytk~", "archi~", "appli~"].map(countOf)).toEqual([1, 1, 1, 0]);
});
