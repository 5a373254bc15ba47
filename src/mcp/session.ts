import { SvcError, toSvcError } from "../base/errors.ts";
import { problemWithBatch } from "./batch.ts";
import { callEvent, callFields, type EndedCall } from "./call-event.ts";
import { problemWithMeta, toEraRequest, type EraRequest } from "./era.ts";
import { errorReply, isRefusal } from "./errors.ts";
import { InFlightRequests, type InFlightRequest } from "./in-flight-requests.ts";
import { isId, isObject, paramsOf, readMessage, replyId } from "./message.ts";
import type { Call, Incoming, JsonObject, OutgoingMessage, Reply } from "./message.ts";
import type { ConnectionState, MethodContext } from "./method-context.ts";
import type { SubscriptionContext } from "./subscriptions.ts";
import { methodOf, type Method } from "./methods.ts";
import type { HitListener, ServerOptions } from "./options.ts";
import { parseJson } from "./parse-json.ts";
import { listenForHits, MONITOR_HITS_METHOD } from "./hit-notifier.ts";
import { noteMessage } from "./log-note.ts";
import { logMessage, sendMessage, type Send } from "./outbox.ts";
import { failureReply, noSuchMethod, successReply } from "./reply.ts";
import { Semaphore } from "../base/semaphore.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import { Subscriptions } from "./subscriptions.ts";
import { announceChangedList } from "./tools-list.ts";

/** How to reply to a received message, single or in a batch. */
interface Arrival {
  /** Sends the reply, or adds it to the reply of its batch. */
  readonly deliver: (reply: Reply) => void;
  /** Its share of the received characters. */
  readonly characters: number;
}

type OpenMethod = Extract<Method, { access: "open" }>;
type VerifiedMethod = Exclude<Method, OpenMethod>;

const TIMEOUT_MS = 30_000;
const MAX_IN_FLIGHT = 64;
/** Approximate memory of a waiting request besides its text. */
const WAITING_REQUEST_BYTES = 1024;

/**
 * One connection over any transport: reads messages, runs requests concurrently, and sends exactly one reply to each
 * request that is neither cancelled nor aborted by `close`.
 */
export class Session {
  readonly #options: ServerOptions;
  readonly #send: Send;
  readonly #semaphore: Semaphore;
  readonly #connection: ConnectionState = { isInitialized: false };
  readonly #inFlight: InFlightRequests;
  readonly #subscriptions = new Subscriptions();
  /** Tools of the server, loaded for the first authenticated caller. */
  #tools: readonly Tool[] = [];
  /** Set for a legacy client that accepts monitor hits. */
  #hitNotifier: HitListener | undefined;
  /** Stops watching the caller's rights; undefined while they are not watched. */
  #unwatch: (() => void) | undefined;
  #isNoteSent = false;
  #isClosed = false;
  #startsNothing = false;
  #waitingBytes = 0;

  /** Sends a message unless the session is closed. */
  readonly #transmit = (message: OutgoingMessage): void => {
    if (!this.#isClosed) sendMessage(message, this.#send, this.#options.logger);
  };

