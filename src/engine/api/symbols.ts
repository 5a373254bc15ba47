import type { IndexProgress } from "./index-report.ts";
import type { EngineRequest, FileLimits, PathLimits, RevisionLimits } from "./request.ts";
import type { ChunkKind } from "../../index/types.ts";
import type { AccessLevel } from "../../parse/languages/definition-rules.ts";
import type { MatchKind } from "../../search/symbol-match.ts";

/** `namespace` may be a list, as in `SearchRequest`. */
export interface SymbolsRequest
  extends EngineRequest, PathLimits, RevisionLimits, Pick<FileLimits, "language"> {
  /** A name, or parts of one, qualified or not. */
  readonly name: string;
  /** Word for the kind in any language: `struct`, `interface`, `field` …, a key of `KIND_WORDS`. */
  readonly symbolKind?: string | undefined;
  /**
   * A place that uses the name, `path` or `path:line`: the definition that it uses comes first, then those of the same file, of
   * files that it imports, of its folder, and of its language. Only for one namespace.
   */
  readonly near?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A definition in the current text. Lines are 1-based and inclusive. */
export interface FoundSymbol {
  /** Its namespace, if the search was of several. */
  readonly namespace?: string;
  readonly path: string;
  /** First line of its comments and attributes, when it has some. */
  readonly startLine: number;
  readonly endLine: number;
  /** In a document, the place as `read_context` takes it: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  readonly nameLine: number;
  /** Where the name begins in its line, in characters from 1. */
  readonly nameColumn: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  readonly language: string;
  /** How its name matches the requested one. */
  readonly match: MatchKind;
  /** Number of files that use the symbol; `find_references` lists them. */
  readonly users: number;
  /** True if `users` counts the files that use its name, whatever it refers to: for names used in many files. */
  readonly areUsersByName: boolean;
  /** One line of up to 200 characters. */
  readonly signature: string;
  /** First line of its documentation; "" when there is none. */
  readonly docLine: string;
  /** True when the file changed after it was indexed: the lines are the current ones. */
  readonly changed: boolean;
}

export interface SymbolsResult {
  readonly namespace: string;
  readonly generation: number;
  /** Most likely first. */
  readonly symbols: readonly FoundSymbol[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** Similar names on later pages; empty when this page has some. */
  readonly similar: readonly string[];
  /** True when the time ran out before the page was full. */
  readonly isPartial: boolean;
  /** True when no symbol has this name and the results assume a typo. */
  readonly isApproximate: boolean;
  readonly nextCursor: string | undefined;
  /** A possible reason for an empty answer. */
  readonly hint?: string;
  /** One sentence for each of several namespaces that could not be searched. */
  readonly missing?: readonly string[];
  /** As in SearchResult. */
  readonly building: IndexProgress | undefined;
}
