// The only way out of this layer: requests to one server, with its token. Redirects are not followed, and each failure is
// an SvcError.

import type { Agent } from "undici";

import { SvcError } from "../base/errors.ts";
import { errorOfStatus, remoteError, type TokenSource } from "./remote-errors.ts";
import type { ServerAddress } from "./server-address.ts";

/** A secret, and where it came from. */
export interface RemoteToken {
  readonly secret: string;
  readonly source: TokenSource;
}

/** Reads the token again for each caller. Throws UNAUTHENTICATED if there is none. */
export type ReadToken = () => Promise<RemoteToken>;

/** The form of `fetch` that the SDK calls. */
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface OpenedFetch {
  readonly agent: Agent;
  readonly fetch: Fetch;
}

/** A server that is down is reported within two seconds. */
const CONNECT_TIMEOUT_MS = 2000;
/** An error of svc takes a few hundred bytes. */
const MAX_ERROR_CHARACTERS = 64 * 1024;
const UNAUTHORIZED = 401;
const NOT_MODIFIED = 304;

export class RemoteFetch {
  readonly #address: ServerAddress;
  readonly #readToken: ReadToken;
  #token: Promise<RemoteToken> | undefined;
  #opened: Promise<OpenedFetch> | undefined;

  constructor(address: ServerAddress, readToken: ReadToken) {
    this.#address = address;
    this.#readToken = readToken;
  }

  /** Sends a request with the token. Throws UNAUTHENTICATED and the like, REMOTE_UNAVAILABLE, and errors of the server. */
  readonly send: Fetch = async (url, init = {}) => {
    this.#token ??= this.#readToken();
    let token: RemoteToken;
    try {
      token = await this.#token;
    } catch (thrown) {
      this.#token = undefined;
      throw thrown;
    }
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token.secret}`);
    const response = await this.#request(url, { ...init, headers });
    if (response.ok || response.status === NOT_MODIFIED) return response;
    // The next request reads it again: the user may have saved another one.
    if (response.status === UNAUTHORIZED) this.#token = undefined;
    const body = (await response.text().catch(() => "")).slice(0, MAX_ERROR_CHARACTERS);
    throw errorOfStatus(this.#address.name, response.status, body, token.source);
  };

  /** Resolves when the server answers at all. Throws REMOTE_UNAVAILABLE. */
  async probe(signal: AbortSignal): Promise<void> {
    const response = await this.#request(this.#address.health, { signal });
    await response.body?.cancel();
  }

  async close(): Promise<void> {
    await (await this.#opened)?.agent.destroy();
  }

  async #request(url: string | URL, init: RequestInit): Promise<Response> {
    const { fetch } = await this.#open();
    try {
      return await fetch(url, init);
    } catch (thrown) {
      init.signal?.throwIfAborted();
      if (thrown instanceof SvcError) throw thrown;
      throw remoteError(this.#address.name, `cannot be reached (${causeOf(thrown)})`, thrown);
    }
  }

  /** Loaded with the first request, so that `initialize` does not wait for it. */
  #open(): Promise<OpenedFetch> {
    // In the bundle, a CommonJS module has only its default export.
    this.#opened ??= import("undici").then(({ default: undici }) => {
      const agent = new undici.Agent({
        connect: {
          timeout: CONNECT_TIMEOUT_MS,
          // Set explicitly, because an environment variable of Node can turn off the check of certificates.
          rejectUnauthorized: true,
        },
        allowH2: false,
        // A subscription is silent for as long as nothing changes, and each call has its own time limit.
        bodyTimeout: 0,
        headersTimeout: 0,
      });
      // Of the same package as the agent: the fetch of Node has an undici of its own.
      const fetch: Fetch = (url, { method = "GET", headers, body, signal = null } = {}) =>
        undici.fetch(url, {
          method,
          headers: [...new Headers(headers)],
          body: typeof body === "string" ? body : null,
          signal,
          redirect: "manual",
          dispatcher: agent,
        });
      return { agent, fetch };
    });
    return this.#opened;
  }
}

/** The code of the innermost error, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function causeOf(thrown: unknown): string {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "no connection";
}
