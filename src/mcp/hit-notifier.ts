// Hits of monitors, told to clients that ask for it. The protocol has no such notification: its name, and what
// clients ask for it with, are svc's own.
import { errorRow, SvcError } from "../base/errors.ts";
import type { ChangeLogPositions, NamespaceHits } from "../engine/monitors/monitor-hits.ts";
import type { Principal } from "../sources/principal.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { ServerOptions } from "./options.ts";

/** In the filter of a subscription, and among the experimental capabilities of a legacy client. */
export const MONITOR_HITS = "dev.svc/monitorHits";
export const MONITOR_HITS_METHOD = "notifications/dev.svc/monitor_hits";

type HitNotifierOptions = Pick<ServerOptions, "engine" | "authorize" | "recheck" | "logger">;

const POLL_INTERVAL_MS = 500;
const UNAUTHORIZED = 401;

/** All that look, in this process: one timer serves them. */
const notifiers = new Set<HitNotifier>();
let timer: NodeJS.Timeout | undefined;

/** Whether a legacy client says in `initialize` that it takes the notification. */
export function takesMonitorHits(capabilities: unknown): boolean {
  const experimental = isObject(capabilities) ? capabilities["experimental"] : undefined;
  return isObject(experimental) && isObject(experimental[MONITOR_HITS]);
}

/**
 * Looks for hits of one listener's own monitors, from when it is made until it is stopped, and tells each once. A
 * look reads what the journals say: it has nothing indexed and no file looked at.
 */
export class HitNotifier {
  readonly #options: HitNotifierOptions;
  readonly #notify: (params: JsonObject) => void;
  readonly #fromMs = Date.now();
  #positions: ChangeLogPositions = new Map();
  /** Undefined while nobody is let in. */
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

  /** Told of who was let in last. */
  setPrincipal(principal: Principal): void {
    this.#principal = principal;
  }

  /** Never rejects: what cannot be read now is told by a later look. */
  async poll(): Promise<void> {
    if (this.#isPolling || this.#principal === undefined) return;
    this.#isPolling = true;
    try {
      await this.#pollFor(this.#principal);
    } catch (error) {
      this.#options.logger.debug("monitors not looked at", { error });
    } finally {
      this.#isPolling = false;
    }
  }

  async #pollFor(principal: Principal): Promise<void> {
    const engine = await this.#options.engine();
    const request = { principal, fromMs: this.#fromMs, positions: this.#positions };
    const { found, positions } = await engine.monitorHits(request);
    // Verified only when there is something to tell: most looks find nothing.
    const verified = found.length === 0 ? principal : await this.#verify();
    // Another credential has monitors of its own: the next look is for those.
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
      // Who is refused is asked for again when somebody is let in.
      if (thrown instanceof SvcError && errorRow(thrown).http === UNAUTHORIZED) {
        this.#principal = undefined;
      }
      throw thrown;
    }
  }
}

function pollAll(): void {
  for (const watch of notifiers) void watch.poll();
}

function paramsOf({ namespace, hits, hasMore, since }: NamespaceHits): JsonObject {
  return { namespace, hits, ...(hasMore ? { more: true } : {}), since };
}
