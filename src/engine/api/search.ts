import type { SvcError } from "../../base/errors.ts";
import type { OutdatedName } from "./outdated.ts";
import type { IndexProgress } from "./index-report.ts";
import type { EngineRequest, FileLimits, RevisionLimits } from "./request.ts";
import type { Role } from "../../index/types.ts";
import type { WordMatches } from "../../search/word-matches.ts";
import type { Correction } from "../../search/correct-typos.ts";

/** `namespace` may also be a list (`gin,flask`) or `*`, for all that the caller may use. */
export interface SearchRequest extends EngineRequest, FileLimits, RevisionLimits {
  readonly query: string;
  readonly limit: number;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
  /** Accept a query of one or two characters, which the interface of programs refuses. */
  readonly allowsShortQuery?: boolean;
  /** Show whole passages from their first line on, instead of only the relevant lines. */
  readonly showsFullPassages?: boolean;
  /** Show files that repeat another one of the answer in places of their own. */
  readonly allCopies?: boolean;
  /** Decides the final order of this page. */
  readonly reranker?: Reranker | undefined;
}

/** Reorders candidates, which come best first. Returns their indexes in the new order; it may leave some out. */
export type Reranker = (request: {
  readonly query: string;
  readonly candidates: readonly {
    readonly path: string;
    /** "" when there is none. */
    readonly symbol: string;
    readonly text: string;
  }[];
  readonly signal: AbortSignal;
}) => Promise<readonly number[]>;

export interface Passage {
  /** Its namespace, if the search was of several. */
  readonly namespace?: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** In a document, the place as `read_context` takes it: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  /** First line of its best part: of the definition `symbol`, if the passage joins several. */
  readonly bestLine: number;
  readonly language: string;
  readonly kind: Role;
  readonly symbol: string;
  readonly score: number;
  /** Probability that it is a right answer, 0 to 1 with two digits. */
  readonly confidence: number;
  readonly signals: Readonly<Record<string, number>>;
  readonly matches: WordMatches;
  /** Empty when the token budget only leaves room for the position. */
  readonly text: string;
  /** True when the file changed after it was indexed: the text is the current one. */
  readonly changed: boolean;
  /** Paths of files of the ranking that have the same content, and are not shown: build output, copies. */
  readonly copies: readonly string[];
  /** Paths of files of the ranking that are the same document in other languages, and are not shown. */
  readonly translations: readonly string[];
  /** Names in its lines that the code no longer has; absent without any. */
  readonly outdated?: readonly OutdatedName[] | undefined;
}

export interface SearchResult {
  /** For a search of several, as the request names them; `generation` is the sum of theirs. */
  readonly namespace: string;
  readonly generation: number;
  readonly passages: readonly Passage[];
  readonly nextCursor: string | undefined;
  /** Probability that one of the first ten files is a right answer, 0 to 1 with two digits; 0 without passages. */
  readonly confidence: number;
  /** True if there is probably no good match. */
  readonly isWeak: boolean;
  /** True if the confidence is so low that another way to search may find more; also of weak answers. */
  readonly isUnsure: boolean;
  /** Query words that occur nowhere, each with its correction. */
  readonly corrections: readonly Correction[];
  /** Why the requested reranker has not ordered the passages. */
  readonly rerankFailure: SvcError | undefined;
  /** One sentence for each part that was not searched: the time ran out, or documents have no text. */
  readonly partial: readonly string[];
  /** Progress of the first build, while it is running. */
  readonly building: IndexProgress | undefined;
  /** A possible reason for an empty answer. */
  readonly hint?: string;
  readonly tookMs: number;
}
