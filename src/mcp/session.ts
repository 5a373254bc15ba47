import { untilAborted } from "../base/deadline.ts";
import { SvcError, toSvcError } from "../base/errors.ts";
import { problemWithBatch } from "./batch.ts";
import { callEvent, callFields, type CallFacts, type EndedCall } from "./call-event.ts";
import { problemWithMeta, requestOf, type Request } from "./era.ts";
import { errorReply } from "./errors.ts";
import { InFlight, type Flight } from "./in-flight.ts";
import { isId, isObject, paramsOf, readMessage, replyId } from "./message.ts";
import type { Call, Incoming, JsonObject, Outgoing, Reply } from "./message.ts";
import {
  methodOf,
  type Connection,
  type Exchange,
  type ListenerExchange,
  type Method,
} from "./methods.ts";
import type { ServerOptions } from "./options.ts";
import { parseJson } from "./parse-json.ts";
import { HitsWatch, MONITOR_HITS_METHOD } from "./monitor-hits.ts";
import { logMessage, sendMessage, type Send } from "./outbox.ts";
import { failure, noSuchMethod, success } from "./reply.ts";
import { Slots } from "../base/slots.ts";
import type { Caller } from "../sources/caller.ts";
import type { Tool } from "../tools/tool.ts";
import { Subscriptions } from "./subscriptions.ts";
import { announceChangedList } from "./tools-list.ts";

/** One message of those that came: alone, or in a batch. */
interface Arrival {
  /** Where its reply goes: out, or into the array that answers its batch. */
  readonly deliver: (reply: Reply) => void;
  /** Its share of what was received. */
  readonly characters: number;
}

type OpenMethod = Extract<Method, { access: "open" }>;
type VerifiedMethod = Exclude<Method, OpenMethod>;

/** One request under way, and what becomes known of it. */
interface Run {
  readonly flight: Flight;
  readonly facts: CallFacts;
  readonly characters: number;
  /** Gives its slot back; undefined while it has none. */
  leave?: (() => void) | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_IN_FLIGHT = 64;
/** About what is kept of a waiting request besides its text. */
const WAITING_BYTES = 1024;

/**
 * One connection, whatever carries it: reads messages, runs requests side by side, and sends exactly
 * one reply to each that is neither cancelled nor cut off by `close`.
 */
export class Session {
  readonly #options: ServerOptions;
  readonly #send: Send;
  readonly #slots: Slots;
  readonly #connection: Connection = { isInitialized: false };
  readonly #inFlight = new InFlight();
  readonly #subscriptions = new Subscriptions();
  /** Those of the last caller who was let in. */
  #tools: readonly Tool[] = [];
  /** Of a legacy client that takes hits of monitors. */
  #hits: HitsWatch | undefined;
  /** Ends the watch over the caller's rights; undefined while nobody is to be told of them. */
  #unwatch: (() => void) | undefined;
  #isClosed = false;
  #waitingBytes = 0;

  constructor(options: ServerOptions, send: Send) {
    this.#options = options;
    this.#send = send;
    this.#slots = new Slots(options.maxInFlight ?? MAX_IN_FLIGHT);
  }

  /**
   * Resolves when every reply the message asks for has been sent; undefined when that was done at once:
   * a promise for each line of garbage would double what a flood of it costs. Never rejects.
   */
  receive(text: string): Promise<void> | undefined {
    const value = parseJson(text);
    if (value === undefined) {
      this.#transmit(notJson());
      return undefined;
    }
    logMessage("received", value, this.#options.logger);
    const { length: characters } = text;
    if (Array.isArray(value)) return this.#answerBatch(value, characters);
    return this.#answer(value, { deliver: (reply) => this.#transmit(reply), characters });
  }

  /** Answers a message that could not be read at all, and so has no id. */
  refuse(error: SvcError): void {
    this.#transmit(errorReply(null, error));
  }

  /** What requests take up that have not started. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Starts no waiting request until `resume`: the other side does not take its answers. */
  pause(): void {
    this.#slots.pause();
  }

  resume(): void {
    this.#slots.resume();
  }

  /**
   * Answers every open subscription, since nothing will change any more, and each that is still to
   * come as soon as it is acknowledged. Resolves when the answers to the open ones have been sent.
   */
  async endSubscriptions(): Promise<void> {
    this.#subscriptions.endAll();
    // Nothing but settled promises is between them and the transport, and those go before this.
    await new Promise(setImmediate);
  }

  /** Aborts what runs. Nothing is sent from now on. */
  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
    this.#hits?.stop();
    this.#inFlight.cancelAll();
  }

