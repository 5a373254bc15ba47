import type { EngineRequest } from "./request.ts";
import type { MonitorKind } from "../../sources/registry/records.ts";

export interface MonitorRequest extends EngineRequest {
  readonly action: "create" | "list" | "delete";
  readonly name?: string | undefined;
  /** The query to monitor. */
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
  /** The created or deleted monitor, or all monitors of the caller. */
  readonly monitors: readonly MonitorItem[];
  /** False when a new monitor is not active yet; it becomes active when the current run ends. */
  readonly isWatching: boolean;
}
