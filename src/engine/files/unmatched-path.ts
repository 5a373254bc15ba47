// Explains an empty answer by its path filter.

import type { FileTree, IndexReader } from "../../index/port.ts";
import type { PathLimits } from "../api/request.ts";
import { pathFilter } from "./file-filter.ts";

/** The hint of an answer with these results; empty if there are some. */
export async function hintWithout(
  results: { readonly length: number },
  { reader }: { readonly reader: Pick<IndexReader, "fileTree"> },
  request: PathLimits,
): Promise<{ readonly hint?: string }> {
  const hint = results.length > 0 ? undefined : await unmatchedPathHint(reader, request);
  return hint === undefined ? {} : { hint };
}

/**
 * Returns a sentence for an answer without results if no indexed file matches the `path` of its request; else undefined.
 * Compares every path of the index: some ms for 10,000 paths.
 */
export async function unmatchedPathHint(
  reader: Pick<IndexReader, "fileTree">,
  request: PathLimits,
): Promise<string | undefined> {
  const { path } = request;
  const matches = path === undefined ? undefined : pathFilter(request);
  if (path === undefined || matches === undefined) return undefined;
  if (someFile(await reader.fileTree(), "", matches)) return undefined;
  return `No indexed file matches path ${[path].flat().map(quoted).join(" and ")}.`;
}

function quoted(glob: string): string {
  return `"${glob}"`;
}

function someFile(tree: FileTree, folder: string, matches: (path: string) => boolean): boolean {
  const prefix = folder === "" ? "" : `${folder}/`;
  return (
    tree.filesIn(folder).some((name) => matches(prefix + name)) ||
    tree.foldersIn(folder).some((name) => someFile(tree, prefix + name, matches))
  );
}
