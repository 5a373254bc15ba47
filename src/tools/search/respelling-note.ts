import type { SearchAnswer } from "../../engine/engine.ts";

/** What an answer begins with where words of the question were read as others: a line for each. */
export function respellingNote({ respellings }: Pick<SearchAnswer, "respellings">): string {
  return respellings
    .map(({ from, to }) => `"${from}" stands nowhere; searched for "${to}".`)
    .join("\n");
}
