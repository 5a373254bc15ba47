import { startDeadline, untilAborted } from "../../base/deadline.ts";
import type { Logger } from "../../base/log.ts";
import type { NamespaceStatus } from "../../engine/namespace-status.ts";
import type { Family, Labels } from "./metrics.ts";

/** Status of every namespace on this machine. */
export type IndexStatus = (signal: AbortSignal) => Promise<readonly NamespaceStatus[]>;

/** Collectors ask every 15 seconds or so: one look serves several of them. */
const KEPT_MS = 5000;
/** Shorter than collectors wait. */
const LIMIT_MS = 5000;

/** How large the indexes are. */
export class IndexMetrics {
  readonly #status: IndexStatus;
  readonly #logger: Logger;
  #found: { readonly status: Promise<readonly NamespaceStatus[]>; readonly at: number } | undefined;

  constructor(status: IndexStatus, logger: Logger) {
    this.#status = status;
    this.#logger = logger;
  }

  /** By namespace; or summed up, for who may not know their names. None where the indexes cannot be opened. */
  async families({ areNamed }: { readonly areNamed: boolean }): Promise<readonly Family[]> {
    const all = await this.#look();
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
      gauge(["svc_index_files", "Files that are indexed."], ({ files }) => files),
      gauge(["svc_index_chunks", "Pieces they are cut into."], ({ chunks }) => chunks),
      gauge(["svc_index_bytes", "Size of these files."], ({ bytes }) => bytes),
      gauge(["svc_index_degraded", "1 for an index that is damaged."], ({ state }) =>
        state === "degraded" ? 1 : 0,
      ),
      gauge(
        ["svc_index_generation", "Changes that were published."],
        ({ generation }) => generation,
      ),
    ];
  }

  #look(): Promise<readonly NamespaceStatus[]> {
    const now = performance.now();
    if (this.#found === undefined || now - this.#found.at > KEPT_MS) {
      this.#found = { status: this.#ask(), at: now };
    }
    return this.#found.status;
  }

  async #ask(): Promise<readonly NamespaceStatus[]> {
    const { signal, stop } = startDeadline(LIMIT_MS);
    try {
      return await untilAborted(this.#status(signal), signal);
    } catch (error) {
      // The other numbers are wanted most when something is wrong.
      this.#logger.warn("metrics without the index", { error });
      return [];
    } finally {
      stop();
    }
  }
}
