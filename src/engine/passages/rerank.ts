// The order of a page as somebody else sees it, who is shown the text of its candidates.
import { SvcError } from "../../base/errors.ts";
import type { SearchRequest } from "../engine.ts";
import type { PassagePlace } from "./places.ts";

interface RerankResult {
  readonly places: readonly PassagePlace[];
  /** Set where the places have kept their order. */
  readonly failure: SvcError | undefined;
}

/** Of one page, so that pages still hold each result once: another page is another call, with an order of its own. */
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

/** Those that were named first, then the rest as they stood. */
function applyOrder(
  places: readonly PassagePlace[],
  order: readonly number[],
): readonly PassagePlace[] {
  const named = [...new Set(order)].flatMap((at) => places[at] ?? []);
  const known = new Set(named);
  return [...named, ...places.filter((place) => !known.has(place))];
}
