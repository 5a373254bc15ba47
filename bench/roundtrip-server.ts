// node bench/roundtrip-server.ts sdk1 | sdk2 | http: a server with one trivial tool. The first two are those of the
// official SDK, over standard input and output; the third sends the ports of svc's and of the SDK's over its channel.
import { createServer } from "node:http";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { Principal } from "../src/credentials/authenticate.ts";
import { RightsWatch } from "../src/credentials/rights-watch.ts";
import { serveHttp } from "../src/transports/http/server.ts";
import { recordingLogger } from "../test/helpers/rpc.ts";
import { FIXTURE_TOOLS } from "../test/transports/fixtures/tools.ts";

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

async function servePorts(): Promise<void> {
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
      tools: FIXTURE_TOOLS,
      version: "0.0.0",
      instructions: "",
      engine: () => Promise.reject(new Error("there is none")),
      logger: recordingLogger().logger,
      audit: () => {},
    },
    authenticate: () => Promise.resolve(principal),
    rights: new RightsWatch({ revision: () => Promise.resolve(0) }),
    ready: () => Promise.resolve(),
  });
  // As its documentation has it where nothing is kept between requests.
  const peer = createServer((request, response) => {
    void (async () => {
      const server = sdk1();
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.once("close", () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response);
    })();
  });
  peer.listen(0, "127.0.0.1", () => {
    const address = peer.address();
    const port = typeof address === "object" ? address?.port : undefined;
    process.send?.({ own: Number(new URL(own.url).port), peer: port });
  });
  process.once("disconnect", () => process.exit(0));
}

const [kind] = process.argv.slice(2);
if (kind === "sdk1") await sdk1().connect(new StdioServerTransport());
else if (kind === "sdk2") serveStdio(sdk2);
else await servePorts();
