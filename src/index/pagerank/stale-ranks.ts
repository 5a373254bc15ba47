// Ranks between two computations: when they are due again, and what a changed file keeps until then.

import type { SymbolFacts } from "../types.ts";

/** PageRank is recomputed when more than this share of the files has changed. */
const MAX_STALE_SHARE = 0.02;

/** Whether PageRank must be recomputed. `changed`: the number of files changed since the last computation. */
export function areRanksStale(changed: number, files: number): boolean {
  return changed > files * MAX_STALE_SHARE;
}

/**
 * Returns the codes of the symbols of a changed file: each takes over the largest code of its qualified name, 0 if the
 * name is new. `before`: the symbols of the old version, with `codeOf` by their number.
 */
export function carriedCodes(
  before: readonly SymbolFacts[],
  codeOf: (number: number) => number,
  now: readonly SymbolFacts[],
): readonly number[] {
  const known = new Map<string, number>();
  for (const [at, { qualifiedName }] of before.entries()) {
    known.set(qualifiedName, Math.max(codeOf(at), known.get(qualifiedName) ?? 0));
  }
  return now.map(({ qualifiedName }) => known.get(qualifiedName) ?? 0);
}
