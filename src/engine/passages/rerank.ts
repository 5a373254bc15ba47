// Reorders a page with the reranker of the request, which gets the text of the candidates.
import { SvcError } from "../../base/errors.ts";
import type { SearchRequest } from "../api/search.ts";
import type { PassagePlace } from "./places.ts";

interface RerankResult {
  readonly places: readonly PassagePlace[];
  /** Set when the reranker failed and the places kept their order. */
  readonly failure: SvcError | undefined;
}

/** Reorders only within the page, so that every result is on exactly one page. */
export async function rerank(
  places: readonly PassagePlace[],
  { query, reranker, signal }: Pick<SearchRequest, "query" | "reranker" | "signal">,
): Promise<RerankResult> {
  if (reranker === undefined || places.length < 2) return { places, failure: undefined };
  const candidates = places.map((place) => ({
    path: place.found.file.path,
    symbol: place.found.chunk.symbol,
    text: textOf(place),
  }));
  try {
    const order = await reranker({ query, candidates, signal });
    return { places: applyOrder(places, order), failure: undefined };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof SvcError) return { places, failure: thrown };
    throw thrown;
  }
}

function textOf({ file, chunks }: PassagePlace): string {
  return chunks
    .map(({ startLine, endLine }) => file.lines.slice(startLine - 1, endLine).join("\n"))
    .join("\n");
}

/** The places in `order`, then the others in their previous order. */
function applyOrder(
  places: readonly PassagePlace[],
  order: readonly number[],
): readonly PassagePlace[] {
  const named = [...new Set(order)].flatMap((at) => places[at] ?? []);
  const known = new Set(named);
  return [...named, ...places.filter((place) => !known.has(place))];
}
