// GET /mcp, which the revisions from 2025-03-26 to 2025-11-25 have: what the server says unasked.
import { isStateless } from "../../mcp/negotiate.ts";
import { sendMessage } from "../../mcp/outbox.ts";
import { namesOfCallable } from "../../mcp/tools-list.ts";
import { acceptedBy } from "./accept.ts";
import type { Listener } from "./byok.ts";
import { EventStream } from "./event-stream.ts";
import type { Exchange } from "./exchange.ts";
import type { EndpointTools, McpOptions } from "./mcp-endpoint.ts";
import { requireKnownVersion, versionOf } from "./request-headers.ts";

/** Throws INVALID_REQUEST for a GET in a revision that is not known. */
export function asksForListStream(exchange: Exchange): boolean {
  if (exchange.request.method !== "GET" || !acceptedBy(exchange).events) return false;
  requireKnownVersion(exchange);
  return !isStateless(versionOf(exchange) ?? "");
}

/** Tells the owner of the credential whenever another list of tools holds, until one of the two leaves. */
export async function openListStream(
  exchange: Exchange,
  { principal, recheck }: Listener,
  {
    options: { tools: offered, logger },
    tools: { streams, rights },
  }: { readonly options: McpOptions; readonly tools: EndpointTools },
): Promise<void> {
  const tools = typeof offered === "function" ? await offered() : offered;
  if (exchange.gone.aborted) return;
  const events = new EventStream(exchange);
  const end = (): void => events.end();
  streams.add({ events, principal: principal.id, end });
  // So that the client has the headers, and with them knows that it listens.
  events.comment();
  let names = namesOfCallable(tools, principal);
  const unwatch = rights.add({
    verify: recheck,
    onVerified(caller) {
      const now = namesOfCallable(tools, caller);
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
