// Request and response of POST /v1/search; /openapi.json documents both.

export const FILE_KINDS = ["code", "docs", "tests", "config"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The content of the form; "" and [] for empty fields. */
export interface SearchQuery {
  readonly query: string;
  readonly language: string;
  readonly kinds: readonly FileKind[];
  /** A glob. */
  readonly path: string;
  /** Only chosen if the key can search several. */
  readonly namespace: string;
}

/** One passage. */
export interface SearchResult {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly language: string;
  readonly kind: FileKind;
  readonly symbol: string;
  /** Comparable only within one search. */
  readonly score: number;
  /** The text of the lines from `start_line` on; it may end before `end_line`. */
  readonly text: string;
  /** True when the file has changed since it was indexed. */
  readonly changed: boolean;
}

/** A response to `detail: "full"`. */
export interface SearchResponse {
  readonly namespace: string;
  readonly results: readonly SearchResult[];
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** Duration of the search in milliseconds. */
  readonly took_ms: number;
  /** True when no result is a good match. */
  readonly weak: boolean;
  /** Words without a match, and the words searched instead. */
  readonly respelled: readonly { readonly from: string; readonly to: string }[];
  /** Progress of an index that is still being built; null otherwise. */
  readonly building: {
    readonly stage: "list" | "words" | "syntax";
    readonly done: number;
    readonly total: number;
  } | null;
  /** Reasons why the response is incomplete, one sentence each. */
  readonly partial: readonly string[];
}
