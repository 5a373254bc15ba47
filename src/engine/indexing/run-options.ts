import type { MessagePort } from "node:worker_threads";

import type { BackendDescription } from "../../backend/backend.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { IndexBackend, QuarantineMode } from "../../index/port.ts";
import type { Grammars } from "../../parse/syntax.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import type { TextArchive } from "../../sources/text/port.ts";
import type { IndexProgress, IndexStage } from "../api/index-report.ts";
import type { ConfiguredSource } from "./project-settings.ts";
import type { NewFacts } from "./known-facts.ts";
import type { SourceFolder, SourceScan } from "./source-scan.ts";

/** What a run does. */
export interface RunOptions {
  readonly namespace: string;
  readonly sources: readonly ConfiguredSource[];
  /** Checks only the direct entries of these folders, as the watcher requests. Everything by default. */
  readonly folders?: readonly SourceFolder[] | undefined;
  /** Reads every file again, also unchanged ones. */
  readonly rebuild: boolean;
  readonly quarantine?: QuarantineMode | undefined;
  /** Ids of all sources of the namespace, also of unavailable ones; those of `sources` by default. */
  readonly registeredSources?: readonly number[] | undefined;
  /**
   * The caller waits for the end of the run, such as `svc index` at a shell. Each file is then read once, with its
   * grammar, the thread keeps its priority, and the run waits for other processes as long as they make progress.
   * Otherwise the words of all files are published before their syntax.
   */
  readonly isAwaited?: boolean | undefined;
  /** Other machines index the same sources (source-scan.ts). */
  readonly isShared?: boolean | undefined;
  /** Milliseconds to wait for another process that is writing to the namespace. */
  readonly waitMs: number;
  /** Leaves documents with more bytes in all to later runs (document-turn.ts). Reads all by default. */
  readonly maxDocumentBytes?: number | undefined;
  /** A run that has to read more bytes throws RunTooLarge before it changes anything. Any number by default. */
  readonly maxBytes?: number | undefined;
  /** Facts of compilers to take into use; by default those of the index stay. */
  readonly facts?: NewFacts | undefined;
}

/** A run of the engine. It can be sent to another thread as a message. */
export interface IndexJob extends RunOptions {
  readonly backend: BackendDescription;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings?: string | undefined;
  /** Creation time of the namespace. The run stops when the namespace is removed or replaced. */
  readonly namespaceCreatedAt: string;
}

/**
 * Starts threads that parse for the indexing thread, and returns their ports: as many as are worth it for so many bytes
 * of text, often none. They end when their ports are closed.
 */
export type StartParsers = (bytes: number) => Promise<readonly MessagePort[]>;

/** What a run uses and calls. */
export interface IndexHooks {
  readonly index: IndexBackend;
  /** A scan that was just made, for a run over all files; by default the run makes one. */
  readonly scan?: SourceScan | undefined;
  /** Called only when something is parsed, because loading grammars takes some milliseconds. */
  readonly grammars: () => Promise<Grammars>;
  readonly startParsers?: StartParsers | undefined;
  /** Called by a run in the background once it knows that it has much to do. The thread then gets no other job. */
  readonly lowerPriority?: (() => void) | undefined;
  /** The source of vectors; undefined for an index without vectors. */
  readonly embeddings: EmbeddingSource | undefined;
  /** Returns the monitors of the namespace; none by default. */
  readonly monitors?: (() => Promise<readonly Monitor[]>) | undefined;
  /** Where to keep what queries cannot read from the sources. */
  readonly texts: TextArchive;
  /** Called before each commit; refuses it by throwing. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
  readonly onProgress?:
    | ((progress: IndexProgress & { readonly stage: IndexStage }) => void)
    | undefined;
  /** Called after each commit. */
  readonly onCommit?: (() => void) | undefined;
}

/** What a run reports while it is running. */
export interface RunListener {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Called after each commit: the index has a new version. */
  readonly onCommit?: (() => void) | undefined;
}
