// HTTP over Node's own server (docs/decisions/0019-http-layer.md): what a request has to pass before
// its endpoint sees it, and how the server ends.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { RightsWatcher } from "../../credentials/rights-watcher.ts";
import { AdmissionQueue } from "./admission-queue.ts";
import { AllowList, urlHost } from "./allow-list.ts";
import { BodyReader } from "./body.ts";
import type { Byok } from "./byok.ts";
import { Connections } from "./connections.ts";
import { Authenticator, type AuthenticateSecret } from "./authenticator.ts";
import { openExchange, type HttpExchange } from "./exchange.ts";
import { handleLiveness, ReadinessProbe } from "./health.ts";
import { IndexMetrics, type ReadIndexStatus } from "./index-metrics.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { handleMcp, type McpOptions } from "./mcp-endpoint.ts";
import { handleMetrics } from "./metrics-endpoint.ts";
import { OpenStreams } from "./open-streams.ts";
import { webEndpoints } from "./web-endpoint.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { MCP_PATH, sendError } from "./reply.ts";
import { handleSearch } from "./search-endpoint.ts";
import { ServerMetrics } from "./server-metrics.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Names the server is reached by besides those of this machine. */
  readonly allowHosts?: readonly string[];
  /** Certificate chain and private key, as PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Clients come through a proxy, which tells their addresses in X-Forwarded-For. */
  readonly isBehindProxy?: boolean;
  readonly mcp: McpOptions & { readonly audit: NonNullable<McpOptions["audit"]> };
  readonly authenticate: AuthenticateSecret;
  /** Tells those who listen when their rights change. */
  readonly rights: RightsWatcher;
  /** Takes keys of a model provider as well. */
  readonly byok?: Byok | undefined;
  /** Rejects while calls could not be answered. */
  readonly ready: () => Promise<void>;
  /** Without it the metrics tell nothing of indexes. */
  readonly indexStatus?: ReadIndexStatus;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  readonly url: string;
  /** Lets running calls come to their end, within the limit; takes no new ones, and begins none of those that wait. */
  readonly end: () => Promise<void>;
}

/** Connections the system holds until they are taken: one it has no room for is tried again seconds later. */
const BACKLOG = 4096;

type Endpoint = (exchange: HttpExchange) => Promise<void> | void;

