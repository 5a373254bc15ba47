// Indexes of generated files, and all results of their readers.

import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import type { FileInput, FileState } from "../../src/index/types.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { plainFile } from "../engine/fixtures/plain-file.ts";
import { NAMESPACE, readerOf, resultsOf } from "./equal-readers.ts";
import { WEIGHTS } from "./expect-candidates.ts";
import { questionOf, SMALL } from "./vectors.ts";

const tokenizer = createTokenizer();

/** The content of a commit: new and changed files, and the paths of removed files. */
export interface MadeCommit {
  readonly files: readonly FileInput[];
  readonly removed?: readonly string[];
}

/** Writes one commit after the other, and computes PageRank at the end. Returns a reader of the last version. */
export async function written(
  backend: IndexBackend,
  commits: readonly MadeCommit[],
): Promise<IndexReader> {
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: SMALL });
  if (writer === undefined) throw new Error("another is writing");
  for (const { files, removed = [] } of commits) {
    for (const content of files) writer.add(stateOf(content), content);
    for (const path of removed) writer.remove(path);
    // oxlint-disable-next-line no-await-in-loop -- one commit after the other
    await writer.commit();
  }
  await writer.computePageRank();
  await writer.close();
  return readerOf(backend);
}

function stateOf({ path, language, role, flags, chunks, symbols }: FileInput): FileState {
  const counts = { chunks: chunks.length, symbols: symbols.length };
  return { ...plainFile(path, "").state, language, role, flags, ...counts };
}

/** The results of a reader for these files: for all their names and modules, and some terms. */
export async function everythingOf(
  reader: IndexReader,
  files: readonly FileInput[],
): Promise<unknown> {
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
        await reader.definitionsOf(name),
        await reader.importersOf(name),
      ]),
    ),
    counts: await reader.termCounts([...terms]),
    stats: await reader.corpusStats(),
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
