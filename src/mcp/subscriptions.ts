import { SvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import { subscriptionMeta } from "./era.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { SubscriptionContext } from "./methods.ts";
import { HitNotifier, MONITOR_HITS, MONITOR_HITS_METHOD } from "./hit-notifier.ts";
import { callableNames } from "./tools-list.ts";

/** One `subscriptions/listen` that was acknowledged. */
export interface Subscription {
  /** Resolves with the result when the server ends it; never when the client cancels it. */
  readonly ended: Promise<JsonObject>;
}

interface Listener {
  /** Names of the tools it was last told of. */
  tools: string;
  readonly changed: () => void;
  /** Undefined for one that did not ask for hits. */
  readonly hits: HitNotifier | undefined;
  readonly end: () => void;
}

/** In the filter of a subscription. */
const TOOLS = "toolsListChanged";
/** They hold no slot, so something else has to bound them. */
const MAX_SUBSCRIPTIONS = 64;

/** The subscriptions of a connection. What each of them knows is its own: requests share no state. */
export class Subscriptions {
  readonly #listeners = new Set<Listener>();
  #isEnding = false;

  /** Until the signal is aborted. `changed` is called when another list of tools holds. */
  open(
    { principal, tools, signal }: Pick<SubscriptionContext, "principal" | "tools" | "signal">,
    { changed, hits, result }: Pick<Listener, "changed" | "hits"> & { readonly result: JsonObject },
  ): Subscription {
    const { promise: ended, resolve } = Promise.withResolvers<JsonObject>();
    const leave = (): void => {
      this.#listeners.delete(listener);
      hits?.stop();
    };
    const listener = {
      tools: callableNames(tools, principal),
      changed,
      hits,
      end: (): void => {
        leave();
        resolve(result);
      },
    };
    this.#listeners.add(listener);
    hits?.setPrincipal(principal);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    if (this.#isEnding) listener.end();
    return { ended };
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  get isFull(): boolean {
    return this.#listeners.size >= MAX_SUBSCRIPTIONS;
  }

  /** Tells those who listen who was let in, and when other tools are now that caller's. Cheap when nobody does. */
  notice(tools: readonly Tool[], principal: Principal): void {
    if (this.isEmpty) return;
    const names = callableNames(tools, principal);
    for (const listener of this.#listeners) {
      listener.hits?.setPrincipal(principal);
      if (listener.tools === names) continue;
      listener.tools = names;
      listener.changed();
    }
  }

  /** Ends all of them with their result, and every later one as soon as it is acknowledged. */
  endAll(): void {
    this.#isEnding = true;
    for (const listener of this.#listeners) listener.end();
  }
}

/** `subscriptions/listen`: of what the protocol knows only the list of tools ever changes here; hits are svc's own. */
export function listen(params: JsonObject, exchange: SubscriptionContext): Subscription {
  const { subscriptions, requestId, notify, principal, options } = exchange;
  const wantsTools = requests(params, TOOLS);
  const wantsHits = requests(params, MONITOR_HITS);
  if (subscriptions.isFull) {
    throw new SvcError(
      "INVALID_REQUEST",
      `A connection has at most ${MAX_SUBSCRIPTIONS} subscriptions.`,
      { hint: "Cancel one with notifications/cancelled." },
    );
  }
  options.reserveSubscription?.(principal);
  const mark = subscriptionMeta(requestId);
  const filter = {
    ...(wantsTools ? { [TOOLS]: true } : {}),
    ...(wantsHits ? { [MONITOR_HITS]: true } : {}),
  };
  notify("notifications/subscriptions/acknowledged", { ...mark, notifications: filter });
  return subscriptions.open(exchange, {
    changed() {
      if (wantsTools) notify("notifications/tools/list_changed", mark);
    },
    hits: wantsHits
      ? new HitNotifier(options, (hits) => notify(MONITOR_HITS_METHOD, { ...mark, ...hits }))
      : undefined,
    result: mark,
  });
}

/** Throws INVALID_PARAMS. */
function requests({ notifications }: JsonObject, name: string): boolean {
  if (!isObject(notifications)) {
    throw new SvcError("INVALID_PARAMS", "notifications is required: an object.", {
      hint: 'For example {"toolsListChanged": true}.',
    });
  }
  const { [name]: wanted = false } = notifications;
  if (typeof wanted === "boolean") return wanted;
  throw new SvcError("INVALID_PARAMS", `notifications.${name} is true or false.`);
}
