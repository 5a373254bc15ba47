import { Deadline } from "../base/deadline.ts";
import type { Id, JsonObject, Notification } from "./message.ts";

/** Sends a notification of a request. */
export interface Notifier {
  notify: (method: string, params: JsonObject) => void;
}

/**
 * One request from its arrival to its answer. It is over by the time limit, by the client's cancellation, or with the
 * connection. A class, because closures for each call would be a large part of a short call's cost.
 */
export class InFlightRequest extends Deadline implements Notifier {
  readonly id: Id | null;
  /** Its share of the received characters. */
  readonly characters: number;
  /** Id of the caller; null until authenticated. */
  principal: string | null = null;
  /** Namespace of the answer. */
  namespace: string | undefined;
  /** True once its tool was called: a later failure is about its arguments or its work. */
  isInTool = false;
  /** True while it has one of the slots of its connection. */
  hasSlot = false;
  isAnswered = false;
  /** False once it has no time limit. */
  isTimed = true;
  readonly #send: (message: Notification) => void;

  constructor(message: ReceivedRequest, options: InFlightOptions) {
    super(options.timeoutMs);
    this.id = message.id ?? null;
    this.characters = message.characters;
    this.#send = options.send;
  }

  /** Does nothing once the request is answered or over. */
  notify(method: string, params: JsonObject): void {
    if (!this.isAnswered && !this.isOver) this.#send({ jsonrpc: "2.0", method, params });
  }
}

interface ReceivedRequest {
  readonly id: Id | undefined;
  readonly characters: number;
}

interface InFlightOptions {
  readonly timeoutMs: number;
  readonly send: (message: Notification) => void;
}

/** The unanswered requests of a connection, all with the same time limit. */
export class InFlightRequests {
  readonly #options: InFlightOptions;
  /** Oldest first. A request without an id is its own key, which no client can name. */
  readonly #requests = new Map<Id | InFlightRequest, InFlightRequest>();
  /** One for all: a timer for each call would cost more than the other work on a short call. */
  #timer: NodeJS.Timeout | undefined;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** An id is free as soon as its request is over, even while the work is still ending. */
  has(id: Id): boolean {
    return this.#requests.get(id)?.isOver === false;
  }

  start(message: ReceivedRequest): InFlightRequest {
    const request = new InFlightRequest(message, this.#options);
    const key = request.id ?? request;
    // To the end, also when an ending request has the id.
    this.#requests.delete(key);
    this.#requests.set(key, request);
    if (this.#timer === undefined) this.#startTimer(request);
    return request;
  }

  end(request: InFlightRequest): void {
    request.isAnswered = true;
    const key = request.id ?? request;
    if (this.#requests.get(key) === request) this.#requests.delete(key);
  }

  /** Does nothing when no such request is in flight. */
  cancel(id: Id): void {
    this.#requests.get(id)?.cancel();
  }

  /** Cancels every request. */
  close(): void {
    clearTimeout(this.#timer);
    for (const request of this.#requests.values()) request.cancel();
  }

  /** Runs until the end of the oldest request. When that is answered before, the timer then serves the next one. */
  #startTimer(oldest: InFlightRequest): void {
    const onTime = (): void => {
      this.#timer = undefined;
      if (isWaiting(oldest)) oldest.expire();
      const next = [...this.#requests.values()].find(isWaiting);
      if (next !== undefined) this.#startTimer(next);
    };
    const leftMs = Math.max(0, oldest.endsAt - performance.now());
    this.#timer = setTimeout(onTime, leftMs).unref();
  }
}

function isWaiting({ isTimed, isAnswered, isOver }: InFlightRequest): boolean {
  return isTimed && !isAnswered && !isOver;
}
