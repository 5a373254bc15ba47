// Orders definitions of a name by how near they are to a place that uses it: a name has many definitions in a large project,
// and a reader of a file means the one that the file sees.

import { canUse } from "../../graph/name-rules.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { FileFacts } from "../../index/types.ts";
import { MAX_NEARNESS } from "../../search/symbol-match-order.ts";
import { lastPart } from "./named-definitions.ts";
import { pathNotFound } from "./resolve-target.ts";

interface NearContext {
  readonly reader: Pick<IndexReader, "factsOf" | "fileTree" | "file">;
  readonly graph: Pick<ReferenceGraph, "usesFromFile" | "importsOf">;
}

/**
 * Returns the steps from a place, `path` or `path:line`, to a definition: 0 if the place uses it, 1 in the same file, 2 in a file
 * that it imports, 3 in the same folder, 4 in the same language. Throws PATH_NOT_FOUND for a file that is not indexed.
 */
export async function nearDefinitions(
  { reader, graph }: NearContext,
  near: string,
  name: string,
): Promise<(file: FileFacts, qualifiedName: string) => number> {
  const { path = near, line } = /^(?<path>.+?):(?<line>\d+)(?:[:-]\d+)?$/.exec(near)?.groups ?? {};
  const from = await reader.factsOf(path);
  if (from === undefined) throw await pathNotFound(reader, path);
  const last = lastPart(name.replace(/\(\)$/, ""));
  const uses = (await graph.usesFromFile(path)).filter(
    (use) =>
      use.name === last &&
      use.certainty === "exact" &&
      (line === undefined || use.line === Number(line)),
  );
  const used = new Set(
    uses.flatMap(({ targets }) => targets.map((one) => keyOf(one.path, one.qualifiedName))),
  );
  const imported = new Set((await graph.importsOf(path)).map((edge) => edge.path));
  const folder = folderOf(path);
  return (file, qualifiedName) => {
    if (used.has(keyOf(file.path, qualifiedName))) return 0;
    if (file.path === path) return 1;
    if (imported.has(file.path)) return 2;
    if (!canUse(from.language, file.language)) return MAX_NEARNESS;
    return folderOf(file.path) === folder ? 3 : 4;
  };
}

function keyOf(path: string, qualifiedName: string): string {
  return `${path}#${qualifiedName}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
