// HTTP servers with the same tools, for comparison: svc's server and those of the official SDK.
import { createServer, type RequestListener, type Server as HttpServer } from "node:http";

import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type Server as ServerV2 } from "@modelcontextprotocol/server";

import { CredentialPrincipal } from "../../src/credentials/authenticate.ts";
import { RightsWatcher } from "../../src/credentials/rights-watcher.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { serveHttp } from "../../src/transports/http/server.ts";
import { recordingLogger } from "../../test/helpers/rpc.ts";

export interface BenchServer {
  readonly port: number;
  readonly end: () => Promise<void>;
}

/** Any credential is valid: another bench measures the cost of verification. */
const PRINCIPAL = new CredentialPrincipal({
  id: "tok_1",
  kind: "token",
  name: "bench",
  namespaces: "all",
  readOnly: false,
  createdAt: 0,
  digest: "",
});

export async function serveOwn(
  tools: readonly Tool[],
  engine: () => Promise<Engine>,
): Promise<BenchServer> {
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: {
      tools,
      version: "0.0.0",
      instructions: "",
      engine,
      logger: recordingLogger().logger,
      audit: () => {},
    },
    authenticate: () => Promise.resolve(PRINCIPAL),
    rights: new RightsWatcher({ revision: () => Promise.resolve(0) }),
    ready: () => Promise.resolve(),
  });
  return { port: Number(new URL(server.url).port), end: () => server.end() };
}

/** Set up as documented for stateless servers, which are the leaner of its two kinds. */
export function serveSdk1(create: () => Server): Promise<BenchServer> {
  return listening(
    createServer((request, response) => {
      void (async () => {
        const server = create();
        const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
        response.once("close", () => void server.close());
        await server.connect(transport);
        await transport.handleRequest(request, response);
      })();
    }),
  );
}

/** As in its documentation. */
export function serveSdk2(create: () => ServerV2): Promise<BenchServer> {
  const handle = toNodeHandler(createMcpHandler(create));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types know no absent property of a request
  return listening(createServer(handle as unknown as RequestListener));
}

async function listening(server: HttpServer): Promise<BenchServer> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { port: address.port, end };
}
