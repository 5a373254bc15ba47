import { startDeadline } from "../../base/deadline.ts";
import type { Logger } from "../../base/log.ts";
import type { NamespaceStatus } from "../../engine/api/status.ts";
import type { Family, Labels } from "./metrics.ts";

/** Returns the status of every namespace on this machine. */
export type ReadIndexStatus = (signal: AbortSignal) => Promise<readonly NamespaceStatus[]>;

/** Collectors ask every 15 seconds or so; one read serves several of them. */
const CACHE_TTL_MS = 5000;
/** Shorter than the timeout of collectors. */
const TIMEOUT_MS = 5000;

/** Metrics about the size and state of the indexes. */
export class IndexMetrics {
  readonly #status: ReadIndexStatus;
  readonly #logger: Logger;
  #cached:
    | { readonly status: Promise<readonly NamespaceStatus[]>; readonly at: number }
    | undefined;

  constructor(status: ReadIndexStatus, logger: Logger) {
    this.#status = status;
    this.#logger = logger;
  }

  /**
   * Returns the metrics by namespace, or their sums for clients that must not learn the names. Empty when the
   * indexes cannot be opened.
   */
  async families({ areNamed }: { readonly areNamed: boolean }): Promise<readonly Family[]> {
    const all = await this.#cachedStatus();
    if (all.length === 0) return [];
    const gauge = (
      [name, help]: readonly [string, string],
      valueOf: (status: NamespaceStatus) => number,
    ): Family => {
      const values = all.map((status) => ({
        labels: { namespace: status.name },
        value: valueOf(status),
      }));
      const sum = values.reduce((total, { value }) => total + value, 0);
      const unnamed: Labels = {};
      const samples = areNamed ? values : [{ labels: unnamed, value: sum }];
      return { name, help, type: "gauge", samples };
    };
    return [
      gauge(["svc_index_files", "Indexed files."], ({ files }) => files),
      gauge(["svc_index_chunks", "Chunks of the indexed files."], ({ chunks }) => chunks),
      gauge(["svc_index_bytes", "Size of the indexed files."], ({ bytes }) => bytes),
      gauge(["svc_index_degraded", "1 if the index is damaged."], ({ state }) =>
        state === "degraded" ? 1 : 0,
      ),
      gauge(
        ["svc_index_generation", "Changes published to the index."],
        ({ generation }) => generation,
      ),
    ];
  }

  #cachedStatus(): Promise<readonly NamespaceStatus[]> {
    const now = performance.now();
    if (this.#cached === undefined || now - this.#cached.at > CACHE_TTL_MS) {
      this.#cached = { status: this.#fetchStatus(), at: now };
    }
    return this.#cached.status;
  }

  async #fetchStatus(): Promise<readonly NamespaceStatus[]> {
    const { deadline, stop } = startDeadline(TIMEOUT_MS);
    try {
      return await deadline.limit(this.#status(deadline.signal));
    } catch (error) {
      // The other metrics matter most when something is wrong.
      this.#logger.warn("the metrics lack those of the indexes", { error });
      return [];
    } finally {
      stop();
    }
  }
}
