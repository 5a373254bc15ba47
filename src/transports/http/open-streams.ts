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
  /** Called when the server ends: says so on the stream, and ends it. */
  readonly end: () => void;
}

interface OpenStream extends StreamListener {
  /** What the last look found. */
  wasBehind: boolean;
}

/** Seconds: a place is free again when somebody leaves. */
const RETRY_AFTER_SECONDS = 30;

/** The streams on which clients listen for events that may never come. The limits of calls are not theirs. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Holds its place until the answer is closed. Throws RATE_LIMITED, OVERLOADED. */
  add(listener: StreamListener): void {
    this.#requireCapacity(listener);
    const stream = { ...listener, wasBehind: false };
    const { request, response } = listener.events.exchange;
    this.#open.add(stream);
    response.once("close", () => this.#remove(stream));
    listener.events.setMaxUnreadBytes(this.#limits.unreadBytes);
    // Comments find out whether the client is still there, its silence says nothing.
    request.socket.setTimeout(0);
    this.#timer ??= setInterval(() => this.#sweep(), this.#limits.commentMs).unref();
  }

  /** Ends all of them, and takes no more. */
  endAll(): void {
    this.#isEnding = true;
    for (const { end } of this.#open) end();
  }

  #requireCapacity({ principal }: StreamListener): void {
    const { streams, streamsOfPrincipal } = this.#limits;
    if (this.#isEnding) {
      throw new SvcError("OVERLOADED", "The server is about to end.", { retryAfter: 1 });
    }
    if (this.#open.size >= streams) {
      throw new SvcError("OVERLOADED", `The server has ${streams} event streams open.`, {
        hint: "Calls are answered without one.",
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
        hint: "Close one, or give each client a token of its own.",
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
      const { events, wasBehind } = stream;
      stream.wasBehind = events.isBehind;
      // A whole interval is enough for a comment to be read.
      if (wasBehind && stream.wasBehind) events.cut();
      else events.sendComment();
    }
  }
}
