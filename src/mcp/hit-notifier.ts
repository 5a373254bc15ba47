// Sends monitor hits to clients that request them. The protocol has no such notification: its name and the
// subscription filter are extensions of svc.
import { errorRow, SvcError } from "../base/errors.ts";
import type { ChangeLogPositions, NamespaceHits } from "../engine/api/monitor-hits.ts";
import type { Principal } from "../sources/principal.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { HitListener, ServerOptions } from "./options.ts";

/** Key in the filter of a subscription, and in the experimental capabilities of a legacy client. */
export const MONITOR_HITS = "dev.svc/monitorHits";
export const MONITOR_HITS_METHOD = "notifications/dev.svc/monitor_hits";

type HitNotifierOptions = Pick<ServerOptions, "engine" | "authorize" | "recheck" | "logger">;

const POLL_INTERVAL_MS = 500;
const UNAUTHORIZED = 401;

/** All notifiers of this process, which share one timer. */
const notifiers = new Set<HitNotifier>();
let timer: NodeJS.Timeout | undefined;

/** Whether a legacy client declares support for the notification in `initialize`. */
export function takesMonitorHits(capabilities: unknown): boolean {
  const experimental = isObject(capabilities) ? capabilities["experimental"] : undefined;
  return isObject(experimental) && isObject(experimental[MONITOR_HITS]);
}

/** Starts to send hits to a listener: those of this machine's engine, or those that another server sends. */
export function listenForHits(
  options: ServerOptions,
  notify: (params: JsonObject) => void,
): HitListener {
  return options.listenForHits?.(notify) ?? new HitNotifier(options, notify);
}

/**
 * Polls for hits of one listener's monitors, from its creation until stop(), and sends each hit once. A poll reads only
 * change logs: it starts no indexing and reads no file.
 */
class HitNotifier implements HitListener {
  readonly #options: HitNotifierOptions;
  readonly #notify: (params: JsonObject) => void;
  readonly #fromMs = Date.now();
  #positions: ChangeLogPositions = new Map();
  /** Undefined while no caller is authenticated. */
  #principal: Principal | undefined;
  #isPolling = false;

  constructor(options: HitNotifierOptions, notify: (params: JsonObject) => void) {
    this.#options = options;
    this.#notify = notify;
    notifiers.add(this);
    timer ??= setInterval(pollAll, POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    notifiers.delete(this);
    if (notifiers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** Sets the last authenticated caller. */
  setPrincipal(principal: Principal): void {
    this.#principal = principal;
  }

  /** Never rejects: a later poll sends hits that cannot be read now. */
  async poll(): Promise<void> {
    if (this.#isPolling || this.#principal === undefined) return;
    this.#isPolling = true;
    try {
      await this.#pollFor(this.#principal);
    } catch (error) {
      this.#options.logger.debug("polling monitor hits failed", { error });
    } finally {
      this.#isPolling = false;
    }
  }

  async #pollFor(principal: Principal): Promise<void> {
    const engine = await this.#options.engine();
    const request = { principal, fromMs: this.#fromMs, positions: this.#positions };
    const { found, positions } = await engine.monitorHits(request);
    // Verify only when there are hits: most polls find none.
    const verified = found.length === 0 ? principal : await this.#verify();
    // Another credential has other monitors: the next poll reads those.
    if (verified.id !== principal.id || !notifiers.has(this)) return;
    this.#positions = positions;
    for (const hits of found) if (verified.canAccess(hits.namespace)) this.#notify(paramsOf(hits));
  }

  async #verify(): Promise<Principal> {
    const { authorize, recheck = authorize } = this.#options;
    try {
      this.#principal = await recheck();
      return this.#principal;
    } catch (thrown) {
      // A refused caller is unset until the next successful authentication.
      if (thrown instanceof SvcError && errorRow(thrown).http === UNAUTHORIZED) {
        this.#principal = undefined;
      }
      throw thrown;
    }
  }
}

function pollAll(): void {
  for (const notifier of notifiers) void notifier.poll();
}

function paramsOf({ namespace, hits, hasMore, since }: NamespaceHits): JsonObject {
  return { namespace, hits, ...(hasMore ? { more: true } : {}), since };
}
