import { SvcError } from "../../base/errors.ts";
import type { EventStream } from "./event-stream.ts";
import type { HttpLimits } from "./limits.ts";

type StreamLimits = Pick<
  HttpLimits,
  "streams" | "streamsOfPrincipal" | "commentMs" | "unreadBytes"
>;

interface StreamListener {
  readonly events: EventStream;
  /** Id of the credential. */
  readonly principal: string;
  /** Called when the server shuts down: announces the end on the stream and ends it. */
  readonly end: () => void;
}

interface OpenStream extends StreamListener {
  /** Whether the last sweep found unread data. */
  hadUnread: boolean;
}

/** In seconds. A place becomes free when a client leaves. */
const RETRY_AFTER_SECONDS = 30;

/** The streams on which clients listen for events that may never come. The limits of calls do not apply to them. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Registers a stream until its response is closed. Throws RATE_LIMITED and OVERLOADED. */
  add(listener: StreamListener): void {
    this.#requireCapacity(listener);
    const stream = { ...listener, hadUnread: false };
    const { request, response } = listener.events.exchange;
    this.#open.add(stream);
    response.once("close", () => this.#remove(stream));
    listener.events.setMaxUnreadBytes(this.#limits.unreadBytes);
    // Comments detect whether the client is still there; a silent client is normal.
    request.socket.setTimeout(0);
    this.#timer ??= setInterval(() => this.#sweep(), this.#limits.commentMs).unref();
  }

  /** Ends all streams and accepts no more. */
  endAll(): void {
    this.#isEnding = true;
    for (const { end } of this.#open) end();
  }

  #requireCapacity({ principal }: StreamListener): void {
    const { streams, streamsOfPrincipal } = this.#limits;
    if (this.#isEnding) {
      throw new SvcError("OVERLOADED", "The server is shutting down.", { retryAfter: 1 });
    }
    if (this.#open.size >= streams) {
      throw new SvcError("OVERLOADED", `The server has ${streams} event streams open.`, {
        hint: "Calls work without an event stream.",
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
    let own = 0;
    for (const stream of this.#open) if (stream.principal === principal) own += 1;
    if (own < streamsOfPrincipal) return;
    throw new SvcError(
      "RATE_LIMITED",
      `This credential has ${streamsOfPrincipal} event streams open.`,
      {
        hint: "Close one, or give each client its own token.",
        retryAfter: RETRY_AFTER_SECONDS,
      },
    );
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    for (const stream of this.#open) {
      const { events, hadUnread } = stream;
      stream.hadUnread = events.hasUnread;
      // A whole interval is enough time to read a comment.
      if (hadUnread && stream.hadUnread) events.cut();
      else events.sendComment();
    }
  }
}
