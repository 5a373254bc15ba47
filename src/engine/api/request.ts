import type { Role } from "../../index/types.ts";
import type { IndexProgress } from "./index-report.ts";
import type { Principal } from "../../sources/principal.ts";

/** Every request names its caller, and can be cancelled through the signal. */
export interface EngineRequest {
  readonly principal: Principal;
  /** Defaults to the workspace's. */
  readonly namespace?: string | undefined;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` at which a search returns a partial answer; none by default. */
  readonly deadline?: number | undefined;
}

/** A request about the files as they are in a commit. */
export interface RevisionLimits {
  /** A commit, branch or tag; by default the files as they are now. Of one namespace only. */
  readonly at?: string | undefined;
  /** Called while the index of the commit is made, with the first request about it. */
  readonly onIndexing?: ((progress: IndexProgress) => void) | undefined;
}

/** Limits of a request by path. */
export interface PathLimits {
  /** Glob over paths relative to the source root, `!` before it excludes; of several, each must match. */
  readonly path?: string | readonly string[] | undefined;
  /** Only this file, or the files below this folder; a path of the index. */
  readonly within?: string | undefined;
}

export interface FileLimits extends PathLimits {
  /** One of these languages, and none of those with `!` before them. */
  readonly language?: string | readonly string[] | undefined;
  readonly kinds?: readonly Role[] | undefined;
}

/** An answer, and whether it may come from the cache while neither the index nor the files that it read change. */
export type Cacheable<Answer> = Answer & { readonly isCacheable: boolean };
