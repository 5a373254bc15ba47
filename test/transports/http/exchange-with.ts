import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import { openExchange, type HttpExchange } from "../../../src/transports/http/exchange.ts";
import { HTTP_LIMITS } from "../../../src/transports/http/limits.ts";

/** A received request with these headers, without a connection. */
export function exchangeWith(
  headers: Readonly<Record<string, string | undefined>>,
  url = "/mcp",
): HttpExchange {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url, headers });
  return openExchange(request, new ServerResponse(request), {
    limits: HTTP_LIMITS,
    isBehindProxy: false,
    isLast: () => false,
    recordError: () => {},
  });
}
