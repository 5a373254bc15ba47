import { errorRow, SvcError, toSvcError } from "../../base/errors.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import { CREATE_HINTS, type Principal } from "../../credentials/authenticate.ts";
import { FailureLimit } from "../../credentials/failure-limit.ts";
import type { CredentialKind } from "../../credentials/format.ts";
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
    try {
      return await this.#options.authenticate(secret, wanted);
    } catch (thrown) {
      throw this.#refusal(exchange, toSvcError(thrown));
    }
  }

  /** The same once more, when the call is about to begin: nobody is counted twice. */
  confirm(exchange: Exchange, wanted: CredentialKind): Promise<Principal> {
    return this.#options.authenticate(secretOf(exchange, wanted), wanted);
  }

  /** And again while its owner only listens, which is no use of the credential. */
  recheck(exchange: Exchange, wanted: CredentialKind): Promise<Principal> {
    return this.#options.authenticate(secretOf(exchange, wanted), wanted, { isUse: false });
  }

  #refusal({ address, path, receivedAt }: Exchange, error: SvcError): SvcError {
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
    });
    return error;
  }
}

/** The secret in the header of its kind; from nowhere else, since addresses end up in logs. */
function secretOf({ request }: Exchange, wanted: CredentialKind): string {
  const { authorization = "", "x-api-key": key = "" } = request.headers;
  const bearer = /^bearer +(?<secret>\S+)\s*$/i.exec(authorization)?.groups?.["secret"] ?? "";
  const given = { token: bearer, key: String(key).trim() };
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
