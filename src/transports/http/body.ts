import { SvcError } from "../../base/errors.ts";
import type { Exchange } from "./exchange.ts";

/** Throws UNSUPPORTED_MEDIA_TYPE for a body that is not plain JSON. */
export function requireJson({ request }: Exchange): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw new SvcError("UNSUPPORTED_MEDIA_TYPE", "The body is JSON, and says so.", {
      hint: "Send Content-Type: application/json.",
    });
  }
  // What a few kilobytes grow to when they are unpacked is known only afterwards.
  if (encoding.trim().toLowerCase() !== "identity") {
    throw new SvcError("UNSUPPORTED_MEDIA_TYPE", "A compressed body is not taken.", {
      hint: "Send it as it is, without Content-Encoding.",
    });
  }
}

/** Reads bodies, of which all together take no more memory than there is. */
export class BodyReader {
  readonly #limitBytes: number;
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * The whole body as text. Throws MESSAGE_TOO_LARGE (by its declared length before any of it is read),
   * OVERLOADED, PARSE_ERROR for what is not UTF-8; rejects with the signal's reason when the client goes.
   */
  async read(exchange: Exchange): Promise<string> {
    const { request, response, limits } = exchange;
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    // From here on the body is wanted; a client that asked first has sent none of it so far.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      await new Promise<void>((resolve, reject) => {
        const take = (part: Buffer): void => {
          bytes += part.length;
          this.#heldBytes += part.length;
          parts.push(part);
          if (bytes > limits.bodyBytes) stop(tooLarge(limits.bodyBytes));
          else if (this.#heldBytes > this.#limitBytes) stop(tooMuchAtOnce());
        };
        const stop = (error: SvcError): void => {
          request.off("data", take).pause();
          reject(error);
        };
        request.on("data", take);
        request.once("end", resolve).once("error", reject);
        exchange.gone.addEventListener("abort", () => reject(exchange.gone.reason), { once: true });
      });
    } finally {
      this.#heldBytes -= bytes;
    }
    return decoded(Buffer.concat(parts, bytes));
  }
}

function decoded(bytes: Buffer): string {
  try {
    // As on standard input, a byte order mark is kept for the parser of JSON to refuse.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SvcError("PARSE_ERROR", "The body is not valid UTF-8.", { cause });
  }
}

function tooLarge(limitBytes: number): SvcError {
  return new SvcError("MESSAGE_TOO_LARGE", `A body holds at most ${limitBytes} bytes.`);
}

function tooMuchAtOnce(): SvcError {
  return new SvcError("OVERLOADED", "Too much is being sent to the server at once.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}
