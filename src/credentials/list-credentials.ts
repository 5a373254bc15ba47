import type { CredentialKind } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

type CredentialState = "active" | "expired" | "revoked";

/** A credential with its current state. */
export interface ListedCredential {
  readonly record: CredentialRecord;
  readonly state: CredentialState;
  /** True when it is this machine's default token. */
  readonly isDefault: boolean;
}

interface CredentialFilter {
  readonly kind: CredentialKind;
  /** Include expired and revoked credentials; false by default. */
  readonly all?: boolean;
  /** Without it, no credential is the default. */
  readonly defaultToken?: DefaultToken;
}

/** Returns the credentials of one kind, oldest first; none where no store exists. */
export async function listCredentials(
  store: CredentialStore | undefined,
  { kind, all = false, defaultToken }: CredentialFilter,
  now = Date.now(),
): Promise<readonly ListedCredential[]> {
  if (store === undefined) return [];
  const time = await store.time(now);
  const saved = await defaultToken?.read();
  const records = await store.list();
  return records
    .filter((record) => record.kind === kind)
    .map((record) => ({
      record,
      state: stateOf(record, time),
      isDefault: matchesSecret(record, saved),
    }))
    .filter(({ state }) => all || state === "active")
    .toSorted((a, b) => compare(a.record, b.record));
}

/** Returns true when `secret` is the secret of this record. */
export function matchesSecret({ digest }: CredentialRecord, secret: string | undefined): boolean {
  return secret !== undefined && secretDigest(secret) === digest;
}

function stateOf({ revokedAt, expiresAt }: CredentialRecord, time: number): CredentialState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= time ? "expired" : "active";
}

function compare(a: CredentialRecord, b: CredentialRecord): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
