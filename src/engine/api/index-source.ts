import type { DependencyReport, DependencyOption } from "./dependencies.ts";
import type { IndexOffer } from "../../index/index-export.ts";
import type { IndexProgress, IndexReport } from "./index-report.ts";
import type { EngineRequest } from "./request.ts";
import type { NamespaceStatus } from "./status.ts";

export interface IndexRequest extends EngineRequest {
  /** Path of a directory or a bare repository, or the URL of a repository; the workspace by default. */
  readonly source?: string | undefined;
  /** A branch, a tag or a commit of a repository. Same as `URL#ref`. */
  readonly ref?: string | undefined;
  /** For a new source without `namespace`: create a namespace for it, or add it to that of the workspace. */
  readonly fallbackNamespace?: "own" | "workspace";
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly rebuild?: boolean;
  /** The owner of this machine confirms the folder, even if another folder was at this path before. */
  readonly confirmsRoot?: boolean;
  /** Fetch and index a repository in this process, also if index nodes of the team could do it. */
  readonly isHere?: boolean;
  /** Paths of SCIP indexes to import when the files are indexed. */
  readonly scip?: readonly string[] | undefined;
  /** Take the facts of earlier SCIP indexes out of use. */
  readonly forgetsScip?: boolean;
  /** This process has nothing else to do until the files are checked. */
  readonly isOnlyTask?: boolean;
  /** An index of another machine to fetch first, so that files with the same content need not be read. */
  readonly offer?: IndexOffer | undefined;
  /** Called while it is fetched. */
  readonly onFetched?: (bytes: number, total: number) => void;
  /** Milliseconds to wait for the run; undefined waits until it ends. */
  readonly waitMs?: number | undefined;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** For the owner at a shell: what to do with the indexes of the project's dependencies; by default nothing. */
  readonly dependencies?: DependencyOption | undefined;
  readonly onDependencies?: (progress: Pick<IndexProgress, "done" | "total">) => void;
}

/** Documents of a SCIP index that are not used. */
export interface RefusedDocuments {
  readonly reason: string;
  /** Their paths, as written in the index. */
  readonly documents: readonly string[];
}

export interface IndexResult {
  readonly namespace: string;
  readonly source: string;
  /** Undefined when the run has not ended after `waitMs`. */
  readonly report: IndexReport | undefined;
  /** True when the index has the same version as before the call. */
  readonly isUnchanged: boolean;
  /** Only with an offer: bytes of segments that were fetched now. */
  readonly fetchedBytes?: number | undefined;
  /** Only after an import of SCIP indexes. */
  readonly refused?: readonly RefusedDocuments[];
  /** Only if the project has indexes of its dependencies, or had them before. */
  readonly dependencies?: DependencyReport;
  readonly status: NamespaceStatus;
}

export interface RemoveSourceRequest extends EngineRequest {
  /** The path or URL given to `index`. */
  readonly source: string;
  readonly ref?: string | undefined;
}
