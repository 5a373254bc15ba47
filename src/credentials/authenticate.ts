import { SvcError } from "../base/errors.ts";
import type { Caller } from "../sources/namespace.ts";
import { CREATE_TOKEN_HINT, type CredentialKind, parseSecret } from "./format.ts";
import type { CredentialStore } from "./store.ts";

/** The owner of a verified credential. */
export interface Principal extends Caller {
  readonly kind: CredentialKind;
  readonly name: string;
  /** Milliseconds since 1970; undefined when the credential does not expire. */
  readonly expiresAt: number | undefined;
}

const WRONG_KIND_HINTS: Readonly<Record<CredentialKind, string>> = {
  token: `API keys (svk_) are for the REST search; MCP takes an access token (svt_). ${CREATE_TOKEN_HINT}`,
  key:
    "Access tokens (svt_) are for MCP; the REST search takes an API key (svk_). " +
    "Run `svc auth keys create --name NAME --namespace NAMESPACE`.",
};

/**
 * Verifies a secret, on every call anew: what was revoked or has expired is refused from the same
 * second. `store` is undefined on a machine that has none. Throws UNAUTHENTICATED,
 * CREDENTIAL_MALFORMED, CREDENTIAL_REVOKED, TOKEN_EXPIRED or CREDENTIAL_STORE.
 */
export function authenticate(
  store: CredentialStore | undefined,
  secret: string,
  now = Date.now(),
  wanted: CredentialKind = "token",
): Principal {
  const { kind } = parseSecret(secret);
  if (kind !== wanted) {
    throw new SvcError("UNAUTHENTICATED", "This kind of credential is not accepted here.", {
      hint: WRONG_KIND_HINTS[wanted],
    });
  }
  const record = store?.find(secret);
  if (store === undefined || record === undefined || record.kind !== kind) {
    throw refused("UNAUTHENTICATED", "The credential is not known on this machine.");
  }
  const time = store.time(now);
  if (record.revokedAt !== undefined) {
    throw refused("CREDENTIAL_REVOKED", `The credential "${record.name}" was revoked.`);
  }
  if (record.expiresAt !== undefined && record.expiresAt <= time) {
    const date = new Date(record.expiresAt).toISOString();
    throw refused("TOKEN_EXPIRED", `The access token "${record.name}" expired at ${date}.`);
  }
  store.noteUse(record, time);
  const { id, name, namespaces, readOnly, expiresAt } = record;
  return { id, kind, name, namespaces, readOnly, expiresAt };
}

function refused(
  code: "UNAUTHENTICATED" | "CREDENTIAL_REVOKED" | "TOKEN_EXPIRED",
  detail: string,
): SvcError {
  return new SvcError(code, detail, { hint: CREATE_TOKEN_HINT });
}
