import { httpStatusOf } from "../../base/errors.ts";
import { isObject, type Outgoing } from "../../mcp/message.ts";
import type { Accepted } from "./accept.ts";
import type { Exchange } from "./exchange.ts";
import { COMMON_HEADERS, sendText, setChallenge, UNAUTHORIZED } from "./reply.ts";

const ACCEPTED = 202;

/**
 * What a session sends, as one answer of HTTP: its reply as JSON, or a stream of events once a
 * notification comes before the reply and the client takes one.
 */
export class RpcAnswer {
  readonly #exchange: Exchange;
  readonly #accepted: Accepted;
  #reply: { readonly line: string; readonly status: number } | undefined;
  #isStream = false;

  constructor(exchange: Exchange, accepted: Accepted) {
    this.#exchange = exchange;
    this.#accepted = accepted;
  }

  take(line: string, message: Outgoing): void {
    if (!("method" in message)) {
      this.#reply = { line, status: statusOf(message) };
      for (const reply of [message].flat()) {
        if ("error" in reply) this.#exchange.noteRefusal(reply.error.data.error_code);
      }
    } else if (this.#accepted.events) this.#sendEvent(line);
  }

  /** Sends the reply, or that there is none to be sent: the message was a notification. */
  end(): void {
    const reply = this.#reply;
    if (this.#exchange.gone.aborted) return;
    if (reply === undefined) {
      if (this.#isStream) this.#exchange.response.end();
      else sendText(this.#exchange, ACCEPTED, undefined);
    } else if (this.#isStream || !this.#accepted.json) {
      this.#sendEvent(reply.line);
      this.#exchange.response.end();
    } else {
      // Revoked, or expired, while the request was on its way.
      if (reply.status === UNAUTHORIZED) setChallenge(this.#exchange);
      sendText(this.#exchange, reply.status, reply.line);
    }
  }

  #sendEvent(line: string): void {
    const { response, gone, isLast } = this.#exchange;
    if (gone.aborted) return;
    if (!this.#isStream) {
      this.#isStream = true;
      response.writeHead(200, {
        ...COMMON_HEADERS,
        "Content-Type": "text/event-stream",
        // A proxy that gathers answers would hold the events back.
        "X-Accel-Buffering": "no",
        ...(isLast() ? { Connection: "close" } : {}),
      });
    }
    response.write(`event: message\ndata: ${line}\n\n`);
  }
}

/** The status of an error stands in the table of errors, in every revision of the protocol (mcp.md, C7). */
function statusOf(message: Outgoing): number {
  const error = isObject(message) && "error" in message ? message.error : undefined;
  return error === undefined ? 200 : httpStatusOf(error.data.error_code);
}
