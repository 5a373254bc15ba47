import { httpStatusOf } from "../../base/errors.ts";
import { isObject, type OutgoingMessage } from "../../mcp/message.ts";
import type { AcceptedTypes } from "./accept.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpExchange } from "./exchange.ts";
import { sendText, setChallenge, UNAUTHORIZED } from "./reply.ts";

const ACCEPTED = 202;

/**
 * Sends the output of a session as one HTTP response: its reply as JSON, or an event stream as soon as a
 * notification precedes the reply and the client accepts event streams.
 */
export class RpcResponse {
  readonly events: EventStream;
  readonly #exchange: HttpExchange;
  readonly #accepted: AcceptedTypes;
  #reply: { readonly line: string; readonly status: number } | undefined;

  constructor(exchange: HttpExchange, accepted: AcceptedTypes) {
    this.events = new EventStream(exchange);
    this.#exchange = exchange;
    this.#accepted = accepted;
  }

  /** Takes a message of the session and its serialized line. */
  take(line: string, message: OutgoingMessage): void {
    if (!("method" in message)) {
      this.#reply = { line, status: statusOf(message) };
      for (const reply of [message].flat()) {
        if ("error" in reply) this.#exchange.recordError(reply.error.data.error_code);
      }
    } else if (this.#accepted.events) this.events.send(line);
  }

  /** Sends the reply; status 202 without a body if the message was a notification. */
  end(): void {
    const reply = this.#reply;
    if (this.#exchange.clientGone.aborted) return;
    if (reply === undefined) {
      if (this.events.hasBegun) this.events.end();
      else sendText(this.#exchange, ACCEPTED, undefined);
    } else if (this.events.hasBegun || !this.#accepted.json) {
      this.events.send(reply.line);
      this.events.end();
    } else {
      // The credential was revoked or expired while the request was on its way.
      if (reply.status === UNAUTHORIZED) setChallenge(this.#exchange);
      sendText(this.#exchange, reply.status, reply.line);
    }
  }
}

/** The table of errors gives the status, for every revision of the protocol (mcp.md, C7). */
function statusOf(message: OutgoingMessage): number {
  const error = isObject(message) && "error" in message ? message.error : undefined;
  return error === undefined ? 200 : httpStatusOf(error.data.error_code);
}
