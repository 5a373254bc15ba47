import { SvcError } from "../../base/errors.ts";
import type { HttpExchange } from "./exchange.ts";

/** Matches every charset parameter: if there are several, readers differ in which one counts. */
const CHARSET = /;\s*charset\s*=\s*"?(?<name>[^\s;"]*)/gi;

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is uncompressed JSON in UTF-8. */
export function requireJson({ request }: HttpExchange): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw new SvcError("UNSUPPORTED_MEDIA_TYPE", "The body is not declared as JSON.", {
      hint: "Send Content-Type: application/json.",
    });
  }
  const charset = [...type.matchAll(CHARSET)].find(({ groups }) => !isUtf8(groups?.["name"]));
  if (charset !== undefined) {
    throw new SvcError("UNSUPPORTED_MEDIA_TYPE", "The body uses a charset other than UTF-8.", {
      hint: "Send it in UTF-8, with Content-Type: application/json.",
    });
  }
  // The size of an unpacked body is known only after unpacking it.
  if (encoding.trim().toLowerCase() !== "identity") {
    throw new SvcError("UNSUPPORTED_MEDIA_TYPE", "A compressed body is not accepted.", {
      hint: "Send it uncompressed, without Content-Encoding.",
    });
  }
}

function isUtf8(charset = ""): boolean {
  return /^utf-?8$/i.test(charset);
}

/** Reads bodies and limits the memory of all bodies together. */
export class BodyReader {
  readonly #limitBytes: number;
  #bufferedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Calls `work` with the whole body and returns its result; the memory counts until then. Throws MESSAGE_TOO_LARGE
   * and OVERLOADED, before reading if the declared length is enough to decide. Rejects with the signal's reason
   * when it is aborted.
   */
  async use<T>(
    exchange: HttpExchange,
    signal: AbortSignal,
    work: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const { request, response, limits } = exchange;
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    if (this.#bufferedBytes + declared > this.#limitBytes) throw tooMuchAtOnce();
    // From here on the server wants the body. A client that sent `Expect: 100-continue` has sent none of it so far.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      await new Promise<void>((resolve, reject) => {
        const take = (part: Buffer): void => {
          bytes += part.length;
          this.#bufferedBytes += part.length;
          parts.push(part);
          if (bytes > limits.bodyBytes) stop(tooLarge(limits.bodyBytes));
          else if (this.#bufferedBytes > this.#limitBytes) stop(tooMuchAtOnce());
        };
        const stop = (reason: unknown): void => {
          request.off("data", take).pause();
          reject(reason);
        };
        request.on("data", take);
        request.once("end", resolve).once("error", reject);
        signal.addEventListener("abort", () => stop(signal.reason), { once: true });
      });
      return await work(Buffer.concat(parts, bytes));
    } finally {
      this.#bufferedBytes -= bytes;
    }
  }
}

/** Decodes the body. Throws PARSE_ERROR when it is not UTF-8. */
export function decodeBody(bytes: Buffer): string {
  try {
    // As on standard input, a byte order mark is kept, so that the JSON parser refuses it.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SvcError("PARSE_ERROR", "The body is not valid UTF-8.", { cause });
  }
}

function tooLarge(limitBytes: number): SvcError {
  return new SvcError("MESSAGE_TOO_LARGE", `A body may have up to ${limitBytes} bytes.`);
}

function tooMuchAtOnce(): SvcError {
  return new SvcError("OVERLOADED", "Too much is being sent to the server at once.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}
