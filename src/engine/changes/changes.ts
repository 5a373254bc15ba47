// What changed, and standing questions about it, as the outside asks and hears.

import type { ChangeKind } from "../../index/change-log/change-detail.ts";
import type { SymbolChange } from "../../index/change-log/symbol-diff.ts";
import type { MonitorKind } from "../../sources/monitors.ts";
import type { EngineRequest } from "../engine.ts";

export interface ChangesRequest extends EngineRequest {
  /** A cursor, a time, a generation or a commit; without it the last changes are asked for. */
  readonly since?: string | undefined;
  /** Glob. */
  readonly path?: string | undefined;
  /** Name of one of the caller's monitors: only what it hit. */
  readonly monitor?: string | undefined;
  /** How long to wait for a change when there is none. */
  readonly waitMs: number;
  readonly limit: number;
}

export interface SymbolChangeItem extends SymbolChange {
  /** Where its name stands now; undefined for one that is gone. */
  readonly line: number | undefined;
  /** One line of at most 200 characters; "" for one that is gone, and where too many were asked for. */
  readonly signature: string;
  /** How often it is used; undefined where that was not looked at. */
  readonly users: number | undefined;
  /** The first few: `path:line`, with the definition around it. */
  readonly usedBy: readonly string[];
}

export interface HitItem {
  /** Its name. */
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
  /** Symbols that there was no room for. */
  readonly moreSymbols: number;
  /** Lines outside of all definitions changed. */
  readonly isOutside: boolean;
  /** Nothing but white space changed. */
  readonly isWhitespace: boolean;
  /** Its content is, or was, not indexed. */
  readonly isNotIndexed: boolean;
  /** Of a source as a whole. */
  readonly files: number | undefined;
  readonly hits: readonly HitItem[];
}

export interface ChangesResult {
  readonly namespace: string;
  readonly generation: number;
  /** Oldest first; in a comparison with a commit by path. */
  readonly changes: readonly ChangeItem[];
  /** Goes on behind these changes, whenever that is. */
  readonly nextCursor: string;
  /** True when there are more already. */
  readonly hasMore: boolean;
  /** Set when changes since the moment that was asked for are no longer known: from when on they are. */
  readonly resetMs: number | undefined;
  /** What was compared, for a commit. */
  readonly compared: string | undefined;
}

export interface MonitorRequest extends EngineRequest {
  readonly action: "create" | "list" | "delete";
  readonly name?: string | undefined;
  /** What is asked; of the kinds one at most. */
  readonly question?: { readonly kind: MonitorKind; readonly text: string } | undefined;
}

export interface MonitorItem {
  readonly name: string;
  readonly kind: MonitorKind;
  readonly question: string;
  readonly createdAt: string;
}

export interface MonitorResult {
  readonly namespace: string;
  /** The one that was made or deleted, or all of the caller's. */
  readonly monitors: readonly MonitorItem[];
  /** False when a new monitor is not at work yet; it will be when the run under way has ended. */
  readonly isWatching: boolean;
}
