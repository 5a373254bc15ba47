import { untilAborted } from "../base/deadline.ts";
import { errorRow, SvcError, toSvcError } from "../base/errors.ts";
import { errorReply, errorResult } from "./errors.ts";
import { InFlight, type Flight } from "./in-flight.ts";
import { isId, isObject, quoted, readMessage } from "./message.ts";
import type { Call, Id, JsonObject, Outgoing, Reply } from "./message.ts";
import { METHODS, type Connection, type Method } from "./methods.ts";
import { allowsBatches } from "./negotiate.ts";
import type { ServerOptions } from "./options.ts";
import { logMessage, sendMessage, type Send } from "./outbox.ts";
import { Slots } from "../base/slots.ts";

/** Where the reply to one request goes: out, or into the array that answers its batch. */
type Deliver = (reply: Reply) => void;
type CallerMethod = Extract<Method, { access: "caller" }>;

const TIMEOUT_MS = 30_000;
const MAX_IN_FLIGHT = 64;
/** Bounds the one array in which the replies to a batch are held back. */
const MAX_BATCH = 1000;

/** Made once: a stack for each line of garbage would double what a flood of it costs. */
const NOT_JSON = new SvcError("PARSE_ERROR", "The message is not valid JSON.");

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
  #isClosed = false;

  constructor(options: ServerOptions, send: Send) {
    this.#options = options;
    this.#send = send;
    this.#slots = new Slots(options.maxInFlight ?? MAX_IN_FLIGHT);
  }

  /** Resolves when every reply the message asks for has been sent. Never rejects. */
  async receive(text: string): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.refuse(NOT_JSON);
      return;
    }
    logMessage("received", value, this.#options.logger);
    if (Array.isArray(value)) await this.#answerBatch(value);
    else await this.#answer(value, (reply) => this.#transmit(reply));
  }

  /** Answers a message that could not be read at all, and so has no id. */
  refuse(error: SvcError): void {
    this.#transmit(errorReply(null, error));
  }

  /** Starts no waiting request until `resume`: the other side does not take its answers. */
  pause(): void {
    this.#slots.pause();
  }

  resume(): void {
    this.#slots.resume();
  }

  /** Aborts what runs. Nothing is sent from now on. */
  close(): void {
    this.#isClosed = true;
    this.#inFlight.cancelAll();
  }

  async #answerBatch(batch: readonly unknown[]): Promise<void> {
    const problem = this.#problemWithBatch(batch);
    if (problem !== undefined) {
      this.refuse(new SvcError("INVALID_REQUEST", problem));
      return;
    }
    const replies: Reply[] = [];
    await Promise.all(batch.map((value) => this.#answer(value, (reply) => replies.push(reply))));
    if (replies.length > 0) this.#transmit(replies);
  }

  #problemWithBatch(batch: readonly unknown[]): string | undefined {
    const { version } = this.#connection;
    if (!allowsBatches(version)) return `Protocol version ${version} has no batches.`;
    if (batch.length === 0) return "A batch holds at least one message.";
    if (batch.length > MAX_BATCH) return `A batch holds at most ${MAX_BATCH} messages.`;
    return undefined;
  }

  // Runs up to its first wait without yielding, so that `initialize` takes effect before the next
  // message is read, and a duplicate of an id is seen even within one batch.
  async #answer(value: unknown, deliver: Deliver): Promise<void> {
    const message = readMessage(value);
    // The server sends no requests, so no response is awaited.
    if (message.kind === "response") return;
    if (message.kind === "invalid") {
      deliver(errorReply(message.id, new SvcError("INVALID_REQUEST", message.problem)));
      return;
    }
    const method = METHODS.get(message.method);
    if (message.id === undefined && method?.isDocumented !== true) {
      this.#takeNotification(message);
    } else if (message.id !== undefined && this.#inFlight.has(message.id)) {
      const detail = "A request with this id is still being answered.";
      deliver(errorReply(message.id, new SvcError("DUPLICATE_ID", detail)));
    } else if (method?.access === "caller") {
      await this.#run(message, method, deliver);
    } else {
      deliver(this.#answerAtOnce(message, method));
    }
  }

  #takeNotification({ method, params }: Call): void {
    if (method === "notifications/initialized") this.#connection.isInitialized = true;
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const { requestId } = params;
    if (isId(requestId)) this.#inFlight.cancel(requestId);
  }

  #answerAtOnce(message: Call, method: Exclude<Method, CallerMethod> | undefined): Reply {
    try {
      if (method === undefined) {
        throw new SvcError("METHOD_NOT_FOUND", `There is no method ${quoted(message.method)}.`);
      }
      const exchange = { options: this.#options, connection: this.#connection };
      return resultReply(message, method.handle(paramsOf(message), exchange));
    } catch (thrown) {
      return this.#failure(message, toSvcError(thrown));
    }
  }

  async #run(message: Call, method: CallerMethod, deliver: Deliver): Promise<void> {
    const startedAt = performance.now();
    const flight = this.#inFlight.start(message.id, this.#options.timeoutMs ?? TIMEOUT_MS);
    let reply: Reply | undefined;
    let outcome = "ok";
    try {
      const result = await this.#handleInSlot(message, method, flight);
      // The cancellation may have been read while the finished result was on its way here.
      flight.signal.throwIfAborted();
      reply = resultReply(message, result);
    } catch (thrown) {
      const isCancelled = flight.signal.aborted && !(flight.signal.reason instanceof SvcError);
      const error = toSvcError(thrown);
      outcome = isCancelled ? "cancelled" : error.code;
      if (!isCancelled) reply = this.#failure(message, error, method);
    }
    flight.end();
    // At once, with no wait between: from `end` on the request can no longer be cancelled.
    if (reply !== undefined) deliver(reply);
    if (message.method === "tools/call") {
      const ms = Math.round(performance.now() - startedAt);
      this.#options.logger.info("call", { ...callFields(message, reply), ms, outcome });
    }
  }

  async #handleInSlot(message: Call, method: CallerMethod, flight: Flight): Promise<JsonObject> {
    const { signal } = flight;
    await this.#slots.take(signal);
    try {
      return await untilAborted(this.#handle(message, method, flight), signal);
    } finally {
      this.#slots.release();
    }
  }

  async #handle(message: Call, method: CallerMethod, flight: Flight): Promise<JsonObject> {
    flight.signal.throwIfAborted();
    const caller = await this.#options.authorize();
    const { tools } = this.#options;
    const loaded = typeof tools === "function" ? await tools() : tools;
    flight.signal.throwIfAborted();
    const exchange = {
      options: this.#options,
      connection: this.#connection,
      caller,
      tools: loaded,
      signal: flight.signal,
      notify: (name: string, params: JsonObject): void => {
        if (flight.isOpen()) this.#transmit({ jsonrpc: "2.0", method: name, params });
      },
    };
    return method.handle(paramsOf(message), exchange);
  }

  #failure(message: Call, error: SvcError, method?: CallerMethod): Reply {
    if (isOurFault(error)) {
      const { id, method: name } = message;
      this.#options.logger.warn("request failed", {
        id,
        method: name,
        error: error.cause ?? error,
      });
    }
    const result = method?.errorsAsResults === true ? errorResult(error) : undefined;
    return result === undefined
      ? errorReply(replyId(message), error)
      : resultReply(message, result);
  }

  #transmit(message: Outgoing): void {
    if (!this.#isClosed) sendMessage(message, this.#send, this.#options.logger);
  }
}

function paramsOf({ params = {} }: Call): JsonObject {
  if (isObject(params)) return params;
  throw new SvcError("INVALID_PARAMS", "params is an object.");
}

/** The id a reply carries: null for the calls the interface shows without one. */
function replyId({ id }: Call): Id | null {
  return id ?? null;
}

function resultReply(message: Call, result: JsonObject): Reply {
  return { jsonrpc: "2.0", id: replyId(message), result };
}

/** Failures whose cause the caller is not told: the log is the only place that says it. */
function isOurFault(error: SvcError): boolean {
  if (error.code === "INTERNAL_ERROR") return true;
  return errorRow(error).rpc === -32603 && error.cause !== undefined;
}

/** What the log says of a call: never its arguments. */
function callFields(message: Call, reply: Reply | undefined): JsonObject {
  const name = isObject(message.params) ? message.params["name"] : undefined;
  const items = reply !== undefined && "result" in reply ? reply.result["content"] : undefined;
  return {
    id: replyId(message),
    tool: typeof name === "string" ? name.slice(0, 80) : null,
    items: Array.isArray(items) ? items.length : 0,
  };
}
