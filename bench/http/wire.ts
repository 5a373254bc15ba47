// A minimal HTTP client that keeps its connection. It must cost the machine little during the measurement, and it
// distinguishes an answer, a connection closed between two requests, and a lost request.
import { connect, type Socket } from "node:net";

export interface Reply {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  /** Seconds of Retry-After. */
  readonly retryAfter: number | undefined;
}

const LOST: Reply = { status: 0, retryAfter: undefined };

interface WireOptions {
  readonly port: number;
  /** An address from 127.0.0.0/8, so that clients count as several addresses. */
  readonly from?: string;
}

export class Wire {
  readonly #options: WireOptions;
  #socket: Socket | undefined;
  #received = "";
  #settle: ((reply: Reply) => void) | undefined;
  /** How often the server closed the connection between requests. */
  closedIdle = 0;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Opens a connection if there is none, sends the request, and resolves with its answer. */
  ask(request: string): Promise<Reply> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      const socket = (this.#socket ??= this.#open());
      socket.write(request, "latin1");
    });
  }

  destroy(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const { port, from } = this.#options;
    const socket = connect({ port, host: "127.0.0.1", ...(from && { localAddress: from }) });
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => this.#take(text));
    // The reason of the close does not matter, only whether an answer was due.
    socket.on("error", () => {});
    socket.once("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (this.#settle === undefined) this.closedIdle += 1;
      else this.#answer(LOST);
    });
    return socket;
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const wait = /\r\nretry-after: *(\d+)/i.exec(head)?.[1];
    if (/\r\nconnection: *close/i.test(head)) {
      this.#socket?.destroy();
      this.#socket = undefined;
    }
    this.#answer({
      status: Number(head.slice(9, 12)),
      retryAfter: wait === undefined ? undefined : Number(wait),
    });
  }

  #answer(reply: Reply): void {
    this.#received = "";
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(reply);
  }
}
