import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Returns the address that failed attempts are counted for. Behind a proxy it is the last one in X-Forwarded-For,
 * which the proxy itself appended; a client can forge the ones before it.
 */
export function clientAddress(request: IncomingMessage, isBehindProxy: boolean): string {
  const own = request.socket.remoteAddress ?? "";
  if (!isBehindProxy) return own;
  const last = request.headersDistinct["x-forwarded-for"]?.at(-1)?.split(",").at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : own;
}
