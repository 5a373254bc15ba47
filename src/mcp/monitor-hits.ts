// Hits of monitors, told to clients that ask for it. The protocol has no such notification: its name, and what
// clients ask for it with, are svc's own.
import { errorRow, SvcError } from "../base/errors.ts";
import type { HitPlaces, NamespaceHits } from "../engine/monitors/monitor-hits.ts";
import type { Caller } from "../sources/caller.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { ServerOptions } from "./options.ts";

/** In the filter of a subscription, and among the experimental capabilities of a legacy client. */
export const MONITOR_HITS = "dev.svc/monitorHits";
export const MONITOR_HITS_METHOD = "notifications/dev.svc/monitor_hits";

type HitsOptions = Pick<ServerOptions, "engine" | "authorize" | "recheck" | "logger">;

const LOOK_MS = 500;
const UNAUTHORIZED = 401;

/** All that look, in this process: one timer serves them. */
const watches = new Set<HitsWatch>();
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
export class HitsWatch {
  readonly #options: HitsOptions;
  readonly #tell: (params: JsonObject) => void;
  readonly #fromMs = Date.now();
  #places: HitPlaces = new Map();
  /** Undefined while nobody is let in. */
  #caller: Caller | undefined;
  #isLooking = false;

  constructor(options: HitsOptions, tell: (params: JsonObject) => void) {
    this.#options = options;
    this.#tell = tell;
    watches.add(this);
    timer ??= setInterval(lookForAll, LOOK_MS).unref();
  }

  stop(): void {
    watches.delete(this);
    if (watches.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** Told of who was let in last. */
  notice(caller: Caller): void {
    this.#caller = caller;
  }

  /** Never rejects: what cannot be read now is told by a later look. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#caller === undefined) return;
    this.#isLooking = true;
    try {
      await this.#lookFor(this.#caller);
    } catch (error) {
      this.#options.logger.debug("monitors not looked at", { error });
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookFor(caller: Caller): Promise<void> {
    const engine = await this.#options.engine();
    const request = { caller, fromMs: this.#fromMs, places: this.#places };
    const { found, places } = await engine.monitorHits(request);
    // Verified only when there is something to tell: most looks find nothing.
    const verified = found.length === 0 ? caller : await this.#verify();
    // Another credential has monitors of its own: the next look is for those.
    if (verified.id !== caller.id || !watches.has(this)) return;
    this.#places = places;
    for (const hits of found) if (verified.maySee(hits.namespace)) this.#tell(paramsOf(hits));
  }

  async #verify(): Promise<Caller> {
    const { authorize, recheck = authorize } = this.#options;
    try {
      this.#caller = await recheck();
      return this.#caller;
    } catch (thrown) {
      // Who is refused is asked for again when somebody is let in.
      if (thrown instanceof SvcError && errorRow(thrown).http === UNAUTHORIZED) {
        this.#caller = undefined;
      }
      throw thrown;
    }
  }
}

function lookForAll(): void {
  for (const watch of watches) void watch.look();
}

function paramsOf({ namespace, hits, hasMore, since }: NamespaceHits): JsonObject {
  return { namespace, hits, ...(hasMore ? { more: true } : {}), since };
}
