import { SvcError, toSvcError } from "../../base/errors.ts";
import type { RightsWatcher } from "../../credentials/rights-watcher.ts";
import { allowsBatches } from "../../mcp/negotiate.ts";
import type { ServerOptions } from "../../mcp/options.ts";
import { Session } from "../../mcp/session.ts";
import { acceptedTypes, notAcceptable } from "./accept.ts";
import { requireJson } from "./body.ts";
import type { StreamPrincipal, AuthContext } from "./byok.ts";
import type { EndpointServices, McpOptions } from "./endpoint-services.ts";
import type { EventStream } from "./event-stream.ts";
import { remainingMs, requireMethod, type HttpExchange } from "./exchange.ts";
import { isToolListStreamRequest, openToolListStream } from "./tool-list-stream.ts";
import type { OpenStreams } from "./open-streams.ts";
import { setRetryAfter } from "./reply.ts";
import { problemWithHeaders, protocolVersionHeader } from "./request-headers.ts";
import { RpcResponse } from "./rpc-response.ts";
import { runInTurn } from "./run-in-turn.ts";

/** Maximum number of concurrent calls of one batch; the whole batch takes one turn. */
const MAX_BATCH_IN_FLIGHT = 4;

/**
 * `POST /mcp`: handles one message, or a batch, in a session of its own. No state is kept between requests. `GET
 * /mcp` opens an event stream.
 */
export async function handleMcp(
  exchange: HttpExchange,
  options: McpOptions,
  services: EndpointServices,
): Promise<void> {
  const authContext = await services.authenticator.authContext(exchange);
  if (isToolListStreamRequest(exchange)) {
    await openToolListStream(exchange, requireListener(authContext), { options, services });
    return;
  }
  requireMethod(exchange, ["POST"], "GET is for clients that accept text/event-stream.");
  requireJson(exchange);
  const accepted = acceptedTypes(exchange);
  if (!accepted.json && !accepted.events) {
    throw notAcceptable("application/json or text/event-stream");
  }
  const response = new RpcResponse(exchange, accepted);
  let received: Promise<void> | undefined;
  const work = async (text: string): Promise<void> => {
    const version = protocolVersionHeader(exchange);
    if (/^\s*\[/.test(text) && !allowsBatches(version)) {
      throw new SvcError("INVALID_REQUEST", `Protocol version ${version} has no batches.`);
    }
    const listening = Promise.withResolvers<void>();
    const session = new Session(
      {
        ...options,
        ...sessionOptions(exchange, authContext),
        audit: (call) => options.audit?.(authContext.isByok ? { ...call, byok: true } : call),
        watchRights:
          authContext.listener &&
          watchPrincipal(
            authContext.listener,
            services.rights,
            () => void session.endSubscriptions(),
          ),
        reserveSubscription({ id }) {
          requireListener(authContext);
          if (!accepted.events) throw notAcceptable("text/event-stream");
          registerSubscription(response.events, {
            principal: id,
            session,
            streams: services.streams,
          });
          listening.resolve();
        },
      },
      (line, message) => response.take(line, message),
    );
    const close = (): void => session.close();
    exchange.clientGone.addEventListener("abort", close, { once: true });
    if (exchange.clientGone.aborted) close();
    received = Promise.resolve(session.receive(text)).finally(close);
    // A listener no longer occupies a place among the calls.
    await Promise.race([received, listening.promise]);
  };
  await runInTurn(exchange, { owner: authContext.owner, services, work });
  await received;
  response.end();
}

/** The options of a session that depend on its request. */
function sessionOptions(exchange: HttpExchange, { confirm, listener, reranker }: AuthContext) {
  return {
    authorize: confirm,
    recheck: listener?.recheck,
    reranker,
    problemWith: (message) => problemWithHeaders(exchange, message),
    timeoutMs: remainingMs(exchange),
    maxInFlight: MAX_BATCH_IN_FLIGHT,
  } satisfies Partial<ServerOptions>;
}

/** Watches the credential of a listener; calls `onRefused` when it is no longer accepted. */
function watchPrincipal(
  { recheck: verify }: StreamPrincipal,
  rights: RightsWatcher,
  onRefused: () => void,
): NonNullable<ServerOptions["watchRights"]> {
  return (onVerified) => rights.add({ verify, onVerified, onRefused });
}

function requireListener({ listener }: AuthContext): StreamPrincipal {
  if (listener !== undefined) return listener;
  throw new SvcError("FORBIDDEN", "Event streams require an access token of svc.", {
    hint: "Calls work without an event stream. Send a token as Authorization: Bearer, and the provider's key as X-Provider-Key.",
  });
}

/** Registers the stream of a subscription. Throws RATE_LIMITED and OVERLOADED. */
function registerSubscription(
  events: EventStream,
  {
    principal,
    session,
    streams,
  }: { readonly principal: string; readonly session: Session; readonly streams: OpenStreams },
): void {
  try {
    streams.add({ events, principal, end: () => void session.endSubscriptions() });
  } catch (thrown) {
    setRetryAfter(events.exchange, toSvcError(thrown));
    throw thrown;
  }
}
