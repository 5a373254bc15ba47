import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import type { IndexReport } from "../../src/engine/indexing/index-report.ts";
import { runIndexJob, type IndexJob } from "../../src/engine/indexing/indexer.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import type { Source } from "../../src/sources/registry.ts";
import { tree, type Tree } from "./tree.ts";

type IndexHooks = Parameters<typeof runIndexJob>[1];

const tokenizer = createTokenizer();
const embedder = new QueryEmbedder(packedEmbeddings);
const NAMESPACE = "project";

/** The inputs of a search. */
interface QueryContext {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly tokenizer: typeof tokenizer;
  readonly embedder: QueryEmbedder;
}

export interface IndexedTree {
  /** The indexed folder. */
  readonly root: string;
  /** The data directory. */
  readonly data: string;
  readonly sources: readonly Source[];
  /** One indexing run, in this thread. */
  readonly run: (options?: Partial<IndexJob>, hooks?: Partial<IndexHooks>) => Promise<IndexReport>;
  /** The newest generation. Open until the tree is disposed of. */
  readonly queryContext: () => Promise<QueryContext>;
  readonly dispose: () => void;
}

export function sourceAt(root: string, more: Partial<Source> = {}): Source {
  const source = { id: 1, namespace: NAMESPACE, root, prefix: "", include: [], exclude: [] };
  return { ...source, addedAt: "2026-01-01T00:00:00.000Z", ...more };
}

/** A folder with these files and its index, without an engine or a thread in between. */
export function indexedTree(files: Parameters<typeof tree>[0]): IndexedTree {
  const { path: root, dispose } = tree(files);
  return indexOf(root, dispose);
}

/** An index of a folder that exists already. */
export function indexOf(root: string, disposeRoot: Tree["dispose"] = () => {}): IndexedTree {
  const data = tree();
  const sources = [sourceAt(root)];
  const backend = new EmbeddedBackend(data.path);
  return {
    root,
    data: data.path,
    sources,
    run: (options = {}, hooks = {}) =>
      runIndexJob(
        {
          dataDirectory: data.path,
          namespace: NAMESPACE,
          sources,
          rebuild: false,
          waitMs: 0,
          ...options,
        },
        { grammars: packedGrammars, embeddings: packedEmbeddings, ...hooks },
      ),
    async queryContext() {
      const reader = await backend.reader(NAMESPACE);
      if (reader === undefined) throw new Error("nothing is indexed yet");
      return { reader, sources, tokenizer, embedder };
    },
    dispose() {
      backend.close();
      data.dispose();
      disposeRoot();
    },
  };
}

/** Makes every file old enough that only its time shows whether it changed. */
export function age(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), 1_000_000, 1_000_000);
  }
}
