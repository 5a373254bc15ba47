// GET /mcp of the revisions from 2025-03-26 to 2025-11-25: notifications that the server sends on its own.
import { isStateless } from "../../mcp/negotiate.ts";
import { sendMessage } from "../../mcp/outbox.ts";
import { callableNames } from "../../mcp/tools-list.ts";
import { acceptedTypes } from "./accept.ts";
import type { StreamPrincipal } from "./byok.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpExchange } from "./exchange.ts";
import type { EndpointServices, McpOptions } from "./endpoint-services.ts";
import { requireKnownVersion, protocolVersionHeader } from "./request-headers.ts";

/** Returns true for a request that opens a stream. Throws INVALID_REQUEST for a GET in an unknown revision. */
export function isToolListStreamRequest(exchange: HttpExchange): boolean {
  if (exchange.request.method !== "GET" || !acceptedTypes(exchange).events) return false;
  requireKnownVersion(exchange);
  return !isStateless(protocolVersionHeader(exchange) ?? "");
}

/** Notifies the client when its list of tools changes, until the client or the server ends the stream. */
export async function openToolListStream(
  exchange: HttpExchange,
  { principal, recheck }: StreamPrincipal,
  {
    options: { tools: offered, logger },
    services: { streams, rights },
  }: { readonly options: McpOptions; readonly services: EndpointServices },
): Promise<void> {
  const tools = typeof offered === "function" ? await offered() : offered;
  if (exchange.clientGone.aborted) return;
  const events = new EventStream(exchange);
  const end = (): void => events.end();
  streams.add({ events, principal: principal.id, end });
  // Sends the headers, which tell the client that the stream is open.
  events.sendComment();
  let names = callableNames(tools, principal);
  const unwatch = rights.add({
    verify: recheck,
    onVerified(verified) {
      const now = callableNames(tools, verified);
      if (now === names) return;
      names = now;
      const message = {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: {},
      } as const;
      sendMessage(message, (line) => events.send(line), logger);
    },
    onRefused: end,
  });
  exchange.response.once("close", unwatch);
}