  async #answerBatch(batch: readonly unknown[], characters: number): Promise<void> {
    const problem = problemWithBatch(batch, this.#connection.version);
    if (problem !== undefined) {
      this.refuse(new SvcError("INVALID_REQUEST", problem));
      return;
    }
    const replies: Reply[] = [];
    const arrival: Arrival = {
      deliver: (reply) => void replies.push(reply),
      characters: characters / batch.length,
    };
    await Promise.all(batch.map(async (value) => this.#answer(value, arrival)));
    if (replies.length > 0) this.#transmit(replies);
  }

  // Runs up to its first wait without yielding, so that `initialize` takes effect before the next
  // message is read, and a duplicate of an id is seen even within one batch.
  #answer(value: unknown, arrival: Arrival): Promise<void> | undefined {
    const { deliver } = arrival;
    const message = readMessage(value);
    const problem = this.#options.problemWith?.(message);
    if (problem !== undefined) {
      this.#refuseMessage(message, problem, deliver);
      return undefined;
    }
    // The server sends no requests, so no response is awaited.
    if (message.kind === "response") return undefined;
    if (message.kind === "invalid") {
      deliver(errorReply(message.id, message.problem));
      return undefined;
    }
    const request = requestOf(message);
    const method = methodOf(request.method, request.era);
    // The interface shows calls without an id, all of them legacy.
    const mayLackId = request.era === "legacy" && method?.isDocumented === true;
    if (request.id === undefined && !mayLackId) {
      this.#takeNotification(request);
      return undefined;
    }
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      this.#refuseMessage(request, refusal, deliver);
    } else if (method === undefined || method.access === "open") {
      deliver(this.#answerAtOnce(request, method));
    } else {
      return this.#run(request, method, arrival);
    }
    return undefined;
  }

  #refuseMessage(message: Incoming, error: SvcError, deliver: Arrival["deliver"]): void {
    deliver(errorReply(message.kind === "call" ? replyId(message) : null, error));
    if (message.kind === "call") this.#audit(message, { outcome: error.code, ms: 0 });
  }

  /** Why the request is not even looked at. */
  #refusalOf({ id, params }: Request): SvcError | undefined {
    if (id === undefined || !this.#inFlight.has(id)) return problemWithMeta(params);
    return new SvcError("DUPLICATE_ID", "A request with this id is still being answered.");
  }

  #takeNotification({ method, params }: Call): void {
    if (method === "notifications/initialized") {
      this.#connection.isInitialized = true;
      this.#watchRights();
    }
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const { requestId } = params;
    if (isId(requestId)) this.#inFlight.cancel(requestId);
  }

  #answerAtOnce(message: Request, method: OpenMethod | undefined): Reply {
    const options = this.#options;
    try {
      if (method === undefined) throw noSuchMethod(message);
      const result = method.handle(paramsOf(message), this.#exchange(message));
      return success(message, result, options);
    } catch (thrown) {
      return failure(message, toSvcError(thrown), { method, options });
    }
  }

