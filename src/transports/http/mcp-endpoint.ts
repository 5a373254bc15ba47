import { SvcError, toSvcError } from "../../base/errors.ts";
import type { RightsWatch } from "../../credentials/rights-watch.ts";
import { allowsBatches } from "../../mcp/negotiate.ts";
import type { ServerOptions } from "../../mcp/options.ts";
import { Session } from "../../mcp/session.ts";
import { acceptedBy, notAcceptable } from "./accept.ts";
import { requireJson, type BodyReader } from "./body.ts";
import type { Listener, Visit } from "./byok.ts";
import type { Door } from "./door.ts";
import type { EventStream } from "./event-stream.ts";
import { requireMethod, type Exchange } from "./exchange.ts";
import { asksForListStream, openListStream } from "./list-stream.ts";
import type { OpenStreams } from "./open-streams.ts";
import { setRetryAfter } from "./reply.ts";
import { problemWithHeaders, versionOf } from "./request-headers.ts";
import { RpcAnswer } from "./rpc-answer.ts";
import type { WaitingRoom } from "./waiting-room.ts";

export interface EndpointTools {
  readonly door: Door;
  readonly bodies: BodyReader;
  readonly waitingRoom: WaitingRoom;
  readonly streams: OpenStreams;
  readonly rights: RightsWatch;
}

/** What a session is made with, but for what each request brings itself. */
export type McpOptions = Pick<
  ServerOptions,
  "tools" | "version" | "instructions" | "engine" | "logger" | "audit"
>;

/** Calls of one batch that run side by side: a batch takes one place in the waiting room. */
const BATCH_IN_FLIGHT = 4;

/**
 * `POST /mcp`: one message, or a batch, in a session of its own. Nothing is kept between requests. `GET
 * /mcp` listens.
 */
export async function answerMcp(
  exchange: Exchange,
  options: McpOptions,
  tools: EndpointTools,
): Promise<void> {
  const { door, bodies, waitingRoom } = tools;
  const visit = await door.visit(exchange);
  if (asksForListStream(exchange)) {
    await openListStream(exchange, requireListener(visit), { options, tools });
    return;
  }
  requireMethod(exchange, ["POST"], "GET is for clients that accept text/event-stream.");
  requireJson(exchange);
  const accepted = acceptedBy(exchange);
  if (!accepted.json && !accepted.events) {
    throw notAcceptable("application/json or text/event-stream");
  }
  const text = await bodies.read(exchange);
  const version = versionOf(exchange);
  if (/^\s*\[/.test(text) && !allowsBatches(version)) {
    throw new SvcError("INVALID_REQUEST", `Protocol version ${version} has no batches.`);
  }
  const answer = new RpcAnswer(exchange, accepted);
  let received: Promise<void> | undefined;
  await waitingRoom.run(exchange, async () => {
    const listening = Promise.withResolvers<void>();
    const session = new Session(
      {
        ...options,
        ...rulesOf(exchange, visit),
        audit: (call) => options.audit?.(visit.isByok ? { ...call, byok: true } : call),
        watchRights:
          visit.listener &&
          watchOf(visit.listener, tools.rights, () => void session.endSubscriptions()),
        admitSubscription({ id }) {
          requireListener(visit);
          if (!accepted.events) throw notAcceptable("text/event-stream");
          listen(answer.events, { principal: id, session, streams: tools.streams });
          listening.resolve();
        },
      },
      (line, message) => answer.take(line, message),
    );
    const close = (): void => session.close();
    exchange.gone.addEventListener("abort", close, { once: true });
    if (exchange.gone.aborted) close();
    received = Promise.resolve(session.receive(text)).finally(close);
    // Who listens has no place among the calls any more.
    await Promise.race([received, listening.promise]);
  });
  await received;
  answer.end();
}

/** What holds for the session of one request. */
function rulesOf(exchange: Exchange, { confirm, listener, reranker }: Visit) {
  return {
    authorize: confirm,
    recheck: listener?.recheck,
    reranker,
    problemWith: (message) => problemWithHeaders(exchange, message),
    timeoutMs: remainingMs(exchange),
    maxInFlight: BATCH_IN_FLIGHT,
  } satisfies Partial<ServerOptions>;
}

/** Watches the credential of a listener; `onRefused` is called when it no longer lets its owner in. */
function watchOf(
  { recheck: verify }: Listener,
  rights: RightsWatch,
  onRefused: () => void,
): NonNullable<ServerOptions["watchRights"]> {
  return (onVerified) => rights.add({ verify, onVerified, onRefused });
}

function requireListener({ listener }: Visit): Listener {
  if (listener !== undefined) return listener;
  throw new SvcError("FORBIDDEN", "Event streams are for access tokens of svc.", {
    hint: "Calls are answered without one. Send a token as Authorization: Bearer, and the provider's key as X-Provider-Key.",
  });
}

/** Has a subscription hold its stream. Throws RATE_LIMITED, OVERLOADED. */
function listen(
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

/** What is left of the time a call has: it began when its first byte came. */
export function remainingMs({ receivedAt, limits }: Exchange): number {
  return Math.max(1, Math.round(limits.callMs - (performance.now() - receivedAt)));
}
