import { SvcError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { Authenticator } from "./authenticator.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import type { IndexMetrics } from "./index-metrics.ts";
import { exposition, METRICS_TYPE, type Family } from "./metrics.ts";
import { sendBody } from "./reply.ts";

interface MetricsOptions {
  readonly authenticator: Authenticator;
  /** All but those of the indexes. */
  readonly families: () => readonly Family[];
  readonly index: IndexMetrics | undefined;
  readonly isBehindProxy: boolean;
}

/** What proxies add: whoever sends one of them asks for somebody else. */
const PROXY_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * `/metrics`: whole for a token that sees all namespaces. Programs of this machine need none, but are
 * not told the names of namespaces: to some callers it is a secret that one exists.
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
  sendBody(exchange, 200, { type: METRICS_TYPE, text });
}

/** Throws UNAUTHENTICATED and its kin, FORBIDDEN. */
async function requireOverview(
  exchange: HttpExchange,
  { authenticator }: MetricsOptions,
): Promise<void> {
  const principal = await authenticator.authenticate(exchange, "token");
  if (principal.isUnrestricted) return;
  throw new SvcError("FORBIDDEN", "The metrics are about all namespaces, the token is not.", {
    hint: "Run `svc auth token create --name NAME` without --namespace.",
  });
}

/** True for a program of this machine that asks by itself, as far as that can be seen. */
function isLocal(
  { request, authority }: HttpExchange,
  { isBehindProxy }: Pick<MetricsOptions, "isBehindProxy">,
): boolean {
  const names = [request.headers.host ?? "", ...(authority === undefined ? [] : [authority])];
  return (
    !isBehindProxy &&
    isLoopback((request.socket.remoteAddress ?? "").replace(/^::ffff:/i, "")) &&
    // Somebody who is reached by another name may have a proxy on this machine and not say so.
    names.every((name) => isLoopback(name.replace(/:\d*$/, ""))) &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined)
  );
}
