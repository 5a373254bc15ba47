import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The address that failed attempts are counted for. Behind a proxy it is the last of X-Forwarded-For,
 * which the proxy itself has written; those before it are anything a client likes.
 */
export function clientAddress(request: IncomingMessage, isBehindProxy: boolean): string {
  const own = request.socket.remoteAddress ?? "";
  if (!isBehindProxy) return own;
  const last = request.headersDistinct["x-forwarded-for"]?.at(-1)?.split(",").at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : own;
}
