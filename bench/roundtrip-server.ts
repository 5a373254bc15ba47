// node bench/roundtrip-server.ts sdk1 | sdk2 | http: a server with one trivial tool. The first two are servers of the
// official SDK, over standard input and output; the third sends the ports of svc's server and the SDK's server over its
// channel.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { FIXTURE_TOOLS } from "../test/transports/fixtures/tools.ts";
import { serveOwn, serveSdk1, serveSdk2 } from "./http/servers.ts";

const INFO = { name: "peer", version: "0.0.0" };
const OPTIONS = { capabilities: { tools: {} } };

function echo(text: unknown): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: String(text) }] };
}

function sdk1(): Server {
  const server = new Server(INFO, OPTIONS);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    echo(params.arguments?.["text"]),
  );
  return server;
}

function sdk2(): ServerV2 {
  const server = new ServerV2(INFO, OPTIONS);
  server.setRequestHandler("tools/call", async ({ params }) => echo(params.arguments?.["text"]));
  return server;
}

function noEngine(): Promise<never> {
  return Promise.reject(new Error("there is none"));
}

async function servePorts(): Promise<void> {
  const servers = {
    svc: await serveOwn(FIXTURE_TOOLS, noEngine),
    "SDK 1": await serveSdk1(sdk1),
    "SDK 2": await serveSdk2(sdk2),
  };
  process.send?.(Object.entries(servers).map(([name, { port }]) => [name, port]));
  process.once("disconnect", () => process.exit(0));
}

const [kind] = process.argv.slice(2);
if (kind === "sdk1") await sdk1().connect(new StdioServerTransport());
else if (kind === "sdk2") serveStdio(sdk2);
else await servePorts();
