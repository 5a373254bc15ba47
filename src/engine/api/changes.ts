import type { EngineRequest, PathLimits } from "./request.ts";
import type { ChangeKind } from "../../index/change-log/change-detail.ts";
import type { SymbolChange } from "../../index/change-log/symbol-diff.ts";

export interface ChangesRequest extends EngineRequest, PathLimits {
  /** A cursor, a time, a generation or a commit; the latest changes by default. */
  readonly since?: string | undefined;
  /** Name of one of the caller's monitors: return only its hits. */
  readonly monitor?: string | undefined;
  /** Milliseconds to wait for a change when there is none. */
  readonly waitMs: number;
  readonly limit: number;
}

export interface SymbolChangeItem extends SymbolChange {
  /** Current 1-based line of its name; undefined for a removed symbol. */
  readonly line: number | undefined;
  /** In a document, where it is: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  /** One line of up to 200 characters; "" for a removed symbol, and beyond the limit of an answer. */
  readonly signature: string;
  /** Number of uses; undefined when not searched. */
  readonly users: number | undefined;
  /** The first few uses: `path:line`, with the enclosing definition. */
  readonly usedBy: readonly string[];
}

export interface HitItem {
  /** Name of the monitor. */
  readonly monitor: string;
  /** The part of the change that matched; docs/client-authors.md describes the forms. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface ChangeItem {
  readonly kind: ChangeKind;
  readonly path: string;
  readonly oldPath: string | undefined;
  /** Undefined in a comparison with a commit. */
  readonly generation: number | undefined;
  readonly atMs: number | undefined;
  readonly symbols: readonly SymbolChangeItem[];
  /** Number of symbols left out for lack of room. */
  readonly moreSymbols: number;
  /** True when lines outside of all definitions changed. */
  readonly isOutside: boolean;
  /** True when only white space changed. */
  readonly isWhitespace: boolean;
  /** True when its content is not indexed, or was not before the change. */
  readonly isNotIndexed: boolean;
  /** Number of files, for a change of a whole source. */
  readonly files: number | undefined;
  readonly hits: readonly HitItem[];
}

export interface ChangesResult {
  readonly namespace: string;
  readonly generation: number;
  /** Oldest first; in a comparison with a commit, sorted by path. */
  readonly changes: readonly ChangeItem[];
  /** Continues after these changes, at any later time. */
  readonly nextCursor: string;
  /** True when there are more changes now. */
  readonly hasMore: boolean;
  /** Set when the change log no longer reaches back to the requested start: the time of its oldest entry, in ms. */
  readonly resetMs: number | undefined;
  /** Description of the comparison, for a commit. */
  readonly compared: string | undefined;
  /** A possible reason for an empty answer. */
  readonly hint?: string;
}
