import type { IncomingMessage, ServerResponse } from "node:http";

import { SvcError } from "../../base/errors.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpLimits } from "./limits.ts";

/** One request and its answer. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without its query, of which nothing is read. */
  readonly path: string;
  /** Host and port of a request that names them in its first line, as one to a proxy does. */
  readonly authority: string | undefined;
  readonly address: string;
  /** On the clock of `performance.now()`. */
  readonly receivedAt: number;
  /** Aborted when the client has gone before it had its answer. */
  readonly clientGone: AbortSignal;
  readonly limits: HttpLimits;
  /** True while the server is about to end: the connection is not kept. */
  readonly isLast: () => boolean;
  /** Told of each error that is answered, by its code. */
  readonly recordError: (code: string) => void;
}

interface ExchangeOptions {
  readonly limits: HttpLimits;
  readonly isBehindProxy: boolean;
  readonly isLast: () => boolean;
  readonly recordError: (code: string) => void;
}

const ABSOLUTE = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is;

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { isBehindProxy, ...surroundings }: ExchangeOptions,
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
    ...surroundings,
  };
}

/** Throws METHOD_NOT_ALLOWED, which is answered with `Allow`. */
export function requireMethod(
  { request, response }: HttpExchange,
  allowed: readonly string[],
  hint?: string,
): void {
  if (request.method !== undefined && allowed.includes(request.method)) return;
  response.setHeader("Allow", allowed.join(", "));
  const detail = `The path takes ${allowed.join(" or ")} alone.`;
  throw new SvcError("METHOD_NOT_ALLOWED", detail, hint === undefined ? {} : { hint });
}
