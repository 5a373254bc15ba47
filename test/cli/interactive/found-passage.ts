import type { Passage, SearchResult } from "../../../src/engine/api/search.ts";

/** A result of a search, with a definition of this name in line 12. */
export function foundPassage(path: string, symbol = ""): Passage {
  return {
    path,
    startLine: 12,
    endLine: 20,
    bestLine: 12,
    language: "typescript",
    kind: "code",
    symbol,
    score: 12,
    confidence: 0.86,
    signals: {},
    matches: { words: [], inNames: [], inText: [], inPath: [] },
    text: "",
    changed: false,
    copies: [],
    translations: [],
  };
}

export function searchResult(passages: readonly Passage[]): SearchResult {
  return {
    namespace: "project",
    generation: 1,
    passages,
    nextCursor: undefined,
    confidence: 0.9,
    isWeak: false,
    isUnsure: false,
    corrections: [],
    rerankFailure: undefined,
    partial: [],
    building: undefined,
    tookMs: 1,
  };
}
