import type { Engine } from "../../engine/api/engine.ts";
import type { Authenticator } from "./authenticator.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

interface NamespacesOptions {
  readonly authenticator: Authenticator;
  readonly engine: () => Promise<Pick<Engine, "namespaces" | "defaultNamespace">>;
}

/** `GET /v1/namespaces`: the namespaces that the API key can search now, and that of a search without one. */
export async function handleNamespaces(
  exchange: HttpExchange,
  { authenticator, engine }: NamespacesOptions,
): Promise<void> {
  const principal = await authenticator.authenticate(exchange, "key");
  requireMethod(exchange, ["GET", "HEAD"]);
  const { namespaces, defaultNamespace } = await engine();
  const names = await namespaces({ principal });
  sendJson(exchange, 200, {
    namespaces: names,
    default: (await defaultNamespace({ principal })) ?? null,
  });
}
