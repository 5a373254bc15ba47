// A repository as svc sees it, in this process: indexed into a separate folder.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import type { IndexReader, SymbolHit } from "../../src/index/port.ts";
import type { SymbolFacts } from "../../src/index/types.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { sourcesOf } from "../growth/tree.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { runIndex } from "../../test/helpers/run-index.ts";

export interface Project {
  readonly reader: IndexReader;
  readonly graph: ReferenceGraph;
  /** The lines of the files of some paths. */
  readonly texts: (
    isWanted: (path: string) => boolean,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly close: () => void;
}

/** Throws if nothing can be indexed. Closing removes the index. */
export async function openProject(root: string, dataDirectory: string): Promise<Project> {
  const { namespace, sources } = await sourcesOf(dataDirectory, root);
  await runIndex({ dataDirectory, namespace, sources, rebuild: false, waitMs: 0 });
  const backend = new EmbeddedBackend(dataDirectory);
  const reader = await backend.reader(authorized(namespace));
  if (reader === undefined) throw new Error(`${root}: there is no index`);
  const graph = await ReferenceGraph.open(reader, (path) => readIfThere(join(root, path)));
  const close = (): void => {
    backend.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  const texts = async (isWanted: (path: string) => boolean) => {
    const found = new Map<string, readonly string[]>();
    for await (const { path } of reader.textCandidates({ kind: "all" }, {})) {
      if (isWanted(path)) found.set(path, readIfThere(join(root, path))?.split("\n") ?? []);
    }
    return found;
  };
  return { reader, graph, texts, close };
}

export interface DefinitionPlace {
  readonly path: string;
  /** 1-based, at the name. */
  readonly line: number;
  readonly name: string;
  /** A constructor may be on the line of its type: `data Size = Size Int`. */
  readonly kind?: string;
}

/** The symbol whose name is on a line. */
async function symbolAt(
  { reader }: Pick<Project, "reader">,
  { path, line, name, kind }: DefinitionPlace,
): Promise<SymbolHit | undefined> {
  const symbols = await reader.symbolsOf(path);
  const isThere = (one: SymbolFacts): boolean => one.name === name && one.nameLine === line;
  const symbol = kind === "constructor" ? symbols.findLast(isThere) : symbols.find(isThere);
  return symbol && { ...symbol, path };
}

/** The symbols that are defined at a place, in the sense of `isDefinitionAt`. */
export async function symbolsFor(
  project: Pick<Project, "reader">,
  place: DefinitionPlace,
): Promise<readonly SymbolHit[]> {
  const exact = await symbolAt(project, place);
  if (exact !== undefined) return [exact];
  const named = (await project.reader.symbolsOf(place.path))
    .filter(({ name }) => name === place.name)
    .map((symbol) => ({ ...symbol, path: place.path }));
  const isThere = await Promise.all(named.map((symbol) => isDefinitionAt(project, symbol, place)));
  return named.filter((_symbol, at) => isThere[at]);
}

/**
 * Whether a symbol is defined at a place: there, or elsewhere in the same class under the same name.
 * Overloads, the assignments of one attribute, and a class with its constructor are one.
 */
export async function isDefinitionAt(
  { reader }: Pick<Project, "reader">,
  symbol: SymbolHit,
  { path, line, name }: DefinitionPlace,
): Promise<boolean> {
  if (symbol.path !== path || symbol.name !== name) return false;
  if (holds(symbol, line)) return true;
  const owner = symbol.qualifiedName.slice(0, -name.length - 1);
  const symbols = await reader.symbolsOf(path);
  return symbols.some(
    (one) => one.qualifiedName === owner && holds(one, symbol.startLine) && holds(one, line),
  );
}

function holds({ startLine, endLine }: SymbolFacts, line: number): boolean {
  return startLine <= line && line <= endLine;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
