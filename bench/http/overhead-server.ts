// node bench/http/overhead-server.ts ROOT: one engine, behind svc's server and behind that of the official SDK, and
// asked in the process itself. It sends the two ports over its channel, and the time of each call that it is sent.
import { createServer } from "node:http";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { Principal } from "../../src/credentials/authenticate.ts";
import { RightsWatch } from "../../src/credentials/rights-watch.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { tools } from "../../src/tools/registry.ts";
import type { Item } from "../../src/tools/tool.ts";
import { serveHttp } from "../../src/transports/http/server.ts";
import { LOCAL, recordingLogger } from "../../test/helpers/rpc.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

const [root = "."] = process.argv.slice(2);
const { logger } = recordingLogger();
const engine = createEngine({
  dataDirectory: process.env["SERVICE_HOME"] ?? "",
  home: process.env["HOME"] ?? "",
  logger,
  workspace: () => root,
  // The same call comes three times, and is to cost the same.
  kept: { mostBytes: 0 },
});

async function call({ name, input }: ToolCall): Promise<readonly Item[]> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const items: Item[] = [];
  await tool.call(input, {
    engine: () => Promise.resolve(engine),
    caller: LOCAL,
    signal: new AbortController().signal,
    emit: (item) => void items.push(item),
    progress: () => {},
  });
  return items;
}

/** Any credential is good: what it costs to verify one has a bench of its own. */
const principal = new Principal({
  id: "tok_1",
  kind: "token",
  name: "bench",
  namespaces: "all",
  readOnly: false,
  createdAt: 0,
  digest: "",
});

const own = await serveHttp({
  host: "127.0.0.1",
  port: 0,
  mcp: {
    tools,
    version: "0.0.0",
    instructions: "",
    engine: () => Promise.resolve(engine),
    logger,
    audit: () => {},
  },
  authenticate: () => Promise.resolve(principal),
  rights: new RightsWatch({ revision: () => Promise.resolve(0) }),
  ready: () => Promise.resolve(),
});

/** As its documentation has it where nothing is kept between requests; the leaner of its two kinds of server. */
const peer = createServer((request, response) => {
  void (async () => {
    const server = new Server({ name: "peer", version: "0.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const items = await call({ name: params.name, input: params.arguments ?? {} });
      return { content: items.map(({ text }) => ({ type: "text", text })) };
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once("close", () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  })();
});

peer.listen(0, "127.0.0.1", () => {
  const address = peer.address();
  if (address === null || typeof address === "string") throw new Error("the peer has no port");
  process.send?.({ own: Number(new URL(own.url).port), peer: address.port });
});

process.on("message", (asked: ToolCall) => {
  const from = performance.now();
  void call(asked).then(() => process.send?.(performance.now() - from));
});

process.once("disconnect", () => {
  peer.closeAllConnections();
  peer.close();
  void own.end().then(() => engine.close());
});
