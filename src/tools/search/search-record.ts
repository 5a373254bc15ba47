import { outdatedRecord } from "../outdated-note.ts";
import { placeOf } from "../place-of.ts";
import type { Passage, SearchResult } from "../../engine/api/search.ts";
import type { FullSearchRecord, SearchRecord } from "./rest-schemas.ts";

/** A result as `/v1/search` and `svc search --json` return it (product decisions, section 9). */
export function searchRecord(query: string, result: SearchResult): SearchRecord {
  return {
    query,
    namespace: result.namespace,
    generation: result.generation,
    results: result.passages.map(passageRecord),
    next_cursor: result.nextCursor ?? null,
    took_ms: result.tookMs,
    confidence: result.confidence,
    ...(result.isWeak && result.passages.length > 0 ? { weak: true } : {}),
  };
}

/** The same with the additional members of `detail: "full"`. */
export function fullSearchRecord(query: string, result: SearchResult): FullSearchRecord {
  const { building } = result;
  return {
    ...searchRecord(query, result),
    results: result.passages.map((passage) => ({
      ...passageRecord(passage),
      changed: passage.changed,
    })),
    weak: result.isWeak,
    respelled: result.corrections.map(({ from, to }) => ({ from, to })),
    building: building === undefined ? null : { ...building },
    partial: [...result.partial],
  };
}

/** A result in the list of such an answer. */
export function passageRecord(passage: Passage): SearchRecord["results"][number] {
  return {
    ...(passage.namespace === undefined ? {} : { namespace: passage.namespace }),
    path: passage.path,
    start_line: passage.startLine,
    end_line: passage.endLine,
    ...placeOf(passage),
    language: passage.language,
    kind: passage.kind,
    symbol: passage.symbol,
    score: passage.score,
    confidence: passage.confidence,
    text: passage.text,
    ...(passage.copies.length === 0 ? {} : { copies: [...passage.copies] }),
    ...(passage.translations.length === 0 ? {} : { translations: [...passage.translations] }),
    ...outdatedRecord(passage),
  };
}
