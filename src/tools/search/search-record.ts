import type { Passage, SearchAnswer } from "../../engine/engine.ts";
import type { FullSearchRecord, SearchRecord } from "./rest-schemas.ts";

/** An answer as `/v1/search` and `svc search --json` give it (product decisions, section 9). */
export function searchRecord(query: string, answer: SearchAnswer): SearchRecord {
  return {
    query,
    namespace: answer.namespace,
    generation: answer.generation,
    results: answer.passages.map(passageRecord),
    next_cursor: answer.nextCursor ?? null,
    took_ms: answer.tookMs,
  };
}

/** The same with what `detail: "full"` asks for. */
export function fullSearchRecord(query: string, answer: SearchAnswer): FullSearchRecord {
  const { building } = answer;
  return {
    ...searchRecord(query, answer),
    results: answer.passages.map((passage) => ({
      ...passageRecord(passage),
      changed: passage.changed,
    })),
    weak: answer.isWeak,
    respelled: answer.respellings.map(({ from, to }) => ({ from, to })),
    building: building === undefined ? null : { ...building },
    partial: [...answer.partial],
  };
}

function passageRecord(passage: Passage): SearchRecord["results"][number] {
  return {
    path: passage.path,
    start_line: passage.startLine,
    end_line: passage.endLine,
    language: passage.language,
    kind: passage.kind,
    symbol: passage.symbol,
    score: passage.score,
    text: passage.text,
  };
}
