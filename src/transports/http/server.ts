// HTTP on Node's own server (docs/decisions/0019-http-layer.md): the checks that a request passes before it reaches
// its endpoint, and the shutdown.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

import { SvcError, toSvcError } from "../../base/errors.ts";
import { NODE_PATH } from "../../base/node-message.ts";
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
import type { EndpointServices, McpOptions } from "./endpoint-services.ts";
import { handleMcp } from "./mcp-endpoint.ts";
import { handleMetrics } from "./metrics-endpoint.ts";
import { handleNamespaces } from "./namespaces-endpoint.ts";
import { handleNode, type AnswerNode } from "./nodes-endpoint.ts";
import { IndexEndpoint, offeredPath } from "./index-endpoint.ts";
import { OpenStreams } from "./open-streams.ts";
import { webEndpoints } from "./web-endpoint.ts";
import { RefreshEndpoint, refreshedNamespace, type StartRefresh } from "./refresh-endpoint.ts";
import { handlePageAdmin, type AdminSource } from "./page-admin-endpoint.ts";
import { handlePageSession } from "./page-session-endpoint.ts";
import { PageSessions } from "./page-sessions.ts";
import { RecentEvents } from "./recent-events.ts";
import { handleRest, REST_PATHS } from "./rest-endpoint.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { MCP_PATH, sendError } from "./reply.ts";
import { ServerMetrics } from "./server-metrics.ts";

/** Options of the HTTP server. */
export interface HttpOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Names of the server besides those of this machine. */
  readonly allowHosts?: readonly string[];
  /** Certificate chain and private key, as PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** True when clients connect through a proxy, which passes their addresses in X-Forwarded-For. */
  readonly isBehindProxy?: boolean;
  readonly mcp: McpOptions & { readonly audit: NonNullable<McpOptions["audit"]> };
  readonly authenticate: AuthenticateSecret;
  /** Notifies listeners when their rights change. */
  readonly rights: RightsWatcher;
  /** If set, keys of a model provider are accepted too. */
  readonly byok?: Byok | undefined;
  /** Rejects while the server could not answer calls. */
  readonly ready: () => Promise<void>;
  /** False for a server that only indexes; true by default. */
  readonly answersQuestions?: boolean | undefined;
  /** Without it, namespaces cannot be refreshed over HTTP. */
  readonly refresh?: StartRefresh | undefined;
  /** Whether callers who may read a namespace may also have its index; false by default. */
  readonly sharesIndexes?: boolean | undefined;
  /** The secret of webhooks that refresh namespaces; without it they are refused. */
  readonly webhookSecret?: string | undefined;
  /** Without it, other nodes cannot let this one search. */
  readonly answerNode?: AnswerNode | undefined;
  /** Without it there are no metrics of the indexes. */
  readonly indexStatus?: ReadIndexStatus;
  /** Without it, the search page has no view for admins. */
  readonly admin?: AdminSource | undefined;
  /** Replace single limits of HTTP_LIMITS. */
  readonly limits?: Partial<HttpLimits>;
}

/** A listening server. */
export interface HttpServer {
  readonly url: string;
  /** Returns a code that signs the owner of the machine in to the search page, once and within two minutes. */
  readonly newPageCode: () => string;
  /** Refuses waiting and new calls, and resolves when the running ones have ended or the time limit is reached. */
  readonly end: () => Promise<void>;
}

/**
 * Number of connections that the system queues until they are accepted; a client beyond that retries only seconds
 * later.
 */
const BACKLOG = 4096;

type Endpoint = (exchange: HttpExchange) => Promise<void> | void;
/** Returns the endpoint of a request; undefined if there is none. */
type FindEndpoint = (exchange: HttpExchange) => Endpoint | undefined;

/** Resolves when the server is listening. Throws CANNOT_LISTEN. */
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
  const sessions = new PageSessions();
  const endpointOf = endpointsOf(options, limits, { metrics, queue, streams, sessions });
  let isEnding = false;
  const shared = {
    limits,
    isBehindProxy: options.isBehindProxy ?? false,
    recordError,
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const ahead = connections.waiting(request.socket);
    response.once("close", connections.begin(request.socket));
    // The previous request already ended the connection; requests after it are not answered.
    if (ahead > limits.pipelined) return;
    const isTooMany = ahead === limits.pipelined;
    const exchange = openExchange(request, response, {
      ...shared,
      isLast: () => isEnding || isTooMany,
    });
    void answer(exchange, { allowed, endpointOf, options });
  };
  // A client that sends `Expect: 100-continue` gets its answer from the code that reads the body.
  server.on("request", handle).on("checkContinue", handle).on("checkExpectation", handle);
  const sweeping = setInterval(() => connections.sweep(), limits.sweepMs).unref();
  return {
    url: `${scheme}://${urlHost(options.host)}:${port}`,
    newPageCode: () => sessions.newCode(),
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
  readonly sessions: PageSessions;
}

