import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import type { IndexReport } from "../../src/engine/api/index-report.ts";
import type { IndexHooks } from "../../src/engine/indexing/run-options.ts";
import type { QueryContext } from "../../src/engine/query-context.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import type { Source } from "../../src/sources/registry/records.ts";
import { tree, type Tree } from "./tree.ts";
import { authorized } from "./authorized.ts";
import { runIndex, type LocalRun } from "./run-index.ts";
import { textsOf } from "./texts.ts";

const tokenizer = createTokenizer();
const embedder = new QueryEmbedder(packedEmbeddings);
const NAMESPACE = "project";

/** The inputs of a search. */
interface SearchInputs extends QueryContext {
  readonly tokenizer: typeof tokenizer;
  readonly embedder: QueryEmbedder;
}

export interface IndexedTree {
  /** The indexed folder. */
  readonly root: string;
  /** The data directory, which does not exist if the index is in memory. */
  readonly data: string;
  readonly sources: readonly Source[];
  /** One indexing run, in this thread. */
  readonly run: (options?: Partial<LocalRun>, hooks?: Partial<IndexHooks>) => Promise<IndexReport>;
  /** The newest generation. Open until the tree is disposed of. */
  readonly queryContext: () => Promise<SearchInputs>;
  readonly dispose: () => void;
}

export function sourceAt(root: string, more: Partial<Source> = {}): Source {
  const source = { id: 1, namespace: NAMESPACE, root, prefix: "", include: [], exclude: [] };
  return { ...source, addedAt: "2026-01-01T00:00:00.000Z", ...more };
}

interface TreeOptions {
  /** Keeps the index in memory and not in files: faster, for tests of what reads an index. */
  readonly memory?: boolean;
}

/** A folder with these files and its index, without an engine or a thread in between. */
export function indexedTree(files: Parameters<typeof tree>[0], options?: TreeOptions): IndexedTree {
  const { path: root, dispose } = tree(files);
  return indexOf(root, options, dispose);
}

/** An index of a folder that exists already. */
export function indexOf(
  root: string,
  { memory = false }: TreeOptions = {},
  disposeRoot: Tree["dispose"] = () => {},
): IndexedTree {
  const data = memory ? undefined : tree();
  // A folder that never exists.
  const dataDirectory = data?.path ?? join(root, "no data");
  const sources = [sourceAt(root)];
  const backend = memory ? new MemoryBackend() : new EmbeddedBackend(dataDirectory);
  return {
    root,
    data: dataDirectory,
    sources,
    run: (options = {}, hooks = {}) =>
      runIndex(
        {
          dataDirectory,
          namespace: NAMESPACE,
          sources,
          rebuild: false,
          waitMs: 0,
          ...options,
        },
        memory ? { index: backend, monitors: async () => [], ...hooks } : hooks,
      ),
    async queryContext() {
      const reader = await backend.reader(authorized(NAMESPACE));
      if (reader === undefined) throw new Error("nothing is indexed yet");
      return { reader, sources, texts: textsOf(sources), tokenizer, embedder };
    },
    dispose() {
      backend.close();
      data?.dispose();
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
