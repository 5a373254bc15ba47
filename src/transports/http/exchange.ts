import { isIP } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";

import { SvcError } from "../../base/errors.ts";
import type { HttpLimits } from "./limits.ts";

/** One request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path without the query string, which is never read. */
  readonly path: string;
  /** Host and port from the request line, if it has an absolute URL, as in a request to a proxy. */
  readonly authority: string | undefined;
  /** Address of the client; see `clientAddress`. */
  readonly address: string;
  /** On the clock of `performance.now()`, in milliseconds. */
  readonly receivedAt: number;
  /** Aborted when the client has gone before it received its response. */
  readonly clientGone: AbortSignal;
  readonly limits: HttpLimits;
  /** True when the connection must close after this response, for example because the server is shutting down. */
  readonly isLast: () => boolean;
  /** Called with the code of each error response. */
  readonly recordError: (code: string) => void;
}

interface ExchangeOptions {
  readonly limits: HttpLimits;
  readonly isBehindProxy: boolean;
  readonly isLast: () => boolean;
  readonly recordError: (code: string) => void;
}

const ABSOLUTE = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is;

/** Describes a request that has arrived. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { isBehindProxy, ...shared }: ExchangeOptions,
): HttpExchange {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const url = request.url ?? "/";
  const parts = ABSOLUTE.exec(url)?.groups;
  const [path = ""] = (parts?.["rest"] ?? url).split(/[?#]/);
  return {
    request,
    response,
    path: path === "" ? "/" : path,
    authority: parts?.["authority"],
    address: clientAddress(request, isBehindProxy),
    receivedAt: performance.now(),
    clientGone: gone.signal,
    ...shared,
  };
}

/** Throws METHOD_NOT_ALLOWED and sets the header `Allow`. */
export function requireMethod(
  { request, response }: HttpExchange,
  allowed: readonly string[],
  hint?: string,
): void {
  if (request.method !== undefined && allowed.includes(request.method)) return;
  response.setHeader("Allow", allowed.join(", "));
  const detail = `This path accepts only ${allowed.join(" and ")}.`;
  throw new SvcError("METHOD_NOT_ALLOWED", detail, hint === undefined ? {} : { hint });
}

/** Returns the milliseconds left for a call, whose time began with its first byte. */
export function remainingMs({ receivedAt, limits }: HttpExchange): number {
  return Math.max(1, Math.round(limits.callMs - (performance.now() - receivedAt)));
}

/**
 * Returns the address that failed attempts are counted for. Behind a proxy it is the last one in X-Forwarded-For,
 * which the proxy itself appended; a client can forge the ones before it.
 */
function clientAddress(request: IncomingMessage, isBehindProxy: boolean): string {
  const own = request.socket.remoteAddress ?? "";
  if (!isBehindProxy) return own;
  const last = request.headersDistinct["x-forwarded-for"]?.at(-1)?.split(",").at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : own;
}
