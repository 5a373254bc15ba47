// Folders of a few files, indexed with vectors, and queries over them.
import { afterAll, onTestFinished } from "vitest";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import type { Passage, SearchRequest } from "../../src/engine/api/search.ts";
import { searchPassages } from "../../src/engine/passages/search-passages.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rank, type Ranking } from "../../src/search/rank.ts";
import { indexedTree, type IndexedTree } from "../helpers/indexed-tree.ts";
import { LOCAL } from "../helpers/rpc.ts";

export type Files = Readonly<Record<string, string>>;

export interface Searchable extends Pick<IndexedTree, "root" | "dispose"> {
  /** Indexes the changes. */
  readonly run: () => Promise<unknown>;
  readonly reader: () => Promise<IndexReader>;
  readonly search: (query: string, limits?: Partial<SearchRequest>) => Promise<readonly Passage[]>;
  readonly ranking: (query: string, limit: number) => Promise<Ranking>;
}

interface Vectors {
  readonly embeddings: typeof packedEmbeddings | undefined;
}

/** Creates an index of these files for one test, which may change them. */
export async function indexOf(files: Files, vectors?: Vectors): Promise<Searchable> {
  const searchable = await newIndexOf(files, vectors);
  onTestFinished(searchable.dispose);
  return searchable;
}

/** Returns a cached index of files that no test changes. */
export function sharedIndexes(): (files: Files) => Promise<Searchable> {
  const kept = new Map<Files, Promise<Searchable>>();
  afterAll(async () => {
    for (const searchable of await Promise.all(kept.values())) searchable.dispose();
  });
  return (files) => {
    const known = kept.get(files) ?? newIndexOf(files);
    kept.set(files, known);
    return known;
  };
}

async function newIndexOf(
  files: Files,
  { embeddings }: Vectors = { embeddings: packedEmbeddings },
): Promise<Searchable> {
  const indexed = indexedTree(files, { memory: true });
  const run = (): Promise<unknown> => indexed.run({}, { embeddings });
  await run();
  return {
    root: indexed.root,
    dispose: indexed.dispose,
    run,
    reader: async () => (await indexed.queryContext()).reader,
    async search(query, limits = {}) {
      const { signal } = new AbortController();
      const request = { query, limit: 10, maxTokens: 2000, principal: LOCAL, signal, ...limits };
      return (await searchPassages(await indexed.queryContext(), request)).passages;
    },
    async ranking(query, limit) {
      const { reader, tokenizer, embedder } = await indexed.queryContext();
      const vector = embedder.embed(query);
      const nameSimilarity = (name: string): number =>
        vector === undefined ? 0 : embedder.nameSimilarity(name, vector);
      const embedding = vector && { vector, nameSimilarity };
      return rank(reader, parseQuery(query, tokenizer), {
        limit,
        embedding,
        logProbability: embedder.logProbability,
      });
    },
  };
}

/** Returns the distinct paths of passages in their order. */
export function pathsOf(passages: readonly Passage[]): readonly string[] {
  return [...new Set(passages.map(({ path }) => path))];
}

export const TOKENS = {
  "src/tokens.ts": [
    "/** Revokes an access token. */",
    "export function revokeToken(id: string): void {",
    "  store.delete(id);",
    "}",
  ].join("\n"),
  "src/session.ts": [
    "export function endSession(session: Session): void {",
    "  revokeToken(session.token);",
    "  revokeToken(session.refreshToken);",
    "}",
  ].join("\n"),
  "test/tokens.test.ts": [
    'test("revokeToken revokes the token", () => {',
    "  revokeToken(token);",
    "  revokeToken(token);",
    "  expect(revokeToken).toBeDefined();",
    "});",
  ].join("\n"),
  "docs/tokens.md": "# Tokens\n\nHow to revoke a token: call revokeToken with its id.\n",
  "src/weather.ts": "export function forecast(): string {\n  return 'rain';\n}\n",
};

export const MIXED = {
  "src/a.ts": "export const needle = 1;\n",
  "src/deep/b.ts": "export const needle = 2;\n",
  "src/c.py": "needle = 3\n",
  "lib/d.js": "export const needle = 4;\n",
  "docs/e.md": "# Needle\n\nThe needle.\n",
  "test/f.test.ts": "test('needle', () => {});\n",
  "needle.yaml": "needle: 5\n",
};
