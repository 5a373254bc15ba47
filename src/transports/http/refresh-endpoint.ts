// `POST /v1/namespaces/NAME/refresh`: fetches the repositories of a namespace and indexes what has changed, for webhooks of
// code hosts and for scripts.

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { EndpointServices } from "./endpoint-services.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";
import { isPing, isWebhook, requireWebhookSecret } from "./webhook-signature.ts";

/**
 * Starts to fetch and index what a namespace consists of. Resolves when that has begun, with its end, which never rejects.
 * Throws NAMESPACE_NOT_FOUND.
 */
export type StartRefresh = (namespace: string) => Promise<{ readonly finished: Promise<void> }>;

interface RefreshOptions {
  readonly start: StartRefresh;
  /** The secret that webhooks know; without it they are refused. */
  readonly webhookSecret: string | undefined;
  readonly audit: (call: CallEvent) => void;
  readonly logger: Logger;
}

const PATH = /^\/v1\/namespaces\/(?<namespace>[a-z0-9][a-z0-9._-]{0,63})\/refresh$/;

/** Returns the namespace that a path refreshes; undefined for other paths. */
export function refreshedNamespace(path: string): string | undefined {
  return PATH.exec(path)?.groups?.["namespace"];
}

/** Effect of a request. `running`: another run follows the current one and sees later pushes. */
type RefreshState = "started" | "running" | "ignored";

export class RefreshEndpoint {
  readonly #options: RefreshOptions;
  /** Namespace -> whether another run follows the present one. */
  readonly #running = new Map<string, { isAgain: boolean }>();

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** Throws UNAUTHENTICATED and the like, FORBIDDEN and NAMESPACE_NOT_FOUND. */
  async handle(
    exchange: HttpExchange,
    namespace: string,
    services: EndpointServices,
  ): Promise<void> {
    requireMethod(exchange, ["POST"]);
    const { headers } = exchange.request;
    const caller = isWebhook(headers)
      ? await this.#webhook(exchange, services)
      : await tokenHolder(exchange, namespace, services);
    let outcome = "ok";
    try {
      const state = isPing(headers) ? "ignored" : await this.#refresh(namespace);
      sendJson(exchange, state === "ignored" ? 200 : 202, { namespace, state });
    } catch (thrown) {
      outcome = toSvcError(thrown).code;
      throw thrown;
    } finally {
      this.#record(exchange, { caller, namespace, outcome });
    }
  }

  /** Reads the body, which the signature is of. Its content is not used. */
  #webhook(exchange: HttpExchange, services: EndpointServices): Promise<string> {
    const { webhookSecret } = this.#options;
    return services.bodies.use(exchange, exchange.clientGone, (body) =>
      services.authenticator.countFailures(exchange, async () => {
        requireWebhookSecret(exchange.request.headers, body, webhookSecret);
        return "webhook";
      }),
    );
  }

  async #refresh(namespace: string): Promise<RefreshState> {
    const present = this.#running.get(namespace);
    if (present !== undefined) {
      present.isAgain = true;
      return "running";
    }
    const run = { isAgain: false };
    this.#running.set(namespace, run);
    try {
      const { finished } = await this.#options.start(namespace);
      void finished.then(() => this.#next(namespace, run));
      return "started";
    } catch (thrown) {
      this.#running.delete(namespace);
      throw thrown;
    }
  }

  #next(namespace: string, { isAgain }: { readonly isAgain: boolean }): void {
    this.#running.delete(namespace);
    if (!isAgain) return;
    this.#refresh(namespace).catch((error: unknown) =>
      this.#options.logger.warn("not refreshed again", { namespace, error }),
    );
  }

  #record(
    { receivedAt }: HttpExchange,
    {
      caller,
      namespace,
      outcome,
    }: { readonly caller: string; readonly namespace: string; readonly outcome: string },
  ): void {
    const ms = Math.round(performance.now() - receivedAt);
    const { audit, logger } = this.#options;
    logger.info("call", { tool: "refresh", namespace, ms, outcome });
    audit({
      principal: caller,
      tool: "refresh",
      namespace,
      outcome,
      ms,
      items: 0,
      characters: 0,
      request: null,
    });
  }
}

/** The id of a caller with an access token that may change the namespace. */
async function tokenHolder(
  exchange: HttpExchange,
  namespace: string,
  { authenticator }: EndpointServices,
): Promise<string> {
  const principal = await authenticator.authenticate(exchange, "token");
  if (principal.readOnly) {
    throw new SvcError("FORBIDDEN", "A read-only token cannot refresh an index.", {
      hint: "Use a token that is not read-only.",
    });
  }
  // The same error as for a namespace that does not exist.
  principal.authorize(namespace, () => true);
  return principal.id;
}