  async #run(
    message: Request,
    method: VerifiedMethod,
    { deliver, characters }: Arrival,
  ): Promise<void> {
    const startedAt = performance.now();
    const options = this.#options;
    const flight = this.#inFlight.start(message.id, options.timeoutMs ?? TIMEOUT_MS);
    const facts: CallFacts = { principal: null };
    const run: Run = { flight, facts, characters };
    let reply: Reply | undefined;
    let outcome = "ok";
    try {
      const result = await this.#resultOf(message, method, run);
      // The cancellation may have been read while the finished result was on its way here.
      flight.signal.throwIfAborted();
      reply = success(message, result, options);
    } catch (thrown) {
      const isCancelled = flight.signal.aborted && !(flight.signal.reason instanceof SvcError);
      const error = toSvcError(thrown);
      outcome = isCancelled ? "cancelled" : error.code;
      if (!isCancelled) reply = failure(message, error, { method, options });
    }
    flight.end();
    // At once, with no wait between: from `end` on the request can no longer be cancelled.
    if (reply !== undefined) deliver(reply);
    // Not before: answers on their way out to a client that does not read are as many as there are slots.
    run.leave?.();
    if (message.method !== "tools/call") return;
    const ms = Math.round(performance.now() - startedAt);
    options.logger.info("call", { ...callFields(message, reply), ms, outcome });
    this.#audit(message, { reply, facts, ms, outcome });
  }

  #audit(
    message: Call,
    {
      reply,
      facts = { principal: null },
      ...end
    }: Pick<EndedCall, "ms" | "outcome"> & Partial<EndedCall>,
  ): void {
    if (message.method !== "tools/call") return;
    const connection = this.#connection;
    this.#options.audit?.(callEvent({ message, reply, facts, connection, ...end }));
  }

  async #resultOf(message: Request, method: VerifiedMethod, run: Run): Promise<JsonObject> {
    if (method.access === "caller") return this.#inSlot(message, run, method.handle);
    const { ended } = await this.#inSlot(message, run, method.handle);
    run.leave?.();
    run.flight.stopClock();
    return untilAborted(ended, run.flight.signal);
  }

  async #inSlot<Result>(
    message: Request,
    run: Run,
    handle: (params: JsonObject, exchange: ListenerExchange) => Result | Promise<Result>,
  ): Promise<Result> {
    const { signal } = run.flight;
    const handled = async (): Promise<Result> => {
      const exchange = await this.#letIn(message, run);
      return handle(paramsOf(message), exchange);
    };
    const bytes = WAITING_BYTES + run.characters;
    this.#waitingBytes += bytes;
    try {
      await this.#slots.take(signal);
    } finally {
      this.#waitingBytes -= bytes;
    }
    run.leave = (): void => {
      run.leave = undefined;
      this.#slots.release();
    };
    try {
      return await untilAborted(handled(), signal);
    } finally {
      this.#watchRights();
    }
  }

  /** Verifies the credential, and gathers what a handler may use for its owner. */
  async #letIn(message: Request, { flight, facts }: Run): Promise<ListenerExchange> {
    flight.signal.throwIfAborted();
    const caller = await this.#options.authorize();
    facts.principal = caller.id;
    const { tools } = this.#options;
    const loaded = typeof tools === "function" ? await tools() : tools;
    this.#tools = loaded;
    flight.signal.throwIfAborted();
    this.#subscriptions.notice(loaded, caller);
    this.#hits?.notice(caller);
    return {
      ...this.#exchange(message),
      caller,
      tools: loaded,
      signal: flight.signal,
      answerBy: flight.answerBy,
      requestId: replyId(message),
      subscriptions: this.#subscriptions,
      noteNamespace: (namespace: string): void => {
        facts.namespace = namespace;
      },
      notify: (name: string, params: JsonObject): void => {
        if (flight.isOpen()) this.#transmit({ jsonrpc: "2.0", method: name, params });
      },
    };
  }

  /**
   * Once there is somebody to be told: a subscription, or a legacy client that has listed the tools or takes hits of
   * monitors.
   */
  #watchRights(): void {
    const { isInitialized, listedTools, takesMonitorHits = false } = this.#connection;
    const isClientHeard = isInitialized && (listedTools !== undefined || takesMonitorHits);
    if (this.#isClosed || (this.#subscriptions.isEmpty && !isClientHeard)) return;
    if (isInitialized && takesMonitorHits) this.#hits ??= this.#watchHits();
    this.#unwatch ??= this.#options.watchRights?.((caller) => this.#noticeRights(caller));
  }

  #watchHits(): HitsWatch {
    return new HitsWatch(this.#options, (params) => {
      // It may have opened anew without asking for them.
      if (this.#connection.takesMonitorHits !== true) return;
      this.#transmit({ jsonrpc: "2.0", method: MONITOR_HITS_METHOD, params });
    });
  }

  #noticeRights(caller: Caller): void {
    const tools = this.#tools;
    this.#subscriptions.notice(tools, caller);
    this.#hits?.notice(caller);
    announceChangedList({
      tools,
      caller,
      connection: this.#connection,
      notify: (method, params) => this.#transmit({ jsonrpc: "2.0", method, params }),
    });
  }

  #exchange({ era }: Request): Exchange {
    const connection = era === "modern" ? { isInitialized: false } : this.#connection;
    return { options: this.#options, connection, era };
  }

  #transmit(message: Outgoing): void {
    if (!this.#isClosed) sendMessage(message, this.#send, this.#options.logger);
  }
}

let madeOnce: Reply | undefined;

/** Made once: there are floods of garbage. */
function notJson(): Reply {
  const detail = "The message is not valid JSON.";
  return (madeOnce ??= errorReply(null, new SvcError("PARSE_ERROR", detail)));
}
