import type { CredentialKind } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { digestOf } from "./seal.ts";
import type { CredentialStore } from "./store.ts";

type CredentialState = "active" | "expired" | "revoked";

export interface ListedCredential {
  readonly record: CredentialRecord;
  readonly state: CredentialState;
  /** It is the token this machine uses when none is given. */
  readonly isDefault: boolean;
}

interface CredentialFilter {
  readonly kind: CredentialKind;
  /** Expired and revoked ones too. */
  readonly all?: boolean;
}

/** The credentials of one kind, oldest first; none where no store was ever made. */
export function listCredentials(
  store: CredentialStore | undefined,
  { kind, all = false }: CredentialFilter,
  now = Date.now(),
): readonly ListedCredential[] {
  if (store === undefined) return [];
  const time = store.time(now);
  const saved = store.defaultToken();
  return store
    .list()
    .filter((record) => record.kind === kind)
    .map((record) => ({
      record,
      state: stateOf(record, time),
      isDefault: matchesSecret(record, saved),
    }))
    .filter(({ state }) => all || state === "active")
    .toSorted((a, b) => compare(a.record, b.record));
}

/** Whether `secret` is the one the record was made for. */
export function matchesSecret({ digest }: CredentialRecord, secret: string | undefined): boolean {
  return secret !== undefined && digestOf(secret).toString("hex") === digest;
}

function stateOf({ revokedAt, expiresAt }: CredentialRecord, time: number): CredentialState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= time ? "expired" : "active";
}

function compare(a: CredentialRecord, b: CredentialRecord): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
