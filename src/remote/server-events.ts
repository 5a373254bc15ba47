// The notifications of a server: changes of the caller's tools, and hits of its monitors. One subscription serves all
// listeners, is open only while there are any, and is opened again after a failure.

import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "../base/log.ts";
import { MONITOR_HITS, MONITOR_HITS_METHOD } from "../mcp/hit-notifier.ts";
import type { OpenClient, RemoteSubscription } from "./remote-client.ts";

type Hits = Readonly<Record<string, unknown>>;
type Listener<Args extends readonly unknown[]> = (...args: Args) => void;

const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

export class ServerEvents {
  readonly #client: OpenClient;
  readonly #logger: Logger;
  readonly #toolListeners = new Set<Listener<[]>>();
  readonly #hitListeners = new Set<Listener<[Hits]>>();
  /** Aborted when there are no listeners left. */
  #following: AbortController | undefined;
  #subscription: { readonly wantsHits: boolean; readonly open: RemoteSubscription } | undefined;

  constructor(client: OpenClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Calls `listener` when the list of tools may have changed. Returns a function that ends this. */
  onTools(listener: Listener<[]>): () => void {
    return this.#add(this.#toolListeners, listener);
  }

  /** Calls `listener` with the hits of the caller's monitors. Returns a function that ends this. */
  onHits(listener: Listener<[Hits]>): () => void {
    const stop = this.#add(this.#hitListeners, listener);
    // The present subscription was opened without them.
    if (this.#subscription?.wantsHits === false) this.#subscription.open.close();
    return stop;
  }

  /** Takes a notification that the client received. */
  readonly receive = (method: string, params: Hits): void => {
    if (method === "notifications/tools/list_changed") this.#notifyTools();
    if (method !== MONITOR_HITS_METHOD) return;
    const { _meta: _subscription, ...hits } = params;
    for (const listener of this.#hitListeners) listener(hits);
  };

  close(): void {
    this.#following?.abort();
    this.#subscription?.open.close();
  }

  #add<L>(listeners: Set<L>, listener: L): () => void {
    listeners.add(listener);
    this.#following ??= this.#start();
    return () => {
      listeners.delete(listener);
      if (this.#toolListeners.size + this.#hitListeners.size > 0) return;
      this.close();
      this.#following = undefined;
    };
  }

  #start(): AbortController {
    const following = new AbortController();
    void this.#follow(following.signal);
    return following;
  }

  /** Keeps a subscription open until the signal is aborted. Never rejects. */
  async #follow(signal: AbortSignal): Promise<void> {
    let retryMs = MIN_RETRY_MS;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        // eslint-disable-next-line no-await-in-loop -- one subscription after the other
        await this.#subscribeOnce(signal, attempt);
        retryMs = MIN_RETRY_MS;
      } catch (error) {
        this.#logger.debug("no notifications from the server", { error });
      }
      // eslint-disable-next-line no-await-in-loop -- as above
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => {});
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  /** Resolves when the subscription has ended. */
  async #subscribeOnce(signal: AbortSignal, attempt: number): Promise<void> {
    const wantsHits = this.#hitListeners.size > 0;
    const client = await this.#client();
    const open = await client.subscribe({
      toolsListChanged: true,
      ...(wantsHits ? { [MONITOR_HITS]: true } : {}),
    });
    this.#subscription = { wantsHits, open };
    if (signal.aborted) open.close();
    // A change may have happened while there was none.
    if (attempt > 1) this.#notifyTools();
    await open.ended;
    this.#subscription = undefined;
    const isReplaced = !wantsHits && this.#hitListeners.size > 0;
    if (isReplaced && !signal.aborted) await this.#subscribeOnce(signal, attempt);
  }

  #notifyTools(): void {
    for (const listener of this.#toolListeners) listener();
  }
}
