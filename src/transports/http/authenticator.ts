import { errorRow, SvcError, toSvcError } from "../../base/errors.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import { CREATE_HINTS } from "../../credentials/secret-format.ts";
import { FailureLimiter } from "../../credentials/failure-limiter.ts";
import type { CredentialKind } from "../../credentials/secret-format.ts";
import type { Principal } from "../../sources/principal.ts";
import { bearerOf, isProviderKey, providerKeyHeader, type Byok, type AuthContext } from "./byok.ts";
import type { HttpExchange } from "./exchange.ts";
import type { PageSessions } from "./page-sessions.ts";

/** Verifies a secret. Rejects with UNAUTHENTICATED and the other errors of credentials. */
export type AuthenticateSecret = (
  secret: string,
  wanted: CredentialKind,
  /** True by default: the call counts as a use of the credential. */
  how?: { readonly shouldTouchLastUsed: boolean },
) => Promise<CredentialPrincipal>;

interface AuthenticatorOptions {
  readonly authenticate: AuthenticateSecret;
  /** Called for refusals that are answered with their own error; further ones would fill the log. */
  readonly audit: (call: CallEvent) => void;
  /** Without it, provider keys are refused. */
  readonly byok?: Byok | undefined;
  /** Sessions of the search page; they may stand in for an API key. */
  readonly sessions: PageSessions;
}

/** Authenticates requests and counts failed attempts per client. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #failures = new FailureLimiter();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * Verifies the credential of a request. Where an API key is wanted, the session of a user of the search page is as good.
   * Throws UNAUTHENTICATED and the other errors of credentials, RATE_LIMITED, and FORBIDDEN for a request of another page.
   */
  async authenticate(exchange: HttpExchange, wanted: CredentialKind): Promise<CredentialPrincipal> {
    const user = this.#sessionUser(exchange, wanted);
    if (user !== undefined) return user;
    const secret = secretOf(exchange, wanted);
    return this.countFailures(exchange, () => this.#options.authenticate(secret, wanted));
  }

  /**
   * Authenticates an MCP call: by an access token, optionally with a provider key, or by only a provider key.
   * Throws as `authenticate` does, and PROVIDER_ERROR, INVALID_REQUEST and FORBIDDEN.
   */
  async authContext(exchange: HttpExchange): Promise<AuthContext> {
    const { byok } = this.#options;
    const bearer = bearerOf(exchange);
    if (byok !== undefined && isProviderKey(bearer))
      return this.#providerKeyContext(exchange, byok);
    const principal = await this.authenticate(exchange, "token");
    const key = providerKeyHeader(exchange, byok);
    return {
      owner: principal.id,
      confirm: () => this.confirm(exchange, "token"),
      listener: { principal, recheck: () => this.#recheck(exchange) },
      reranker: key === undefined ? undefined : byok?.rerankerFor(key),
      isByok: key !== undefined,
    };
  }

  /** Verifies the credential again when the call is about to begin; a failure is not counted twice. */
  confirm(exchange: HttpExchange, wanted: CredentialKind): Promise<CredentialPrincipal> {
    return this.#sessionUser(exchange, wanted) ?? this.verifier(exchange, wanted)();
  }

  /** Returns what verifies the secret of the request again, also after its end. */
  verifier(exchange: HttpExchange, wanted: CredentialKind): () => Promise<CredentialPrincipal> {
    const secret = secretOf(exchange, wanted);
    return () => this.#options.authenticate(secret, wanted);
  }

  /** The user of a request that has a session of the search page and no credential of its own. */
  #sessionUser(
    exchange: HttpExchange,
    wanted: CredentialKind,
  ): Promise<CredentialPrincipal> | undefined {
    const { authorization, "x-api-key": key } = exchange.request.headers;
    if (wanted !== "key" || authorization !== undefined || key !== undefined) return undefined;
    return this.#options.sessions.authenticate(exchange);
  }

  /** Verifies the credential while its owner only listens, which does not count as a use. */
  #recheck(exchange: HttpExchange): Promise<CredentialPrincipal> {
    return this.#options.authenticate(secretOf(exchange, "token"), "token", {
      shouldTouchLastUsed: false,
    });
  }

  async #providerKeyContext(exchange: HttpExchange, byok: Byok): Promise<AuthContext> {
    if (providerKeyHeader(exchange, byok) !== undefined) {
      throw new SvcError("INVALID_REQUEST", "The request has two provider keys.", {
        hint: "Send an access token of svc as Authorization: Bearer, or omit X-Provider-Key.",
      });
    }
    const key = bearerOf(exchange);
    const { authenticate } = byok;
    const confirm = async (): Promise<Principal> => {
      if (authenticate === undefined) throw noNamespaceForKeys();
      const requireAllowed = (): void => this.#failures.requireAllowed(exchange.address);
      return authenticate(key, { signal: exchange.clientGone, requireAllowed });
    };
    await this.countFailures(exchange, confirm, { byok: true });
    // All holders of provider keys have the same principal. An owner per address keeps one of them from using up
    // the turns of the others.
    const owner = `byok ${exchange.address}`;
    return { owner, confirm, listener: undefined, reranker: byok.rerankerFor(key), isByok: true };
  }

  /** Returns the result of `verify`; counts and audits refusals. Throws RATE_LIMITED after many of them. */
  async countFailures<T>(
    exchange: HttpExchange,
    verify: () => Promise<T>,
    more: Pick<CallEvent, "byok"> = {},
  ): Promise<T> {
    try {
      return await verify();
    } catch (thrown) {
      throw this.#refusal(exchange, toSvcError(thrown), more);
    }
  }

  #refusal(
    { address, path, receivedAt }: HttpExchange,
    error: SvcError,
    more: Pick<CallEvent, "byok">,
  ): SvcError {
    try {
      return this.#failures.attempt(address, () => {
        throw error;
      });
    } catch (limited) {
      if (limited !== error) return toSvcError(limited);
    }
    if (errorRow(error).http !== 401) return error;
    this.#options.audit({
      principal: null,
      tool: path,
      namespace: null,
      outcome: error.code,
      ms: Math.round(performance.now() - receivedAt),
      items: 0,
      characters: 0,
      request: null,
      ...more,
    });
    return error;
  }
}

/** Returns the secret in the header of its kind. It is never read from the URL, because URLs end up in logs. */
function secretOf(exchange: HttpExchange, wanted: CredentialKind): string {
  const { "x-api-key": key = "" } = exchange.request.headers;
  const given = { token: bearerOf(exchange), key: String(key).trim() };
  if (given[wanted] !== "") return given[wanted];
  if (wanted === "token") {
    const note = given.key === "" ? "" : "API keys are for POST /v1/search. ";
    throw new SvcError("UNAUTHENTICATED", "No access token was given.", {
      hint: `${note}Send it as Authorization: Bearer TOKEN. ${CREATE_HINTS.token}`,
    });
  }
  const note = given.token === "" ? "" : "Access tokens are for POST /mcp. ";
  throw new SvcError("UNAUTHENTICATED", "No API key was given.", {
    hint: `${note}Send it as X-API-Key: KEY. ${CREATE_HINTS.key}`,
  });
}

function noNamespaceForKeys(): SvcError {
  return new SvcError(
    "UNAUTHENTICATED",
    "This server does not accept a provider key without an access token.",
    {
      hint: "Send an access token of svc as Authorization: Bearer TOKEN, and the key as X-Provider-Key.",
    },
  );
}
