import { errorRow, type SvcError } from "../../base/errors.ts";
import { errorReply } from "../../mcp/errors.ts";
import type { HttpExchange } from "./exchange.ts";

/** The only path whose errors are JSON-RPC messages. */
export const MCP_PATH = "/mcp";

/** Status for a request whose credential is not accepted. */
export const UNAUTHORIZED = 401;

/** An unread body up to this length is received and dropped, so that the connection can be kept. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Headers of every response: caches must not store it, and browsers must not guess its type. */
export const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

interface Body {
  /** Media type. */
  readonly type: string;
  /** A text is sent in UTF-8. */
  readonly content: string | Uint8Array;
  /** Added to the headers of every response, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with the headers of the full one, but without its body. */
export const NOT_MODIFIED = 304;

/** Sends serialized JSON; undefined sends an empty body. */
export function sendText(exchange: HttpExchange, status: number, text: string | undefined): void {
  sendBody(
    exchange,
    status,
    text === undefined ? undefined : { type: "application/json", content: text },
  );
}

/** Sends a body; undefined sends an empty one. */
export function sendBody(exchange: HttpExchange, status: number, sent: Body | undefined): void {
  const { response } = exchange;
  // The client has gone, or an event stream has begun.
  if (response.headersSent || response.destroyed) return;
  const isKept = !exchange.isLast() && !isStillSending(exchange);
  response.writeHead(status, {
    ...COMMON_HEADERS,
    ...(sent === undefined ? {} : { ...sent.headers, "Content-Type": sent.type }),
    "Content-Length": Buffer.byteLength(sent?.content ?? ""),
    ...(isKept ? {} : { Connection: "close" }),
  });
  const hasBody = exchange.request.method !== "HEAD" && status !== NOT_MODIFIED;
  const body = hasBody ? (sent?.content ?? "") : "";
  if (isStillSending(exchange)) endAfterDraining(exchange, body);
  else response.end(body);
}

/** Sends a value as JSON. */
export function sendJson(exchange: HttpExchange, status: number, body: unknown): void {
  sendText(exchange, status, JSON.stringify(body));
}

/** Sends an error in the form of product decisions, section 8; on the MCP path as a JSON-RPC message. */
export function sendError(exchange: HttpExchange, error: SvcError): void {
  const reply = errorReply(null, error);
  exchange.recordError(error.code);
  if (!exchange.response.headersSent) setErrorHeaders(exchange, error);
  const body = exchange.path === MCP_PATH || !("error" in reply) ? reply : { error: reply.error };
  sendJson(exchange, errorRow(error).http, body);
}

/** Sets the headers of a refusal: how to authenticate, and when to retry. */
function setErrorHeaders(exchange: HttpExchange, error: SvcError): void {
  setRetryAfter(exchange, error);
  if (errorRow(error).http === UNAUTHORIZED) setChallenge(exchange);
}

/** For a refusal that is not sent by `sendError`; call it before sending. */
export function setRetryAfter({ response }: HttpExchange, { retryAfter }: SvcError): void {
  if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
}

/** Every response with status 401 needs this header (RFC 9110, section 15.5.2). */
export function setChallenge({ request, response, path }: HttpExchange): void {
  const isBearer = path === MCP_PATH && /^bearer\s+\S/i.test(request.headers.authorization ?? "");
  // No resource_metadata: there is no OAuth server to discover (mcp.md, H12).
  const challenge = `Bearer realm="svc"${isBearer ? ', error="invalid_token"' : ""}`;
  response.setHeader("WWW-Authenticate", challenge);
}

/** True while more of the body is to come than is worth waiting for. */
function isStillSending({ request }: HttpExchange): boolean {
  if (request.complete) return false;
  const length = request.headers["content-length"];
  return length === undefined
    ? request.headers["transfer-encoding"] !== undefined
    : Number(length) > MAX_DISCARDED_BYTES;
}

/**
 * Sends the whole response, but closes it a little later: if a connection is closed while the client still sends,
 * it is reset and the response is lost.
 */
function endAfterDraining(
  { request, response, limits }: HttpExchange,
  body: Body["content"],
): void {
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, limits.lingerMs);
  let dropped = 0;
  request.removeAllListeners("data").on("data", (part: Buffer) => {
    dropped += part.length;
    if (dropped > limits.lingerBytes) request.pause();
  });
  request.once("end", end).once("close", end).on("error", end).resume();
}
