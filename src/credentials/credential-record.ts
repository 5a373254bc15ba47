import type { CredentialKind } from "./secret-format.ts";

/** What is kept of a credential. Times are milliseconds since 1970. */
export interface CredentialRecord {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly name: string;
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
  readonly createdAt: number;
  /** Undefined for credentials that do not expire. */
  readonly expiresAt?: number;
  /** To the minute. */
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
  /** SHA-256 of the whole secret, in hexadecimal; the secret itself is kept nowhere. */
  readonly digest: string;
}

/** A line of the audit log: its number, and its MAC in hexadecimal, which vouches for all lines before it. */
export interface AuditLine {
  readonly seq: number;
  readonly mac: string;
}

/** What the store knows besides credentials. */
export interface StoreSettings {
  /** The latest time this store has seen: a clock that is set back does not revive what has expired. */
  readonly clock: number;
  /** How often the clock was set back by the user; tells processes to forget what they have seen. */
  readonly clockResets?: number;
  /** Key of the audit log's chain, in hexadecimal; absent while the store has its first data key, which gives it. */
  readonly auditKey?: string;
  /** The line of the audit log that the last change of credentials wrote. Absent in a store of svc 0.8 or older. */
  readonly auditLine?: AuditLine;
  /** The secret of this machine's default token. */
  readonly defaultToken?: string;
}

/** Reads what was sealed; the seal and the MAC have shown that svc wrote it, in this format. */
export function parseRecord(text: string): CredentialRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as CredentialRecord;
}

export function parseSettings(text: string): StoreSettings {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for records
  return JSON.parse(text) as StoreSettings;
}
