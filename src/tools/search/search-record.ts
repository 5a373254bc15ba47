import type { SearchAnswer } from "../../engine/engine.ts";
import type { SearchRecord } from "./rest-schemas.ts";

/** An answer as `/v1/search` and `svc search --json` give it (product decisions, section 9). */
export function searchRecord(query: string, answer: SearchAnswer): SearchRecord {
  return {
    query,
    namespace: answer.namespace,
    generation: answer.generation,
    results: answer.passages.map((passage) => ({
      path: passage.path,
      start_line: passage.startLine,
      end_line: passage.endLine,
      language: passage.language,
      kind: passage.kind,
      symbol: passage.symbol,
      score: passage.score,
      text: passage.text,
    })),
    next_cursor: answer.nextCursor ?? null,
    took_ms: answer.tookMs,
  };
}
