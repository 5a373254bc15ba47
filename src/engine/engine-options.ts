import type { Logger } from "../base/log.ts";
import type { AnswerCacheOptions } from "./answer-cache.ts";
import type { FetchRepository } from "./indexing/update-clone.ts";

export interface EngineOptions {
  readonly dataDirectory: string;
  readonly home: string;
  readonly logger: Logger;
  /** The folder a session works on; throws NO_WORKSPACE where there is none. */
  readonly workspace?: (() => string) | undefined;
  /** Overrides the namespace of the workspace. */
  readonly namespace?: string | undefined;
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings?: string | undefined;
  /** Folders that may be indexed with all below them, beside those that are sources already; any by default. */
  readonly indexOnlyBelow?: readonly string[] | undefined;
  /**
   * Real paths of folders that a session over standard input may index with all below them, next to its workspace and
   * the sources that are there; anything by default, as at the shell.
   */
  readonly allowRoots?: readonly string[] | undefined;
  /** Fetches repositories; without it they are refused. */
  readonly fetchRepository?: FetchRepository | undefined;
  /** Watches the files of the namespaces that are used, as a process does that stays. */
  readonly watchesFiles?: boolean | undefined;
  /** How answers are kept that may be given again. */
  readonly answerCache?: AnswerCacheOptions | undefined;
  /** Answers hold the secrets of files as they are; a mask stands in their place by default. */
  readonly showsSecrets?: boolean | undefined;
}