  constructor(options: ServerOptions, send: Send) {
    this.#options = options;
    this.#send = send;
    this.#semaphore = new Semaphore(options.maxInFlight ?? MAX_IN_FLIGHT);
    this.#inFlight = new InFlightRequests({
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      send: this.#transmit,
    });
  }

  /**
   * Resolves when all replies to the message have been sent. Undefined when they were sent at once: a promise for each
   * line of garbage would double the cost of a flood. Never rejects.
   */
  receive(text: string): Promise<void> | undefined {
    const value = parseJson(text);
    if (value === undefined) {
      this.#transmit(replyNotJson());
      return undefined;
    }
    logMessage("received", value, this.#options.logger);
    const { length: characters } = text;
    if (Array.isArray(value)) return this.#handleBatch(value, characters);
    return this.#handleMessage(value, { deliver: this.#transmit, characters });
  }

  /** Sends an error for an unreadable message, with the id null. */
  refuse(error: SvcError): void {
    this.#transmit(errorReply(null, error));
  }

  /** Approximate memory of the requests that have not started. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Starts no waiting request until `resume`, because the client does not read its answers. */
  pause(): void {
    this.#semaphore.pause();
  }

  resume(): void {
    if (!this.#startsNothing) this.#semaphore.resume();
  }

  /** Starts no waiting request any more: the session is about to be closed. */
  stopStarting(): void {
    this.#startsNothing = true;
    this.#semaphore.pause();
  }

  /**
   * Ends every open subscription with its answer, and each later one as soon as it is acknowledged. Resolves when the
   * answers to the open ones have been sent.
   */
  async endSubscriptions(): Promise<void> {
    this.#subscriptions.endAll();
    // The answers pass only through settled promises, which run before this.
    await new Promise(setImmediate);
  }

  /** Aborts running requests. Nothing is sent from now on. */
  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
    this.#hitNotifier?.stop();
    this.#inFlight.close();
  }

  async #handleBatch(batch: readonly unknown[], characters: number): Promise<void> {
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
    await Promise.all(batch.map(async (value) => this.#handleMessage(value, arrival)));
    if (replies.length > 0) this.#transmit(replies);
  }

  // Runs up to its first wait without yielding, so that `initialize` takes effect before the next
  // message is read, and a duplicate of an id is seen even within one batch.
  #handleMessage(value: unknown, arrival: Arrival): Promise<void> | undefined {
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
    const request = toEraRequest(message);
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
      return this.#handleOpen(request, method, deliver);
    } else {
      return this.#run(request, method, arrival);
    }
    return undefined;
  }

  #refuseMessage(message: Incoming, error: SvcError, deliver: Arrival["deliver"]): void {
    deliver(errorReply(message.kind === "call" ? replyId(message) : null, error));
    if (message.kind === "call") this.#audit(message, { outcome: error.code, ms: 0 });
  }

  /** Why the request is refused before its method is called. */
  #refusalOf({ id, params }: EraRequest): SvcError | undefined {
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

  #handleOpen(
    message: EraRequest,
    method: OpenMethod | undefined,
    deliver: Arrival["deliver"],
  ): Promise<void> | undefined {
    const options = this.#options;
    const success = (result: JsonObject): Reply => successReply(message, result, options);
    const failure = (thrown: unknown): Reply =>
      failureReply(message, toSvcError(thrown), { options });
    let reply: Reply;
    try {
      if (method === undefined) throw noSuchMethod(message);
      const result = method.handle(paramsOf(message), this.#context(message));
      if (result instanceof Promise) return result.then(success, failure).then(deliver);
      reply = success(result);
    } catch (thrown) {
      reply = failure(thrown);
    }
    deliver(reply);
    return undefined;
  }

  async #run(
    message: EraRequest,
    method: VerifiedMethod,
    { deliver, characters }: Arrival,
  ): Promise<void> {
    const startedAt = performance.now();
    const options = this.#options;
    const request = this.#inFlight.start({ id: message.id, characters });
    let reply: Reply | undefined;
    let outcome = "ok";
    try {
      if (!this.#semaphore.tryAcquire()) await this.#waitForSlot(request);
      request.hasSlot = true;
      const result = await request.limit(this.#resultOf(message, method, request));
      // A cancellation may have arrived after the result was computed.
      request.throwIfOver();
      reply = successReply(message, result, options);
    } catch (thrown) {
      const { isCancelled, isInTool: isFromTool } = request;
      const error = toSvcError(thrown);
      outcome = isCancelled ? "cancelled" : error.code;
      if (!isCancelled) reply = failureReply(message, error, { options, isFromTool });
    }
    this.#watchRights();
    this.#inFlight.end(request);
    // Without an await in between: after `end` the request can no longer be cancelled.
    if (reply !== undefined) deliver(reply);
    // Release the slot only now, so that the slots limit the unsent answers to a client that does not read.
    this.#releaseSlot(request);
    if (message.method !== "tools/call") return;
    const ms = Math.round(performance.now() - startedAt);
    options.logger.info("call", { ...callFields(message, reply), ms, outcome });
    this.#audit(message, { reply, facts: request, ms, outcome });
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

  /** Verifies the credential, then runs the method. */
  async #resultOf(
    message: EraRequest,
    method: VerifiedMethod,
    request: InFlightRequest,
  ): Promise<JsonObject> {
    try {
      const context = await this.#authorize(message, request);
      if (method.access === "caller") return await method.handle(paramsOf(message), context);
      const { ended } = method.handle(paramsOf(message), context);
      this.#releaseSlot(request);
      request.isTimed = false;
      this.#watchRights();
      return await ended;
    } catch (thrown) {
      const isRefused = request.principal === null && isRefusal(toSvcError(thrown));
      if (!isRefused || method.access !== "caller" || method.handleRefused === undefined) {
        throw thrown;
      }
      if (this.#options.explainsRefusals !== true) throw thrown;
      const context = { ...this.#context(message), tools: await this.#loadTools() };
      return method.handleRefused(paramsOf(message), context);
    }
  }

  async #waitForSlot(request: InFlightRequest): Promise<void> {
    const bytes = WAITING_REQUEST_BYTES + request.characters;
    this.#waitingBytes += bytes;
    try {
      await this.#semaphore.acquire(request.signal);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  #releaseSlot(request: InFlightRequest): void {
    if (!request.hasSlot) return;
    request.hasSlot = false;
    this.#semaphore.release();
  }

  /** Verifies the credential and creates the context of the handler. */
  async #authorize(message: EraRequest, request: InFlightRequest): Promise<SubscriptionContext> {
    request.throwIfOver();
    const principal = await this.#options.authorize(message.method);
    request.principal = principal.id;
    const tools = await this.#loadTools();
    request.throwIfOver();
    this.#subscriptions.notice(tools, principal);
    this.#hitNotifier?.setPrincipal(principal);
    this.#sendNote(message);
    const { options, connection, era } = this.#context(message);
    const subscriptions = this.#subscriptions;
    return { options, connection, era, principal, tools, request, subscriptions };
  }

  /** Sends the note of the server as a log message, once a session. */
  #sendNote(message: EraRequest): void {
    const note = this.#isNoteSent ? undefined : this.#options.note?.();
    if (note === undefined) return;
    const notification = noteMessage(note, message, this.#connection);
    if (notification === undefined) return;
    this.#isNoteSent = true;
    this.#transmit(notification);
  }

  async #loadTools(): Promise<readonly Tool[]> {
    const { tools } = this.#options;
    const loaded = typeof tools === "function" ? await tools() : tools;
    this.#tools = loaded;
    return loaded;
  }

  /**
   * Starts watching the caller's rights once there is a listener: a subscription, or a legacy client that has listed the
   * tools or accepts monitor hits.
   */
  #watchRights(): void {
    const { isInitialized, listedTools, takesMonitorHits = false } = this.#connection;
    const isClientListening = isInitialized && (listedTools !== undefined || takesMonitorHits);
    if (this.#isClosed || (this.#subscriptions.isEmpty && !isClientListening)) return;
    if (isInitialized && takesMonitorHits) this.#hitNotifier ??= this.#notifyHits();
    this.#unwatch ??= this.#options.watchRights?.((principal) => this.#updateRights(principal));
  }

  #notifyHits(): HitListener {
    return listenForHits(this.#options, (params) => {
      // The client may have repeated `initialize` without requesting them.
      if (this.#connection.takesMonitorHits !== true) return;
      this.#transmit({ jsonrpc: "2.0", method: MONITOR_HITS_METHOD, params });
    });
  }

  #updateRights(principal: Principal): void {
    const tools = this.#tools;
    this.#subscriptions.notice(tools, principal);
    this.#hitNotifier?.setPrincipal(principal);
    announceChangedList({
      tools,
      principal,
      connection: this.#connection,
      request: {
        notify: (method, params) => this.#transmit({ jsonrpc: "2.0", method, params }),
      },
    });
  }

  #context({ era }: EraRequest): MethodContext {
    const connection = era === "modern" ? { isInitialized: false } : this.#connection;
    return { options: this.#options, connection, era };
  }
}

let notJsonReply: Reply | undefined;

/** Created once, because garbage may come in floods. */
function replyNotJson(): Reply {
  const detail = "The message is not valid JSON.";
  return (notJsonReply ??= errorReply(null, new SvcError("PARSE_ERROR", detail)));
}
