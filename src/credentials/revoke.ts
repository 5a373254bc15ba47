import type { CredentialKind } from "./secret-format.ts";
import { matchesSecret } from "./list-credentials.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { noSuchCredential, refuseSecret, requireRecord } from "./named-credential.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";

interface RevocationRequest {
  readonly kind: CredentialKind;
  /** The whole id. A prefix is never enough, because a revocation cannot be undone. */
  readonly id: string;
  /** Reason for the audit log; must be safe to log. */
  readonly reason?: string;
  /** The default token of this machine, to report whether it was revoked. */
  readonly defaultToken?: DefaultToken;
}

/** Result of a revocation. */
export interface Revocation {
  readonly record: CredentialRecord & { readonly revokedAt: number };
  /** False when the credential was revoked earlier; then nothing was changed. */
  readonly isNew: boolean;
  /** True when it was this machine's default token. The machine then has none. */
  readonly wasDefault: boolean;
}

/**
 * Revokes a credential: every process refuses it from its next call on. Revoking it again changes nothing. Throws
 * USAGE for an unknown id. `store` is undefined on a machine without one.
 */
export async function revokeCredential(
  store: CredentialStore | undefined,
  request: RevocationRequest,
  now = Date.now(),
): Promise<Revocation> {
  const named = { ...request, action: "revoke" } as const;
  await refuseSecret(named, store);
  if (store === undefined) throw noSuchCredential(named, []);
  // Before any write, so that a read-only store can also report an earlier revocation.
  const known = requireRecord(named, await store.list());
  if (known.revokedAt !== undefined) return unchanged(known, known.revokedAt);
  const time = await store.time(now);
  const saved = await request.defaultToken?.read();
  return store.write(({ records, put, audit }) => {
    const record = requireRecord(named, [...records.values()]);
    if (record.revokedAt !== undefined) return unchanged(record, record.revokedAt);
    const revoked = { ...record, revokedAt: time };
    put(revoked);
    const { reason } = request;
    audit({
      event: `${record.kind}.revoke`,
      credential: record.id,
      ...(reason === undefined ? {} : { details: { reason } }),
    });
    return { record: revoked, isNew: true, wasDefault: matchesSecret(record, saved) };
  });
}

function unchanged(record: CredentialRecord, revokedAt: number): Revocation {
  return { record: { ...record, revokedAt }, isNew: false, wasDefault: false };
}
