import type { EngineRequest } from "./request.ts";

/**
 * What to do with the indexes of a project's dependencies: bring those up to date that it has, index all direct ones or
 * those with these names, or none any more.
 */
export type DependencyOption = "keep" | "all" | "forget" | { readonly only: readonly string[] };

export interface DependencyReport {
  /** The namespaces of the packages that the project uses. */
  readonly namespaces: readonly string[];
  /** Number of those that no project had before. */
  readonly added: number;
  /** Number of indexes that no project uses any more, and that are removed. */
  readonly removed: number;
  readonly leftOut: readonly {
    readonly name: string;
    /** Completes a sentence such as "left out: not installed". */
    readonly reason: string;
  }[];
  readonly isForgotten: boolean;
  readonly elapsedMs: number;
}

/** `namespace`: that of a project, or several. */
export type DependenciesRequest = Pick<EngineRequest, "principal"> & { readonly namespace: string };
