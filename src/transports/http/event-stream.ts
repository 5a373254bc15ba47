import type { HttpExchange } from "./exchange.ts";
import { COMMON_HEADERS } from "./reply.ts";

/** Limit for the notifications of a call and its reply. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** A response as an event stream. Events have no ids: a broken stream cannot be resumed. */
export class EventStream {
  readonly exchange: HttpExchange;
  #maxUnreadBytes = MAX_UNREAD_BYTES;

  constructor(exchange: HttpExchange) {
    this.exchange = exchange;
  }

  get hasBegun(): boolean {
    return this.exchange.response.headersSent;
  }

  /** True while data waits that the system has not taken, because the client does not read. */
  get hasUnread(): boolean {
    return this.exchange.response.writableLength > 0;
  }

  /** Sets the unread bytes above which a further write closes the connection. */
  setMaxUnreadBytes(bytes: number): void {
    this.#maxUnreadBytes = bytes;
  }

  /** Sends a JSON-RPC message. */
  send(line: string): void {
    this.#write(`event: message\ndata: ${line}\n\n`);
  }

  /** Sends a comment, which clients ignore: it shows every party on the way that the stream is open. */
  sendComment(): void {
    this.#write(":\n\n");
  }

  /** Ends the response. */
  end(): void {
    this.exchange.response.end();
  }

  /** Closes the connection at once. */
  cut(): void {
    this.exchange.response.destroy();
  }

  #write(text: string): void {
    const { response, clientGone, isLast } = this.exchange;
    if (clientGone.aborted || response.writableEnded) return;
    if (response.writableLength > this.#maxUnreadBytes) {
      this.cut();
      return;
    }
    if (!response.headersSent) {
      response.writeHead(200, {
        ...COMMON_HEADERS,
        "Content-Type": "text/event-stream",
        // A buffering proxy would delay the events.
        "X-Accel-Buffering": "no",
        ...(isLast() ? { Connection: "close" } : {}),
      });
    }
    response.write(text);
  }
}
