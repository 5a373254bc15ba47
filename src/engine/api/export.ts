import type { EngineRequest } from "./request.ts";

export interface ExportRequest extends EngineRequest {
  /** The path or URL given to `index`. */
  readonly source: string;
  readonly ref?: string | undefined;
  /** Takes the bytes of the SCIP index, piece by piece. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

export interface ExportResult {
  readonly namespace: string;
  /** Number of files in the SCIP index. */
  readonly documents: number;
  readonly definitions: number;
  /** Number of exact references. */
  readonly references: number;
  /** Number of references whose name is not on their line, and which are left out. */
  readonly unplaced: number;
  /** Files that are left out, because they have changed since they were indexed. */
  readonly changed: readonly string[];
}
