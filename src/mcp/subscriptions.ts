import { SvcError } from "../base/errors.ts";
import type { Caller } from "../sources/caller.ts";
import type { Tool } from "../tools/tool.ts";
import { subscriptionMeta } from "./era.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { ListenerExchange } from "./methods.ts";
import { namesOfCallable } from "./tools-list.ts";

/** One `subscriptions/listen` that was acknowledged. */
export interface Subscription {
  /** Resolves with the result when the server ends it; never when the client cancels it. */
  readonly ended: Promise<JsonObject>;
}

interface Listener {
  /** Names of the tools it was last told of. */
  tools: string;
  readonly changed: () => void;
  readonly end: () => void;
}

/** They hold no slot, so something else has to bound them. */
const MAX_SUBSCRIPTIONS = 64;

/** The subscriptions of a connection. What each of them knows is its own: requests share no state. */
export class Subscriptions {
  readonly #listeners = new Set<Listener>();
  #isEnding = false;

  /** Until the signal is aborted. `changed` is called when another list of tools holds. */
  open(
    { caller, tools, signal }: Pick<ListenerExchange, "caller" | "tools" | "signal">,
    { changed, result }: { readonly changed: () => void; readonly result: JsonObject },
  ): Subscription {
    const { promise: ended, resolve } = Promise.withResolvers<JsonObject>();
    const listener = {
      tools: namesOfCallable(tools, caller),
      changed,
      end: (): void => {
        this.#listeners.delete(listener);
        resolve(result);
      },
    };
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
    if (this.#isEnding) listener.end();
    return { ended };
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  get isFull(): boolean {
    return this.#listeners.size >= MAX_SUBSCRIPTIONS;
  }

  /** Tells those who listen when the caller's tools are others than they were. Cheap when nobody does. */
  notice(tools: readonly Tool[], caller: Caller): void {
    if (this.isEmpty) return;
    const names = namesOfCallable(tools, caller);
    for (const listener of this.#listeners) {
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

/** `subscriptions/listen`: only the list of tools ever changes here, so only that can be honoured. */
export function listen(params: JsonObject, exchange: ListenerExchange): Subscription {
  const { subscriptions, requestId, notify, caller, options } = exchange;
  const isHonoured = wantsTools(params);
  if (subscriptions.isFull) {
    throw new SvcError(
      "INVALID_REQUEST",
      `A connection has at most ${MAX_SUBSCRIPTIONS} subscriptions.`,
      { hint: "Cancel one with notifications/cancelled." },
    );
  }
  options.admitSubscription?.(caller);
  const mark = subscriptionMeta(requestId);
  const filter = isHonoured ? { toolsListChanged: true } : {};
  notify("notifications/subscriptions/acknowledged", { ...mark, notifications: filter });
  return subscriptions.open(exchange, {
    changed() {
      if (isHonoured) notify("notifications/tools/list_changed", mark);
    },
    result: mark,
  });
}

function wantsTools({ notifications }: JsonObject): boolean {
  if (!isObject(notifications)) {
    throw new SvcError("INVALID_PARAMS", "notifications is required: an object.", {
      hint: 'For example {"toolsListChanged": true}.',
    });
  }
  const { toolsListChanged = false } = notifications;
  if (typeof toolsListChanged === "boolean") return toolsListChanged;
  throw new SvcError("INVALID_PARAMS", "notifications.toolsListChanged is true or false.");
}
