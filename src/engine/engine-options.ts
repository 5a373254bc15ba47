import type { Logger } from "../base/log.ts";
import type { PackageFolders } from "../config/package-folders.ts";
import type { Backend } from "../backend/backend.ts";
import type { ShownProgress } from "./api/index-report.ts";
import type { AnswerCacheOptions } from "./middleware/answer-cache.ts";
import type { JobRunner } from "./indexing/job-runner.ts";
import type { OpenOffer } from "./indexing/session-offer.ts";
import type { FetchRepository } from "./indexing/update-clone.ts";

/** `read`: answers questions, and never indexes. `index` and `both`: does the updates that the team has requested. */
export type NodeRole = "read" | "index" | "both";

/** When a process searches in threads. */
export interface SearchThreadsChoice {
  /** By default one for each processor but the first, and at most 7. */
  readonly maxThreads?: number | undefined;
  /** Whether the process has so much to do that a thread pays; measured by default. */
  readonly isBusy?: (() => boolean) | undefined;
}

export interface EngineOptions {
  readonly dataDirectory: string;
  /** Where everything is stored. The engine closes it. By default in files below `dataDirectory`. */
  readonly backend?: Backend | undefined;
  readonly home: string;
  /** What this process does as a node of a team; undefined if it is none. */
  readonly role?: NodeRole | undefined;
  readonly logger: Logger;
  /** Returns the folder of the session; throws NO_WORKSPACE when there is none. */
  readonly workspace?: (() => string) | undefined;
  /** Overrides the namespace of the workspace. */
  readonly namespace?: string | undefined;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings?: string | undefined;
  /** Folders that may be indexed, with everything below them, in addition to existing sources; any by default. */
  readonly indexOnlyBelow?: readonly string[] | undefined;
  /**
   * Real paths of folders that a session over stdio may index, with all folders below them, besides its workspace and
   * the existing sources. Undefined for any folder, as in a shell.
   */
  readonly allowRoots?: readonly string[] | undefined;
  /** Where package managers keep packages; by default their usual places. */
  readonly packageFolders?: PackageFolders | undefined;
  /** Fetches repositories; without it, URLs are refused. */
  readonly fetchRepository?: FetchRepository | undefined;
  /** Opens the index that a server has of the workspace, for runs that would read many files. Nothing is fetched by default. */
  readonly openOffer?: OpenOffer | undefined;
  /** Watch the files of the namespaces in use. For long-running processes. */
  readonly watchesFiles?: boolean | undefined;
  readonly answerCache?: AnswerCacheOptions | undefined;
  /** Search in threads when the main thread is busy. For servers of many callers. */
  readonly searchThreads?: SearchThreadsChoice | undefined;
  /** How long a query waits for the first index of a small project, in ms; 3,000 by default. */
  readonly firstBuildWaitMs?: number | undefined;
  /**
   * For a process that ends with its query: the query waits for the rebuild of a damaged index, and shows its progress.
   * Without it the query fails, and the index is rebuilt meanwhile.
   */
  readonly showRebuild?: (() => ShownProgress) | undefined;
  /** Runs the indexing jobs, and is not closed with the engine; by default threads of its own. */
  readonly jobRunner?: JobRunner | undefined;
  /** How long a run or a removal waits for another process that writes to the same index, in ms; 15,000 by default. */
  readonly writerWaitMs?: number | undefined;
  /** Show secrets of files in answers; they are masked by default. */
  readonly showsSecrets?: boolean | undefined;
}
