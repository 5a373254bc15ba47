// Renews stored findings of outdated documentation after HEAD has moved, in a long-running process. It works between
// answers, and only if someone has asked for findings before.

import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "../../base/log.ts";
import { Yielder } from "../../base/yielder.ts";
import { loadOutdated, type OutdatedStatements } from "../../index/commits/outdated-store.ts";
import { headCommit } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { RunScheduler } from "../indexing/scheduler.ts";
import { ReadDependencies } from "../middleware/read-dependencies.ts";
import type { DriftContext } from "./find-drift.ts";

type RenewalContext = Pick<DriftContext, "namespace" | "reader" | "sources" | "texts">;

type RenewalParts = DriftContext["parts"] & {
  readonly runs: Pick<RunScheduler, "refresh">;
  readonly logger: Pick<Logger, "debug">;
};

/** The answer that finds the old findings is sent first, and a checkout comes to its end. */
const START_MS = 500;
/** Without a pause for so long, the work waits until no question is being answered. */
const SLICE_MS = 5;
const PAUSE_MS = 2;
/** With more new commits, the findings stay as they are until someone asks for them. */
const MAX_NEW_COMMITS = 2000;
const MAX_COMMITS_MS = 8000;
/** A renewal that takes longer has failed. It is not tried again before HEAD moves. */
const MAX_MS = 60_000;

export class NotesRenewal {
  readonly #parts: RenewalParts;
  readonly #closing = new AbortController();
  /** By namespace, the commits at which a renewal was last started. */
  readonly #tried = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  /** Number of queries that are being answered. */
  #running = 0;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  /** Starts a renewal after the others if HEAD of a source is not where it was, and calls `onEnd` after it. */
  startIfMoved(context: RenewalContext, stored: OutdatedStatements, onEnd: () => void): void {
    const { namespace, sources } = context;
    const heads = sources.map((source) => headCommit(source) ?? "").join(" ");
    if (this.#tried.get(namespace) === heads || !hasMoved(sources, stored)) return;
    this.#tried.set(namespace, heads);
    this.#last = this.#last.then(() => this.#run(context)).then(onEnd);
  }

  /** Starts a renewal if HEAD has moved since something was stored. */
  look(context: RenewalContext): void {
    const stored = loadOutdated(this.#parts.backend.commits, context.namespace);
    this.startIfMoved(context, stored, () => {});
  }

  /** Lets renewals wait until a query is answered. */
  async pausedDuring<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    this.#running += 1;
    return answer().finally(() => (this.#running -= 1));
  }

  /** Ends a renewal at once; it stores nothing. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#last;
  }

  async #run(context: RenewalContext): Promise<void> {
    const { namespace, sources } = context;
    const { runs, backend, logger } = this.#parts;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(MAX_MS)]);
    const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal, ref: false });
    const turn = async (): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- until it is over
      do await pause(PAUSE_MS);
      while (this.#running > 0);
    };
    try {
      await pause(START_MS);
      await runs.refresh(namespace);
      // Another process may have done it meanwhile.
      const stored = loadOutdated(backend.commits, namespace);
      if (!hasMoved(sources, stored)) return;
      const { findDrift } = await import("./find-drift.ts");
      const { checked } = await findDrift(
        { ...context, parts: this.#parts, dependencies: new ReadDependencies() },
        { limit: 0, waitMs: MAX_COMMITS_MS, signal },
        { stored, maxNew: MAX_NEW_COMMITS, yielder: new Yielder(SLICE_MS, turn) },
      );
      logger.debug("findings renewed", { namespace, pages: checked.pages });
    } catch (error) {
      if (!signal.aborted) logger.debug("findings not renewed", { namespace, error });
    }
  }
}

/** Whether findings are stored, and were made at other commits. */
function hasMoved(sources: readonly Source[], { index, heads }: OutdatedStatements): boolean {
  return index !== "" && sources.some((source) => headCommit(source) !== heads[source.root]);
}
