import { SvcError } from "../../base/errors.ts";
import type { ServerOptions } from "../../mcp/options.ts";
import { Session } from "../../mcp/session.ts";
import { acceptedBy, notAcceptable } from "./accept.ts";
import { requireJson, type BodyReader } from "./body.ts";
import type { Door } from "./door.ts";
import { requireMethod, type Exchange } from "./exchange.ts";
import { RpcAnswer } from "./rpc-answer.ts";
import type { WaitingRoom } from "./waiting-room.ts";

export interface EndpointTools {
  readonly door: Door;
  readonly bodies: BodyReader;
  readonly waitingRoom: WaitingRoom;
}

/** What a session is made with, but for what each request brings itself. */
export type McpOptions = Omit<
  ServerOptions,
  "authorize" | "reranker" | "timeoutMs" | "maxInFlight"
>;

/** Calls of one batch that run side by side: a batch takes one place in the waiting room. */
const BATCH_IN_FLIGHT = 4;
const BATCHES = "2025-03-26";
/** Revisions a client may say it speaks; the session knows what each of them means. */
const VERSIONS = ["2024-11-05", BATCHES, "2025-06-18", "2025-11-25", "2026-07-28"];

/** `POST /mcp`: one message, or a batch, in a session of its own. Nothing is kept between requests. */
export async function answerMcp(
  exchange: Exchange,
  options: McpOptions,
  { door, bodies, waitingRoom }: EndpointTools,
): Promise<void> {
  const { confirm, reranker, isByok } = await door.visit(exchange);
  requireMethod(exchange, ["POST"]);
  requireJson(exchange);
  const accepted = acceptedBy(exchange);
  if (!accepted.json && !accepted.events) {
    throw notAcceptable("application/json or text/event-stream");
  }
  const version = versionOf(exchange);
  const text = await bodies.read(exchange);
  if (/^\s*\[/.test(text) && version !== undefined && version !== BATCHES) {
    throw new SvcError("INVALID_REQUEST", `Protocol version ${version} has no batches.`);
  }
  await waitingRoom.run(exchange, async () => {
    const answer = new RpcAnswer(exchange, accepted);
    const session = new Session(
      {
        ...options,
        authorize: confirm,
        reranker,
        audit: (call) => options.audit?.(isByok ? { ...call, byok: true } : call),
        timeoutMs: remainingMs(exchange),
        maxInFlight: BATCH_IN_FLIGHT,
        takesSubscriptions: false,
      },
      (line, message) => answer.take(line, message),
    );
    const close = (): void => session.close();
    exchange.gone.addEventListener("abort", close, { once: true });
    if (exchange.gone.aborted) close();
    await session.receive(text);
    answer.end();
  });
}

/** What is left of the time a call has: it began when its first byte came. */
export function remainingMs({ receivedAt, limits }: Exchange): number {
  return Math.max(1, Math.round(limits.callMs - (performance.now() - receivedAt)));
}

function versionOf({ request }: Exchange): string | undefined {
  const version = request.headersDistinct["mcp-protocol-version"]?.at(-1)?.trim();
  if (version === undefined || VERSIONS.includes(version)) return version;
  throw new SvcError("INVALID_REQUEST", "The protocol version in the headers is not known here.", {
    hint: `MCP-Protocol-Version is one of ${VERSIONS.join(", ")}.`,
  });
}
