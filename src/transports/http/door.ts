import { errorRow, SvcError, toSvcError } from "../../base/errors.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import { CREATE_HINTS, type Principal } from "../../credentials/authenticate.ts";
import { FailureLimit } from "../../credentials/failure-limit.ts";
import type { CredentialKind } from "../../credentials/format.ts";
import type { Caller } from "../../sources/caller.ts";
import { bearerOf, isProviderKey, keyBeside, type Byok, type Visit } from "./byok.ts";
import type { Exchange } from "./exchange.ts";

export type Authenticate = (
  secret: string,
  wanted: CredentialKind,
  /** By default the credential is used. */
  how?: { readonly isUse: boolean },
) => Promise<Principal>;

interface DoorOptions {
  readonly authenticate: Authenticate;
  /** Told of the refusals that are answered as what they are; further ones would fill the log. */
  readonly audit: (call: CallEvent) => void;
  /** Without it, keys of model providers are refused. */
  readonly byok?: Byok | undefined;
}

/** Lets in who has a credential, and keeps count of who has not. */
export class Door {
  readonly #options: DoorOptions;
  readonly #failures = new FailureLimit();

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** Verifies the credential of a request. Throws UNAUTHENTICATED and its kin, RATE_LIMITED. */
  async admit(exchange: Exchange, wanted: CredentialKind): Promise<Principal> {
    const secret = secretOf(exchange, wanted);
    return this.#counted(exchange, () => this.#options.authenticate(secret, wanted));
  }

  /**
   * Lets in who comes for a call over MCP: with a token, beside which a key of the model provider may stand, or with
   * such a key alone. Throws as `admit` does, and PROVIDER_ERROR, INVALID_REQUEST, FORBIDDEN.
   */
  async visit(exchange: Exchange): Promise<Visit> {
    const { byok } = this.#options;
    const bearer = bearerOf(exchange);
    if (byok !== undefined && isProviderKey(bearer)) return this.#visitWithKey(exchange, byok);
    const principal = await this.admit(exchange, "token");
    const key = keyBeside(exchange, byok);
    return {
      confirm: () => this.confirm(exchange, "token"),
      listener: { principal, recheck: () => this.#recheck(exchange) },
      reranker: key === undefined ? undefined : byok?.rerankerFor(key),
      isByok: key !== undefined,
    };
  }

  /** The same once more, when the call is about to begin: nobody is counted twice. */
  confirm(exchange: Exchange, wanted: CredentialKind): Promise<Principal> {
    return this.#options.authenticate(secretOf(exchange, wanted), wanted);
  }

  /** And again while its owner only listens, which is no use of the credential. */
  #recheck(exchange: Exchange): Promise<Principal> {
    return this.#options.authenticate(secretOf(exchange, "token"), "token", { isUse: false });
  }

  async #visitWithKey(exchange: Exchange, byok: Byok): Promise<Visit> {
    if (keyBeside(exchange, byok) !== undefined) {
      throw new SvcError("INVALID_REQUEST", "The request has two keys of the model provider.", {
        hint: "Send an access token of svc as Authorization: Bearer, or leave X-Provider-Key out.",
      });
    }
    const key = bearerOf(exchange);
    const { admit } = byok;
    const confirm = async (): Promise<Caller> => {
      if (admit === undefined) throw noNamespaceForKeys();
      const mayAsk = (): void => this.#failures.requireRoom(exchange.address);
      return admit(key, { signal: exchange.gone, mayAsk });
    };
    await this.#counted(exchange, confirm, { byok: true });
    return { confirm, listener: undefined, reranker: byok.rerankerFor(key), isByok: true };
  }

  /** What `verify` comes to; refusals are counted and audited. */
  async #counted<T>(
    exchange: Exchange,
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
    { address, path, receivedAt }: Exchange,
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

/** The secret in the header of its kind; from nowhere else, since addresses end up in logs. */
function secretOf(exchange: Exchange, wanted: CredentialKind): string {
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
  return new SvcError("UNAUTHENTICATED", "A model provider's key alone does not let in here.", {
    hint: "Send an access token of svc as Authorization: Bearer TOKEN, and the key as X-Provider-Key.",
  });
}
