import type { HttpExchange } from "./exchange.ts";
import { COMMON_HEADERS } from "./reply.ts";

/** Of the notifications of a call, and its answer. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** An answer that comes as events, of which none has an id: a stream that broke off is not resumed. */
export class EventStream {
  readonly exchange: HttpExchange;
  #maxUnreadBytes = MAX_UNREAD_BYTES;

  constructor(exchange: HttpExchange) {
    this.exchange = exchange;
  }

  get hasBegun(): boolean {
    return this.exchange.response.headersSent;
  }

  /** True while something waits that the system has not taken, because the client does not read. */
  get isBehind(): boolean {
    return this.exchange.response.writableLength > 0;
  }

  /** From now on the connection is closed where more would be written to a client that has left so much unread. */
  setMaxUnreadBytes(bytes: number): void {
    this.#maxUnreadBytes = bytes;
  }

  /** A message of JSON-RPC. */
  send(line: string): void {
    this.#write(`event: message\ndata: ${line}\n\n`);
  }

  /** What no client takes for an event: it shows all on the way that the stream is open. */
  sendComment(): void {
    this.#write(":\n\n");
  }

  end(): void {
    this.exchange.response.end();
  }

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
        // A proxy that gathers answers would hold the events back.
        "X-Accel-Buffering": "no",
        ...(isLast() ? { Connection: "close" } : {}),
      });
    }
    response.write(text);
  }
}
