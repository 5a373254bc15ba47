// Both backends give the same results for the same files, to the last bit of each number.
import { documentsInMemory } from "../../src/sources/text/document-store.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { runIndexJob } from "../../src/engine/indexing/run-index-job.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import { createTokenizer, withPrefixes } from "../../src/parse/tokenizer.ts";
import { differences } from "../helpers/differences.ts";
import { expectEqual, NAMESPACE, readerOf } from "../helpers/equal-readers.ts";
import { indexInFiles } from "../helpers/index-in-files.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";
import { someFiles } from "../helpers/segments.ts";
import { sourcesOfSvc, writeSources } from "../helpers/sources-of-svc.ts";
import { MULTILINGUAL, MULTILINGUAL_QUESTIONS } from "../helpers/multilingual-files.ts";
import { tree } from "../helpers/tree.ts";
import { everythingOf, written } from "../helpers/written-index.ts";

const GIN = join(import.meta.dirname, "../engine/fixtures/gin");

const tokenizer = createTokenizer();

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
      const write = (backend: IndexBackend): Promise<IndexReader> => written(backend, [{ files }]);
      const one = await write(indexInFiles());
      const other = await write(new MemoryBackend());
      expect(differences(await everythingOf(one, files), await everythingOf(other, files))).toEqual(
        [],
      );
    }),
    { numRuns: 60 },
  );
});

test("an indexing run of a Go project", { timeout: 60_000 }, async () => {
  const backends = [indexInFiles(), new MemoryBackend()] as const;
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
  // The backend in memory scans all files for each name: with all sources that would take most of the time.
  const sources = await sourcesOfSvc({ every: 4 });
  expect(sources.texts.size).toBeGreaterThan(180);
  const [one, other] = [indexInFiles(), new MemoryBackend()];
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
  const backends = [indexInFiles(), new MemoryBackend()] as const;
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
