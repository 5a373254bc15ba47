// The one file that opens connections to elsewhere. Everything it is asked for goes to one origin, with
// headers of its own and the key it is given; redirects are answers like any other and not followed.
import type { Dispatcher, Pool } from "undici";

import { SvcError } from "../base/errors.ts";
import type { BaseUrl } from "./base-url.ts";

export interface ProviderRequest {
  /** Below the base, as in `/models`. */
  readonly path: string;
  readonly key: string;
  /** Sent as JSON with POST; without it the method is GET. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** The longest answer that is read. */
  readonly maxBytes: number;
}

/** Connections at the same time; further requests wait for one within their own time. */
const MAX_CONNECTIONS = 64;
const UNAUTHORIZED = new Set([401, 403]);

export class ProviderClient {
  readonly #base: BaseUrl;
  #pool: Promise<Pool> | undefined;

  constructor(base: BaseUrl) {
    this.#base = base;
  }

  /**
   * The JSON of an answer with status 200. Throws UNAUTHENTICATED when the key is refused,
   * PROVIDER_ERROR for all that can go wrong there; rejects with the signal's reason once that is aborted.
   */
  async send(request: ProviderRequest): Promise<unknown> {
    const pool = await this.#open();
    try {
      return await this.#exchange(pool, request);
    } catch (thrown) {
      request.signal.throwIfAborted();
      throw thrown instanceof SvcError
        ? thrown
        : providerError(`cannot be reached (${codeOf(thrown)})`);
    }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #exchange(
    pool: Pool,
    { path, key, body, signal, maxBytes }: ProviderRequest,
  ): Promise<unknown> {
    const response = await pool.request({
      path: this.#base.path + path,
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
    if (response.statusCode !== 200) {
      // What stands in it may repeat the key: nobody reads it.
      response.body.on("error", () => {}).destroy();
      if (UNAUTHORIZED.has(response.statusCode)) throw keyRefused();
      throw providerError(`answers with the status ${response.statusCode}`);
    }
    return parseJson(await readText(response.body, maxBytes));
  }

  /** Loaded with the first request: a start pays nothing for it. */
  #open(): Promise<Pool> {
    // Bundled, a module of CommonJS has its default export alone.
    this.#pool ??= import("undici").then(
      ({ default: { Pool: Connections } }) =>
        new Connections(this.#base.origin, {
          connections: MAX_CONNECTIONS,
          pipelining: 1,
          // Said, because Node has a variable that would have certificates not looked at.
          connect: { rejectUnauthorized: true },
          allowH2: false,
          maxHeaderSize: 16_384,
        }),
    );
    return this.#pool;
  }
}

/** What `work` comes to with a signal that has a limit of time besides. Throws PROVIDER_ERROR when that is over. */
export async function withTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (thrown) {
    signal.throwIfAborted();
    throw late.aborted ? providerError(`has not answered within ${timeoutMs / 1000} s`) : thrown;
  }
}

async function readText(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) throw providerError("answers with something that is not bytes");
    length += piece.length;
    if (length > maxBytes) throw providerError(`answers with more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw providerError("answers with something that is not JSON");
  }
}

/** A failure of the provider; `how` is a sentence about it without its subject. */
export function providerError(how: string): SvcError {
  return new SvcError("PROVIDER_ERROR", `The model provider ${how}.`);
}

function keyRefused(): SvcError {
  return new SvcError("UNAUTHENTICATED", "The model provider does not accept this key.", {
    hint: "Send one that is valid there.",
  });
}

/** The code alone: messages may hold what was sent. */
function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : "no connection";
}
