// The only file that opens connections to another machine. Every request goes to one origin, with fixed headers and
// the given key. Redirects are not followed; they are errors like any other status.
import type { Dispatcher, Pool } from "undici";

import { SvcError } from "../base/errors.ts";
import type { BaseUrl } from "./base-url.ts";

/** One request to the provider. */
export interface ProviderRequest {
  /** Path relative to the base, such as `/models`. */
  readonly path: string;
  /** The client's key, sent as a bearer token. */
  readonly key: string;
  /** Sent as JSON with POST; without it the method is GET. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Maximum size of the response in bytes. */
  readonly maxBytes: number;
}

/** Maximum number of connections; further requests wait for one within their own time limit. */
const MAX_CONNECTIONS = 64;
const UNAUTHORIZED = new Set([401, 403]);

/** Sends requests to one provider over a pool of connections. */
export class ProviderClient {
  readonly #base: BaseUrl;
  #pool: Promise<Pool> | undefined;

  constructor(base: BaseUrl) {
    this.#base = base;
  }

  /**
   * Returns the JSON of a response with status 200. Throws UNAUTHENTICATED when the key is refused, and
   * PROVIDER_ERROR for every other failure; rejects with the signal's reason once that is aborted.
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
      // The body may repeat the key, so it is not read.
      response.body.on("error", () => {}).destroy();
      if (UNAUTHORIZED.has(response.statusCode)) throw keyRefused();
      throw providerError(`returned status ${response.statusCode}`);
    }
    return parseJson(await readText(response.body, maxBytes));
  }

  /** Loaded with the first request, so that startup does not pay for it. */
  #open(): Promise<Pool> {
    // In the bundle, a CommonJS module has only its default export.
    this.#pool ??= import("undici").then(
      ({ default: { Pool: Connections } }) =>
        new Connections(this.#base.origin, {
          connections: MAX_CONNECTIONS,
          pipelining: 1,
          // Set explicitly, because an environment variable of Node can turn off the check of certificates.
          connect: { rejectUnauthorized: true },
          allowH2: false,
          maxHeaderSize: 16_384,
        }),
    );
    return this.#pool;
  }
}

/** Returns the result of `work`, whose signal also aborts after `timeoutMs`. Throws PROVIDER_ERROR on timeout. */
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
    throw late.aborted ? providerError(`did not answer within ${timeoutMs / 1000} s`) : thrown;
  }
}

async function readText(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the stream and its connection.
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) throw providerError("returned something that is not bytes");
    length += piece.length;
    if (length > maxBytes) throw providerError(`returned more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw providerError("returned something that is not JSON");
  }
}

/** Returns the error for a failure of the provider. `how` completes the sentence "The model provider ...". */
export function providerError(how: string): SvcError {
  return new SvcError("PROVIDER_ERROR", `The model provider ${how}.`);
}

function keyRefused(): SvcError {
  return new SvcError("UNAUTHENTICATED", "The model provider does not accept this key.", {
    hint: "Send a key that the provider accepts.",
  });
}

/** Returns only the error code: messages may contain the data sent. */
function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : "no connection";
}
