import type { SearchResult } from "../../engine/api/search.ts";

/** The beginning of an answer with corrected query words: a line for each. */
export function correctionNote({ corrections }: Pick<SearchResult, "corrections">): string {
  return corrections
    .map(({ from, to }) => `No match for "${from}"; searched for "${to}".`)
    .join("\n");
}
