// What POST /v1/search takes and gives: docs of both are in /openapi.json.

export const FILE_KINDS = ["code", "docs", "tests", "config"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What was typed and chosen; "" and [] where nothing was. */
export interface SearchQuery {
  readonly query: string;
  readonly language: string;
  readonly kinds: readonly FileKind[];
  /** A glob. */
  readonly path: string;
}

export interface SearchResult {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly language: string;
  readonly kind: FileKind;
  readonly symbol: string;
  readonly score: number;
  /** Its lines as they are, from `start_line` on; there may be fewer than up to `end_line`. */
  readonly text: string;
  readonly changed: boolean;
}

/** An answer to `detail: "full"`. */
export interface SearchResponse {
  readonly namespace: string;
  readonly results: readonly SearchResult[];
  readonly next_cursor: string | null;
  readonly took_ms: number;
  readonly weak: boolean;
  /** Words that stand nowhere, and what was searched for instead. */
  readonly respelled: readonly { readonly from: string; readonly to: string }[];
  readonly building: {
    readonly stage: "list" | "words" | "syntax";
    readonly done: number;
    readonly total: number;
  } | null;
  /** What it lacks, a sentence each. */
  readonly partial: readonly string[];
}
