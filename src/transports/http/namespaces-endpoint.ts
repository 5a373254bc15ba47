import type { Engine } from "../../engine/api/engine.ts";
import type { Authenticator } from "./authenticator.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

interface NamespacesOptions {
  readonly authenticator: Authenticator;
  readonly engine: () => Promise<Pick<Engine, "namespaces">>;
}

/** `GET /v1/namespaces`: the namespaces that the API key can search now. */
export async function handleNamespaces(
  exchange: HttpExchange,
  { authenticator, engine }: NamespacesOptions,
): Promise<void> {
  const principal = await authenticator.authenticate(exchange, "key");
  requireMethod(exchange, ["GET", "HEAD"]);
  const { namespaces } = await engine();
  sendJson(exchange, 200, { namespaces: await namespaces({ principal }) });
}
