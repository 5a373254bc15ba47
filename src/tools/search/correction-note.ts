import type { SearchResult } from "../../engine/engine.ts";

/** What an answer begins with where words of the question were read as others: a line for each. */
export function correctionNote({ corrections }: Pick<SearchResult, "corrections">): string {
  return corrections
    .map(({ from, to }) => `"${from}" stands nowhere; searched for "${to}".`)
    .join("\n");
}
