import type { Principal } from "../../sources/principal.ts";

export interface HitsRequest {
  readonly principal: Principal;
  /** Milliseconds since 1970: earlier hits are not reported. */
  readonly fromMs: number;
  /** `positions` of the previous result. */
  readonly positions: ChangeLogPositions;
}

/** Namespace -> how far its change log has been read. */
export type ChangeLogPositions = ReadonlyMap<string, ChangeLogPosition>;

export interface ChangeLogPosition {
  /** `seq` is only valid in the change log with this id. */
  readonly changeLogId: string;
  readonly seq: number;
}

export interface HitsResult {
  /** One entry per namespace with at least one hit. */
  readonly found: readonly NamespaceHits[];
  /** For the next request. */
  readonly positions: ChangeLogPositions;
}

export interface NamespaceHits {
  readonly namespace: string;
  /** In the order of the first hit. */
  readonly hits: readonly MonitorHit[];
  /** True when some hits were left out. */
  readonly hasMore: boolean;
  /** With this cursor as `since`, `changes` begins with the first of these hits. */
  readonly since: string;
}

export interface MonitorHit {
  /** Name of the monitor. */
  readonly monitor: string;
  readonly path: string;
  /** Number of changes of this file that the monitor hit. */
  readonly count: number;
}
