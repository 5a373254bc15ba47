import { SvcError } from "../base/errors.ts";
import { Principal } from "../sources/principal.ts";
import { CREATE_HINTS, type CredentialKind, parseSecret } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore, FoundCredential } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

/** The owner of a verified credential. */
export class CredentialPrincipal extends Principal {
  readonly kind: CredentialKind;
  readonly name: string;
  /** For an API key, its namespace; for a token, the namespaces it was created for. */
  readonly namespaces: "all" | readonly string[];
  /** Milliseconds since 1970; undefined when the credential does not expire. */
  readonly expiresAt: number | undefined;
  /** True if the owner may see the admin's view of the search page. */
  readonly isAdmin: boolean;

  constructor(record: CredentialRecord) {
    super(record);
    this.kind = record.kind;
    this.name = record.name;
    this.namespaces = record.namespaces;
    this.expiresAt = record.expiresAt;
    this.isAdmin = record.admin === true && record.namespaces === "all";
  }
}

const WRONG_KIND: Readonly<Record<CredentialKind, string>> = {
  token: "API keys (svk_) are for the REST search; MCP takes an access token (svt_).",
  key: "Access tokens (svt_) are for MCP; the REST search takes an API key (svk_).",
};

/**
 * Verifies a secret. Every call checks the store again, so a revoked or expired credential is refused within the
 * same second. `store` is undefined on a machine without one. Throws UNAUTHENTICATED, CREDENTIAL_MALFORMED,
 * CREDENTIAL_REVOKED, TOKEN_EXPIRED or CREDENTIAL_STORE.
 */
export async function authenticate(
  store: CredentialStore | undefined,
  secret: string,
  now = Date.now(),
  wanted: CredentialKind = "token",
): Promise<CredentialPrincipal> {
  requireKind(secret, wanted);
  if (store === undefined) throw unknown(wanted);
  const found = await store.find(secretDigest(secret), now);
  const record = requireValid(found, wanted);
  store.touchLastUsed(record, found.time);
  return principalOf(record);
}

/** As `authenticate`, for a client that only listens: does not record a use of the credential. */
export async function verify(
  store: CredentialStore | undefined,
  secret: string,
  wanted: CredentialKind,
): Promise<CredentialPrincipal> {
  requireKind(secret, wanted);
  if (store === undefined) throw unknown(wanted);
  return principalOf(requireValid(await store.find(secretDigest(secret), Date.now()), wanted));
}

function requireKind(secret: string, wanted: CredentialKind): void {
  if (parseSecret(secret, wanted).kind === wanted) return;
  const detail = `This kind of credential is not accepted here. ${WRONG_KIND[wanted]}`;
  throw refused("UNAUTHENTICATED", detail, wanted);
}

function requireValid({ record, time }: FoundCredential, wanted: CredentialKind): CredentialRecord {
  if (record?.kind !== wanted) throw unknown(wanted);
  if (record.revokedAt !== undefined) {
    throw refused("CREDENTIAL_REVOKED", `The credential "${record.name}" was revoked.`, wanted);
  }
  if (record.expiresAt !== undefined && record.expiresAt <= time) {
    const date = new Date(record.expiresAt).toISOString();
    throw new SvcError("TOKEN_EXPIRED", `The access token "${record.name}" expired at ${date}.`, {
      hint: `Run \`svc auth token renew ${record.id}\`.`,
    });
  }
  return record;
}

/** Records are immutable: a change replaces the record. */
const principals = new WeakMap<CredentialRecord, CredentialPrincipal>();

function principalOf(record: CredentialRecord): CredentialPrincipal {
  const known = principals.get(record);
  if (known !== undefined) return known;
  const principal = new CredentialPrincipal(record);
  principals.set(record, principal);
  return principal;
}

function unknown(wanted: CredentialKind): SvcError {
  return refused("UNAUTHENTICATED", "The credential is not known on this machine.", wanted);
}

function refused(
  code: "UNAUTHENTICATED" | "CREDENTIAL_REVOKED",
  detail: string,
  wanted: CredentialKind,
): SvcError {
  return new SvcError(code, detail, { hint: CREATE_HINTS[wanted] });
}