/** Listens, and resolves once it does. Throws CANNOT_LISTEN. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const server = createNodeServer(options.tls, limits);
  const connections = new Connections(limits);
  server.on("connection", (socket) => connections.add(socket));
  const metrics = new ServerMetrics(options.mcp.version);
  const recordError = (code: string): void => metrics.recordError(code);
  server.on("clientError", (failure, socket) => {
    const code = refuseConnection(failure, socket);
    if (code !== undefined) recordError(code);
  });
  const { port } = await listen(server, options);
  const scheme = options.tls === undefined ? "http" : "https";
  const allowed = new AllowList({
    host: options.host,
    port,
    allowHosts: options.allowHosts ?? [],
    schemes: options.isBehindProxy === true ? ["http", "https"] : [scheme],
  });
  const streams = new OpenStreams(limits);
  const queue = new AdmissionQueue(limits, () => connections.acceptedCount);
  const endpoints = endpointsOf(options, limits, { metrics, queue, streams });
  let isEnding = false;
  const surroundings = {
    limits,
    isBehindProxy: options.isBehindProxy ?? false,
    recordError,
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const ahead = connections.waiting(request.socket);
    response.once("close", connections.begin(request.socket));
    // The one before has ended the connection: what was sent behind it is not answered.
    if (ahead > limits.pipelined) return;
    const isTooMany = ahead === limits.pipelined;
    const exchange = openExchange(request, response, {
      ...surroundings,
      isLast: () => isEnding || isTooMany,
    });
    void answer(exchange, { allowed, endpoints, options });
  };
  // A client that asks whether it may send its body is told by whoever reads it.
  server.on("request", take).on("checkContinue", take).on("checkExpectation", take);
  const sweeping = setInterval(() => connections.sweep(), limits.sweepMs).unref();
  return {
    url: `${scheme}://${urlHost(options.host)}:${port}`,
    async end() {
      isEnding = true;
      clearInterval(sweeping);
      streams.endAll();
      const closed = new Promise((resolve) => server.close(resolve));
      connections.end();
      queue.refuseWaiting();
      const timer = setTimeout(() => connections.destroy(), limits.drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function createNodeServer(tls: HttpOptions["tls"], limits: HttpLimits): Server {
  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.sweepMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
  };
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersMs });
  server.timeout = limits.stalledMs;
  return server;
}

async function listen(server: Server, { host, port }: HttpOptions): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen(cause, { host, port })));
    server.listen({ host: host.replace(/^\[|\]$/g, ""), port, backlog: BACKLOG }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

function cannotListen(cause: Error, { host, port }: { host: string; port: number }): SvcError {
  const code = "code" in cause ? String(cause.code) : cause.message;
  const where = `${urlHost(host)}:${port}`;
  if (code === "EADDRINUSE") {
    return new SvcError("CANNOT_LISTEN", `Another program listens on ${where}.`, {
      hint: "Choose another port with --port, or 0 for a free one.",
      cause,
    });
  }
  return new SvcError("CANNOT_LISTEN", `Cannot listen on ${where} (${code}).`, {
    hint: "--host is an address of this machine, and ports below 1024 may need more rights.",
    cause,
  });
}

interface EndpointParts {
  readonly metrics: ServerMetrics;
  readonly queue: AdmissionQueue;
  readonly streams: OpenStreams;
}

function endpointsOf(
  options: HttpOptions,
  limits: HttpLimits,
  { metrics, queue, streams }: EndpointParts,
): ReadonlyMap<string, Endpoint> {
  const { mcp, authenticate, byok, rights, ready, indexStatus } = options;
  const tools = {
    authenticator: new Authenticator({ authenticate, audit: mcp.audit, byok }),
    bodies: new BodyReader(limits.allBodiesBytes),
    queue,
    streams,
    rights,
  };
  const readiness = new ReadinessProbe({ check: ready, logger: mcp.logger });
  const counted = withMetrics(mcp, metrics);
  const measures = {
    authenticator: tools.authenticator,
    families: () =>
      metrics.families({ calls: queue.inFlight, waiting: queue.waiting, streams: streams.size }),
    index: indexStatus === undefined ? undefined : new IndexMetrics(indexStatus, mcp.logger),
    isBehindProxy: options.isBehindProxy ?? false,
  };
  return new Map<string, Endpoint>([
    [MCP_PATH, (exchange) => handleMcp(exchange, counted(exchange), tools)],
    ["/v1/search", (exchange) => handleSearch(exchange, counted(exchange), tools)],
    ["/healthz", handleLiveness],
    ["/readyz", (exchange) => readiness.handle(exchange)],
    [
      "/openapi.json",
      async (exchange) => {
        const { handleOpenApi } = await import("./openapi.ts");
        handleOpenApi(exchange, mcp.version);
      },
    ],
    ["/metrics", (exchange) => handleMetrics(exchange, measures)],
    ...webEndpoints(),
  ]);
}

/** Options with which each call that is audited is counted too. */
function withMetrics(mcp: HttpOptions["mcp"], metrics: ServerMetrics) {
  return ({ path, receivedAt }: HttpExchange): HttpOptions["mcp"] => ({
    ...mcp,
    audit(call) {
      const seconds = (performance.now() - receivedAt) / 1000;
      const tool = path === MCP_PATH ? call.tool : undefined;
      metrics.recordCall({ tool, outcome: call.outcome, seconds });
      mcp.audit(call);
    },
  });
}

interface Routes {
  readonly allowed: AllowList;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly options: HttpOptions;
}

/** Headers of which a request has one, or none: of two, a proxy before us may have read the other. */
const SINGLE_VALUE_HEADERS = [
  "host",
  "origin",
  "authorization",
  "x-api-key",
  "x-provider-key",
  "content-type",
  "content-encoding",
];

/** In the order of mcp.md, H2. Never rejects. */
async function answer(
  exchange: HttpExchange,
  { allowed, endpoints, options }: Routes,
): Promise<void> {
  try {
    const twice = SINGLE_VALUE_HEADERS.find(
      (name) => (exchange.request.headersDistinct[name]?.length ?? 0) > 1,
    );
    if (twice !== undefined) {
      throw new SvcError("INVALID_REQUEST", `The request has more than one header ${twice}.`);
    }
    allowed.check(exchange);
    if (exchange.isLast()) {
      throw new SvcError("OVERLOADED", "This connection is about to end.", { retryAfter: 1 });
    }
    const endpoint = endpoints.get(exchange.path);
    if (endpoint === undefined) {
      throw new SvcError("ENDPOINT_NOT_FOUND", "There is nothing at this path.", {
        hint: "MCP is at POST /mcp, search at POST /v1/search.",
      });
    }
    await endpoint(exchange);
  } catch (thrown) {
    if (exchange.clientGone.aborted) return;
    const error = toSvcError(thrown);
    const { logger } = options.mcp;
    if (error.cause !== undefined && error.code === "INTERNAL_ERROR") {
      logger.warn("request failed", { path: exchange.path.slice(0, 80), error: error.cause });
    }
    logger.debug("refused", { outcome: error.code });
    sendError(exchange, error);
  }
}
