// Names the passages that begin with a namespace: every file of a Ruby gem begins with the same module.

import type { ChunkFacts, FileFacts } from "../../index/types.ts";

/** Languages whose modules and namespaces are around the definitions of a file. */
const NESTING: ReadonlySet<string> = new Set(["ruby", "csharp", "cpp", "php", "elixir"]);
/** Maximum namespaces around a definition that are followed. */
const MAX_DEPTH = 4;

/**
 * Returns the qualified name to show for a chunk: of one that begins with a namespace that of the definition inside which its file
 * is named after, or else of the first one inside.
 */
export function shownSymbol(
  { kind, symbol, names }: Pick<ChunkFacts, "kind" | "symbol" | "names">,
  { path, language }: Pick<FileFacts, "path" | "language">,
): string {
  if (kind !== "module" || !NESTING.has(language)) return symbol;
  const last = symbol.slice(symbol.lastIndexOf(".") + 1);
  const [first, ...inside] = names;
  if (first !== last || inside.length === 0) return symbol;
  const stem = plain(path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, ""));
  const named = inside.slice(0, MAX_DEPTH).findIndex((name) => plain(name) === stem);
  return [symbol, ...inside.slice(0, Math.max(0, named) + 1)].join(".");
}

/** `SiteDrop` and `site_drop` are alike. */
function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
