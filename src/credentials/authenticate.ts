import { SvcError } from "../base/errors.ts";
import { Principal } from "../sources/principal.ts";
import { CREATE_TOKEN_HINT, type CredentialKind, parseSecret } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore } from "./store.ts";

/** The owner of a verified credential. */
export class CredentialPrincipal extends Principal {
  readonly kind: CredentialKind;
  readonly name: string;
  /** The namespace of an API key; of a token those it was made for. */
  readonly namespaces: "all" | readonly string[];
  /** Milliseconds since 1970; undefined when the credential does not expire. */
  readonly expiresAt: number | undefined;

  constructor(record: CredentialRecord) {
    super(record);
    this.kind = record.kind;
    this.name = record.name;
    this.namespaces = record.namespaces;
    this.expiresAt = record.expiresAt;
  }
}

/** What to run when no usable credential of the kind is at hand. */
export const CREATE_HINTS: Readonly<Record<CredentialKind, string>> = {
  token: CREATE_TOKEN_HINT,
  key: "Run `svc auth keys create --name NAME --namespace NAMESPACE`.",
};

const WRONG_KIND: Readonly<Record<CredentialKind, string>> = {
  token: "API keys (svk_) are for the REST search; MCP takes an access token (svt_).",
  key: "Access tokens (svt_) are for MCP; the REST search takes an API key (svk_).",
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
): CredentialPrincipal {
  const { record, time } = findVerified(store, secret, { now, wanted });
  store?.touchLastUsed(record, time);
  return principalOf(record);
}

/** As `authenticate`, for somebody who only waits: the credential is not used by that. */
export function verify(
  store: CredentialStore | undefined,
  secret: string,
  wanted: CredentialKind,
): CredentialPrincipal {
  return principalOf(findVerified(store, secret, { now: Date.now(), wanted }).record);
}

function findVerified(
  store: CredentialStore | undefined,
  secret: string,
  { now, wanted }: { readonly now: number; readonly wanted: CredentialKind },
): { readonly record: CredentialRecord; readonly time: number } {
  const { kind } = parseSecret(secret);
  if (kind !== wanted) {
    const detail = `This kind of credential is not accepted here. ${WRONG_KIND[wanted]}`;
    throw refused("UNAUTHENTICATED", detail, wanted);
  }
  const found = store?.findAt(secret, now);
  if (store === undefined || found?.record === undefined || found.record.kind !== kind) {
    throw refused("UNAUTHENTICATED", "The credential is not known on this machine.", wanted);
  }
  const { record, time } = found;
  if (record.revokedAt !== undefined) {
    throw refused("CREDENTIAL_REVOKED", `The credential "${record.name}" was revoked.`, wanted);
  }
  if (record.expiresAt !== undefined && record.expiresAt <= time) {
    const date = new Date(record.expiresAt).toISOString();
    throw refused("TOKEN_EXPIRED", `The access token "${record.name}" expired at ${date}.`, wanted);
  }
  return { record, time };
}

/** A record never changes: another one takes its place. */
const principals = new WeakMap<CredentialRecord, CredentialPrincipal>();

function principalOf(record: CredentialRecord): CredentialPrincipal {
  const known = principals.get(record);
  if (known !== undefined) return known;
  const principal = new CredentialPrincipal(record);
  principals.set(record, principal);
  return principal;
}

function refused(
  code: "UNAUTHENTICATED" | "CREDENTIAL_REVOKED" | "TOKEN_EXPIRED",
  detail: string,
  wanted: CredentialKind,
): SvcError {
  return new SvcError(code, detail, { hint: CREATE_HINTS[wanted] });
}
