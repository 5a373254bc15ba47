// A simulated model provider: an HTTP server that calls the tools of a script, some in each turn, and records the
// results as the client presents them to its model.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { CALLS } from "./calls.ts";
import {
  recordOf,
  type Json,
  type NumberedCall,
  type OfferedTool,
  type WireApi,
} from "./wire-api.ts";

/** Calls in one answer. */
const CALLS_PER_TURN = 10;

export interface StandIn {
  readonly port: number;
  /** The text that the model received for each call of the script, by position. */
  readonly received: ReadonlyMap<number, string>;
  /** Requests received, to diagnose a client that makes no calls. */
  readonly requests: readonly string[];
  readonly close: () => void;
}

export async function startStandIn(api: WireApi): Promise<StandIn> {
  const received = new Map<number, string>();
  const requests: string[] = [];
  let next = 0;
  const respond = (body: Json): string => {
    const offered = api.offeredTools(body);
    // Requests for titles and summaries have no tools.
    if (!offered.some((tool) => isTool(tool, "search_context"))) return api.answer([], body);
    for (const [id, text] of api.results(body)) {
      const at = Number(/(\d+)$/.exec(id)?.[1]);
      if (!received.has(at)) received.set(at, text);
    }
    const calls = CALLS.slice(next, next + CALLS_PER_TURN).map((call, index): NumberedCall => ({
      ...call,
      id: `call_${next + index}`,
      offered: offered.find((tool) => isTool(tool, call.tool)) ?? { name: call.tool },
    }));
    next += calls.length;
    return api.answer(calls, body);
  };
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const body = await bodyOf(request);
    requests.push(`${request.method} ${path} ${body.slice(0, 300)}`);
    if (request.method !== "POST" || !api.isModelCall(path)) {
      response.writeHead(path.includes("count_tokens") ? 200 : 404, JSON_TYPE);
      response.end('{"input_tokens":10}');
      return;
    }
    const text = respond(recordOf(JSON.parse(body)));
    response.writeHead(200, text.startsWith("{") ? JSON_TYPE : EVENT_TYPE);
    response.end(text);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return {
    port: address.port,
    received,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const JSON_TYPE = { "Content-Type": "application/json" };
const EVENT_TYPE = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };

/** Each client prefixes the name with the name of the server in its own way. */
function isTool({ name }: OfferedTool, tool: string): boolean {
  return name === tool || name.endsWith(`_${tool}`);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
