import { SvcError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { Authenticator } from "./authenticator.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import type { IndexMetrics } from "./index-metrics.ts";
import { exposition, METRICS_TYPE, type Family } from "./metrics.ts";
import { sendBody } from "./reply.ts";

interface MetricsOptions {
  readonly authenticator: Authenticator;
  /** All metrics except those of the indexes. */
  readonly families: () => readonly Family[];
  readonly index: IndexMetrics | undefined;
  readonly isBehindProxy: boolean;
}

/** Headers that proxies add: a request with one of them comes from another client. */
const PROXY_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * `/metrics`: complete for a token that covers all namespaces. Local programs need no token, but get no names of
 * namespaces, because the existence of a namespace may be secret.
 */
export async function handleMetrics(
  exchange: HttpExchange,
  options: MetricsOptions,
): Promise<void> {
  const areNamed = exchange.request.headers.authorization !== undefined;
  if (areNamed || !isLocal(exchange, options)) await requireOverview(exchange, options);
  requireMethod(exchange, ["GET", "HEAD"]);
  const index = await options.index?.families({ areNamed });
  const text = exposition([...options.families(), ...(index ?? [])]);
  sendBody(exchange, 200, { type: METRICS_TYPE, content: text });
}

/** Throws UNAUTHENTICATED and the other errors of credentials, and FORBIDDEN. */
async function requireOverview(
  exchange: HttpExchange,
  { authenticator }: MetricsOptions,
): Promise<void> {
  const principal = await authenticator.authenticate(exchange, "token");
  if (principal.isUnrestricted) return;
  throw new SvcError("FORBIDDEN", "The metrics cover all namespaces, but the token does not.", {
    hint: "Run `svc auth token create --name NAME` without --namespace.",
  });
}

/** True for a request that comes directly from a program on this machine, as far as svc can detect. */
function isLocal(
  { request, authority }: HttpExchange,
  { isBehindProxy }: Pick<MetricsOptions, "isBehindProxy">,
): boolean {
  const names = [request.headers.host ?? "", ...(authority === undefined ? [] : [authority])];
  return (
    !isBehindProxy &&
    isLoopback((request.socket.remoteAddress ?? "").replace(/^::ffff:/i, "")) &&
    // A server reached by another name may have a proxy on this machine that adds no header.
    names.every((name) => isLoopback(name.replace(/:\d*$/, ""))) &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined)
  );
}
