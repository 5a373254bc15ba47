// A measured tree. The bench only reads it; indexes and copies are in a folder of the bench.
import { join } from "node:path";

import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import type { Source } from "../../src/sources/registry/records.ts";
import { dataDirectoryOf, type Environment } from "../workspace.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { openRegistry } from "../../test/helpers/open-registry.ts";

export interface Tree {
  readonly name: string;
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** Folder for the files of the bench; removed when it ends. */
  readonly folder: string;
  /** Creates an environment with an empty data directory. */
  readonly freshEnv: () => Environment;
}

/** A tree with a complete index. */
export interface IndexedTree extends Tree {
  readonly env: Environment;
  readonly dataDirectory: string;
  readonly namespace: string;
  readonly sources: readonly Source[];
  /** Paths, from the root, of the files whose content is indexed. */
  readonly paths: readonly string[];
  readonly textBytes: number;
  readonly chunks: number;
}

/** The extent of the measurement. */
export interface Extent {
  /** False: stops after the words of a tree, since syntax takes minutes on a big one. */
  readonly hasSyntax: boolean;
  /** True: few rounds. */
  readonly isSmoke: boolean;
}

/** Reads the content of the index of a tree. */
export async function openTree(tree: Tree, env: Environment): Promise<IndexedTree> {
  const dataDirectory = dataDirectoryOf(env);
  const { namespace, sources } = await sourcesOf(dataDirectory, tree.root);
  const backend = new EmbeddedBackend(dataDirectory);
  try {
    const reader = await backend.reader(authorized(namespace));
    if (reader === undefined) throw new Error(`${tree.root}: there is no index`);
    const { bytes, chunks } = await reader.summary();
    const paths: string[] = [];
    for await (const { path } of reader.textCandidates({ kind: "all" }, {})) paths.push(path);
    return { ...tree, env, dataDirectory, namespace, sources, paths, textBytes: bytes, chunks };
  } finally {
    backend.close();
  }
}

/** The namespace of a folder in a data directory, created if there is none. */
export async function sourcesOf(
  dataDirectory: string,
  root: string,
): Promise<{ readonly namespace: string; readonly sources: readonly Source[] }> {
  const registry = openRegistry(dataDirectory);
  try {
    const namespace = await registry.ensureWorkspace(root);
    return { namespace, sources: (await registry.state()).sources(namespace) };
  } finally {
    registry.close();
  }
}

export function absolutePaths({ root, paths }: IndexedTree): readonly string[] {
  return paths.map((path) => join(root, path));
}