function endpointsOf(
  options: HttpOptions,
  limits: HttpLimits,
  { metrics, queue, streams, sessions }: EndpointParts,
): FindEndpoint {
  const { mcp, authenticate, byok, rights, ready, indexStatus, answerNode } = options;
  const services = {
    authenticator: new Authenticator({ authenticate, audit: mcp.audit, byok, sessions }),
    bodies: new BodyReader(limits.allBodiesBytes),
    queue,
    streams,
    rights,
  };
  const readiness = new ReadinessProbe({ check: ready, logger: mcp.logger });
  const events = new RecentEvents();
  const counted = withMetrics(mcp, metrics, events);
  const metricsOptions = {
    authenticator: services.authenticator,
    families: () =>
      metrics.families({ calls: queue.inFlight, waiting: queue.waiting, streams: streams.size }),
    index: indexStatus && new IndexMetrics(events.noting(indexStatus), mcp.logger),
    isBehindProxy: options.isBehindProxy ?? false,
  };
  const { authenticator } = services;
  const { engine } = mcp;
  const questions: readonly (readonly [string, Endpoint])[] = [
    [MCP_PATH, (exchange) => handleMcp(exchange, counted(exchange), services)],
    ...REST_PATHS.map((path): readonly [string, Endpoint] => [
      path,
      (exchange) => handleRest(exchange, counted(exchange), services),
    ]),
    ["/v1/namespaces", (exchange) => handleNamespaces(exchange, { authenticator, engine })],
    ...pageEndpoints(options, { sessions, events, services }),
    ...webEndpoints(),
  ];
  const answersQuestions = options.answersQuestions ?? true;
  const ofNodes: readonly (readonly [string, Endpoint])[] =
    answerNode === undefined
      ? []
      : [[NODE_PATH, (exchange) => handleNode(exchange, answerNode, services.bodies)]];
  const endpoints = new Map<string, Endpoint>([
    ...questions.map(([path, endpoint]) => [path, answersQuestions ? endpoint : refuse] as const),
    ...ofNodes,
    ["/healthz", handleLiveness],
    ["/readyz", (exchange) => readiness.handle(exchange)],
    [
      "/openapi.json",
      async (exchange) => {
        const { handleOpenApi } = await import("./openapi.ts");
        handleOpenApi(exchange, mcp.version);
      },
    ],
    ["/metrics", (exchange) => handleMetrics(exchange, metricsOptions)],
  ]);
  const refreshing = refreshEndpointOf(options);
  const { audit, logger } = mcp;
  const isShared = options.sharesIndexes ?? false;
  const indexes = new IndexEndpoint({ engine, isShared, audit, logger });
  return ({ path }) => {
    const offered = offeredPath(path);
    if (offered !== undefined)
      return answersQuestions ? (exchange) => indexes.handle(exchange, offered, services) : refuse;
    const namespace = refreshing && refreshedNamespace(path);
    if (namespace === undefined) return endpoints.get(path);
    return (exchange) => refreshing?.handle(exchange, namespace, services);
  };
}

/** What only the search page calls. */
function pageEndpoints(
  { mcp: { audit, version }, admin: source }: HttpOptions,
  {
    sessions,
    events,
    services: { authenticator },
  }: {
    readonly sessions: PageSessions;
    readonly events: RecentEvents;
    readonly services: EndpointServices;
  },
): readonly (readonly [string, Endpoint])[] {
  const session = { authenticator, sessions, audit };
  const signIn: Endpoint = (exchange) => handlePageSession(exchange, session);
  if (source === undefined) return [["/page/session", signIn]];
  const admin = { authenticator, source, events, version, audit };
  return [
    ["/page/session", signIn],
    ["/page/admin", (exchange) => handlePageAdmin(exchange, admin)],
  ];
}

/** A server that only indexes. */
function refuse(): void {
  throw new SvcError("ENDPOINT_NOT_FOUND", "This server indexes and answers no questions.", {
    hint: "Ask a server whose role is `read` or `both`.",
  });
}

function refreshEndpointOf({
  refresh,
  webhookSecret,
  mcp,
}: HttpOptions): RefreshEndpoint | undefined {
  if (refresh === undefined) return undefined;
  const { audit, logger } = mcp;
  return new RefreshEndpoint({ start: refresh, webhookSecret, audit, logger });
}

/** Returns options that also count each audited call in the metrics. */
function withMetrics(mcp: HttpOptions["mcp"], metrics: ServerMetrics, events: RecentEvents) {
  return ({ path, receivedAt }: HttpExchange): HttpOptions["mcp"] => ({
    ...mcp,
    audit(call) {
      const seconds = (performance.now() - receivedAt) / 1000;
      const { outcome } = call;
      const isRest = path !== MCP_PATH;
      const label = metrics.recordCall({ tool: call.tool, isRest, outcome, seconds });
      events.addCall({ at: Date.now(), ms: Math.round(seconds * 1000), tool: label, outcome });
      mcp.audit(call);
    },
  });
}

interface Routes {
  readonly allowed: AllowList;
  readonly endpointOf: FindEndpoint;
  readonly options: HttpOptions;
}

/** Headers that may occur only once: of two values, a proxy in front may have read the other one. */
const SINGLE_VALUE_HEADERS = [
  "host",
  "origin",
  "authorization",
  "x-api-key",
  "x-provider-key",
  "x-svc-page",
  "x-svc-code",
  "x-hub-signature-256",
  "x-svc-signature",
  "x-gitlab-token",
  "content-type",
  "content-encoding",
];

/** Checks in the order of mcp.md, H2. Never rejects. */
async function answer(
  exchange: HttpExchange,
  { allowed, endpointOf, options }: Routes,
): Promise<void> {
  try {
    const repeated = SINGLE_VALUE_HEADERS.find(
      (name) => (exchange.request.headersDistinct[name]?.length ?? 0) > 1,
    );
    if (repeated !== undefined) {
      throw new SvcError("INVALID_REQUEST", `The request has more than one header ${repeated}.`);
    }
    allowed.check(exchange);
    if (exchange.isLast()) {
      throw new SvcError("OVERLOADED", "This connection is closing.", { retryAfter: 1 });
    }
    const endpoint = endpointOf(exchange);
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
