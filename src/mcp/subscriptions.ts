import { SvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import { subscriptionMeta } from "./era.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { PrincipalContext } from "./method-context.ts";
import { listenForHits, MONITOR_HITS, MONITOR_HITS_METHOD } from "./hit-notifier.ts";
import type { HitListener } from "./options.ts";
import { callableNames } from "./tools-list.ts";

export interface SubscriptionContext extends PrincipalContext {
  readonly subscriptions: Subscriptions;
}

/** An acknowledged `subscriptions/listen`. */
export interface Subscription {
  /** Resolves with the result when the server ends the subscription; never when the client cancels it. */
  readonly ended: Promise<JsonObject>;
}

interface Listener {
  /** Names of the tools that it knows. */
  tools: string;
  readonly changed: () => void;
  /** Undefined when it did not request hits. */
  readonly hits: HitListener | undefined;
  readonly end: () => void;
}

/** Key in the filter of a subscription. */
const TOOLS = "toolsListChanged";
/** Subscriptions hold no slot, so they need a limit of their own. */
const MAX_SUBSCRIPTIONS = 64;

/** The subscriptions of a connection. They share no state. */
export class Subscriptions {
  readonly #listeners = new Set<Listener>();
  #isEnding = false;

  /** Opens a subscription until its request is cancelled. `changed` is called when the list of tools changes. */
  open(
    { principal, tools, request }: Pick<SubscriptionContext, "principal" | "tools" | "request">,
    { changed, hits, result }: Pick<Listener, "changed" | "hits"> & { readonly result: JsonObject },
  ): Subscription {
    const { promise: ended, resolve } = Promise.withResolvers<JsonObject>();
    const close = (): void => {
      this.#listeners.delete(listener);
      hits?.stop();
    };
    const listener = {
      tools: callableNames(tools, principal),
      changed,
      hits,
      end: (): void => {
        close();
        resolve(result);
      },
    };
    this.#listeners.add(listener);
    hits?.setPrincipal(principal);
    request.signal.addEventListener("abort", close, { once: true });
    if (request.isOver) close();
    if (this.#isEnding) listener.end();
    return { ended };
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  get isFull(): boolean {
    return this.#listeners.size >= MAX_SUBSCRIPTIONS;
  }

  /** Passes the authenticated caller to the listeners, and notifies those whose list of tools changed. */
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

  /** Ends all subscriptions with their result, and every later one as soon as it is acknowledged. */
  endAll(): void {
    this.#isEnding = true;
    for (const listener of this.#listeners) listener.end();
  }
}

/** `subscriptions/listen`. Of the protocol's lists, only that of tools changes here; hits are an extension of svc. */
export function listen(params: JsonObject, exchange: SubscriptionContext): Subscription {
  const { subscriptions, request, principal, options } = exchange;
  const wantsTools = requests(params, TOOLS);
  const wantsHits = requests(params, MONITOR_HITS);
  if (subscriptions.isFull) {
    throw new SvcError(
      "INVALID_REQUEST",
      `A connection can have up to ${MAX_SUBSCRIPTIONS} subscriptions.`,
      { hint: "Cancel one with notifications/cancelled." },
    );
  }
  options.reserveSubscription?.(principal);
  const mark = subscriptionMeta(request.id);
  const filter = {
    ...(wantsTools ? { [TOOLS]: true } : {}),
    ...(wantsHits ? { [MONITOR_HITS]: true } : {}),
  };
  request.notify("notifications/subscriptions/acknowledged", { ...mark, notifications: filter });
  return subscriptions.open(exchange, {
    changed() {
      if (wantsTools) request.notify("notifications/tools/list_changed", mark);
    },
    hits: wantsHits
      ? listenForHits(options, (hits) => request.notify(MONITOR_HITS_METHOD, { ...mark, ...hits }))
      : undefined,
    result: mark,
  });
}

/** Whether the filter requests `name`. Throws INVALID_PARAMS. */
function requests({ notifications }: JsonObject, name: string): boolean {
  if (!isObject(notifications)) {
    throw new SvcError("INVALID_PARAMS", "notifications is required: an object.", {
      hint: 'For example {"toolsListChanged": true}.',
    });
  }
  const { [name]: wanted = false } = notifications;
  if (typeof wanted === "boolean") return wanted;
  throw new SvcError("INVALID_PARAMS", `notifications.${name} must be true or false.`);
}
