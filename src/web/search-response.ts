// Answers of the server; /openapi.json documents them.

export const FILE_KINDS = ["code", "docs", "tests", "config"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** One passage. */
export interface SearchResult {
  readonly path: string;
  /** Only in answers from several namespaces. */
  readonly namespace?: string;
  readonly start_line: number;
  readonly end_line: number;
  /** In a document, where it is: `manual.pdf:p12`. */
  readonly place?: string;
  readonly language: string;
  readonly kind: FileKind;
  readonly symbol: string;
  /** Comparable only within one search. */
  readonly score: number;
  /** Probability that it is a right one, 0 to 1. */
  readonly confidence: number;
  /** The text of the lines from `start_line` on; it may end before `end_line`. */
  readonly text: string;
  /** True when the file has changed since it was indexed. */
  readonly changed: boolean;
  /** Paths of files with the same content, and of the same document in other languages. */
  readonly copies?: readonly string[];
  readonly translations?: readonly string[];
}

/** Progress of an index that is still being built. */
export interface Building {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** A response of `/v1/search` to `detail: "full"`. */
export interface SearchResponse {
  readonly namespace: string;
  readonly results: readonly SearchResult[];
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** Duration of the search in milliseconds. */
  readonly took_ms: number;
  /** Probability that a right one is among the first results, 0 to 1. */
  readonly confidence: number;
  /** True when no result is a good match. */
  readonly weak: boolean;
  /** Words without a match, and the words searched instead. */
  readonly respelled: readonly { readonly from: string; readonly to: string }[];
  readonly building: Building | null;
  /** Reasons why the response is incomplete, one sentence each. */
  readonly partial: readonly string[];
}

/** A line that matches, with the lines around it. */
export interface MatchRecord {
  /** Only in answers from several namespaces. */
  readonly namespace?: string;
  readonly path: string;
  readonly language: string;
  readonly kind: FileKind;
  readonly line: number;
  readonly symbol: string;
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly match: boolean;
  }[];
}

/** A response of `/v1/text`. */
export interface TextResponse {
  readonly namespace: string;
  readonly matches: readonly MatchRecord[];
  /** A lower bound unless `complete`. */
  readonly total_lines: number;
  readonly total_files: number;
  readonly complete: boolean;
  readonly timed_out: boolean;
  /** One sentence for each namespace that could not be searched. */
  readonly missing: readonly string[];
  readonly next_cursor: string | null;
}

/** A definition. */
export interface SymbolRecord {
  /** Only in answers from several namespaces. */
  readonly namespace?: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** In a document, where it is: `manual.pdf:p12`. */
  readonly place?: string;
  readonly name_line: number;
  readonly name: string;
  /** Qualified name. */
  readonly symbol: string;
  readonly kind: string;
  readonly language: string;
  readonly signature: string;
  readonly doc: string;
  readonly used_in_files: number;
}

/** A response of `/v1/symbols`. */
export interface SymbolsResponse {
  readonly namespace: string;
  readonly symbols: readonly SymbolRecord[];
  readonly total: number;
  /** True when no definition has the name. */
  readonly approximate: boolean;
  readonly timed_out: boolean;
  /** As in TextResponse. */
  readonly missing: readonly string[];
  readonly next_cursor: string | null;
}

/** A response of `/v1/folder`. */
export interface FolderResponse {
  readonly namespace: string;
  readonly path: string;
  readonly folders: readonly string[];
  readonly files: readonly {
    readonly name: string;
    readonly language: string;
    readonly kind: FileKind;
    readonly bytes: number;
    /** Why its content is not indexed; "" if it is. */
    readonly skipped: string;
  }[];
}

/** A definition in the outline of a file. */
export interface FileSymbol {
  readonly name: string;
  readonly symbol: string;
  readonly kind: string;
  readonly signature: string;
  readonly start_line: number;
  readonly end_line: number;
  /** In a document, where it is: `manual.pdf:p12`. */
  readonly place?: string;
  readonly depth: number;
}

/** A response of `/v1/file`. */
export interface FileResponse {
  readonly namespace: string;
  readonly path: string;
  readonly language: string;
  readonly kind: FileKind;
  readonly bytes: number;
  readonly lines: number;
  readonly text: string;
  readonly binary: boolean;
  readonly version: string;
  readonly changed: boolean;
  readonly symbols: readonly FileSymbol[];
  readonly local_path: string;
  readonly commit: string;
  /** The text is that of the commit of the request, and the present one is another. */
  readonly past: boolean;
}

/** A response of `/v1/colors`. */
export interface ColorsResponse {
  readonly version: string;
  readonly kinds: readonly string[];
  readonly pieces: readonly number[] | null;
}

/** A definition that a name refers to. */
export interface DefinitionRecord extends Omit<SymbolRecord, "language" | "used_in_files"> {
  readonly certainty: "exact" | "name";
}

/** A response of `/v1/name`. */
export interface NameResponse {
  readonly name: string;
  readonly column: number;
  readonly role: string;
  readonly definitions: readonly DefinitionRecord[];
}

/** A response of `/v1/references`. */
export interface ReferencesResponse {
  readonly references: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
    readonly symbol: string;
    readonly role: string;
    readonly certainty: "exact" | "name";
  }[];
  readonly exact: number;
  readonly by_name: number;
  readonly files: number;
  readonly next_cursor: string | null;
}
