import { errorRow, type SvcError } from "../../base/errors.ts";
import { errorReply } from "../../mcp/errors.ts";
import type { HttpExchange } from "./exchange.ts";

/** The one path whose errors are messages of JSON-RPC. */
export const MCP_PATH = "/mcp";

/** The status of those whose credential does not let them in. */
export const UNAUTHORIZED = 401;

/** A body up to this length that was not read is let in and dropped, so that the connection can be kept. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Of every answer: what is found is nobody's to keep, or to take for anything but what it says it is. */
export const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

interface Body {
  /** Of media. */
  readonly type: string;
  readonly text: string;
  /** Besides those of every answer, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that has no body, but the headers of the one that is meant. */
export const NOT_MODIFIED = 304;

/** Answers with JSON that is written already; undefined for none. */
export function sendText(exchange: HttpExchange, status: number, text: string | undefined): void {
  sendBody(exchange, status, text === undefined ? undefined : { type: "application/json", text });
}

/** Answers with a text that is written already; undefined for none. */
export function sendBody(exchange: HttpExchange, status: number, sent: Body | undefined): void {
  const { response } = exchange;
  // The client has gone, or an event stream has begun.
  if (response.headersSent || response.destroyed) return;
  const isKept = !exchange.isLast() && !isStillSending(exchange);
  response.writeHead(status, {
    ...COMMON_HEADERS,
    ...(sent === undefined ? {} : { ...sent.headers, "Content-Type": sent.type }),
    "Content-Length": Buffer.byteLength(sent?.text ?? ""),
    ...(isKept ? {} : { Connection: "close" }),
  });
  const hasBody = exchange.request.method !== "HEAD" && status !== NOT_MODIFIED;
  const body = hasBody ? (sent?.text ?? "") : "";
  if (isStillSending(exchange)) endAfterDraining(exchange, body);
  else response.end(body);
}

export function sendJson(exchange: HttpExchange, status: number, body: unknown): void {
  sendText(exchange, status, JSON.stringify(body));
}

/** In the shape of product decisions, section 8; on the MCP path as the message it is there. */
export function sendError(exchange: HttpExchange, error: SvcError): void {
  const reply = errorReply(null, error);
  exchange.recordError(error.code);
  if (!exchange.response.headersSent) setErrorHeaders(exchange, error);
  const body = exchange.path === MCP_PATH || !("error" in reply) ? reply : { error: reply.error };
  sendJson(exchange, errorRow(error).http, body);
}

/** What a client learns of a refusal from headers: how to get in, and when to come again. */
function setErrorHeaders(exchange: HttpExchange, error: SvcError): void {
  setRetryAfter(exchange, error);
  if (errorRow(error).http === UNAUTHORIZED) setChallenge(exchange);
}

/** For a refusal that does not come about by `sendError`, before it is sent. */
export function setRetryAfter({ response }: HttpExchange, { retryAfter }: SvcError): void {
  if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
}

/** Every answer with the status 401 has it (RFC 9110, section 15.5.2). */
export function setChallenge({ request, response, path }: HttpExchange): void {
  const isBearer = path === MCP_PATH && /^bearer\s+\S/i.test(request.headers.authorization ?? "");
  // No resource_metadata: there is no OAuth server to be found (mcp.md, H12).
  const challenge = `Bearer realm="svc"${isBearer ? ', error="invalid_token"' : ""}`;
  response.setHeader("WWW-Authenticate", challenge);
}

/** True while more of a body is to come than is worth waiting for. */
function isStillSending({ request }: HttpExchange): boolean {
  if (request.complete) return false;
  const length = request.headers["content-length"];
  return length === undefined
    ? request.headers["transfer-encoding"] !== undefined
    : Number(length) > MAX_DISCARDED_BYTES;
}

/**
 * The answer is whole, but ends a little later: a connection closed while its client still sends is
 * reset, and with it goes the answer.
 */
function endAfterDraining({ request, response, limits }: HttpExchange, body: string): void {
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
