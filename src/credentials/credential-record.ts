import type { CredentialKind } from "./secret-format.ts";

/** The stored data of a credential. Times are in milliseconds since 1970. */
export interface CredentialRecord {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** Namespaces that the credential may access. */
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
  readonly createdAt: number;
  /** Undefined for credentials that do not expire. */
  readonly expiresAt?: number;
  /** Rounded down to the minute. */
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
  /** SHA-256 of the whole secret, in hexadecimal. The secret itself is stored nowhere. */
  readonly digest: string;
}

/** A line of the audit log: its number and its MAC in hexadecimal. The MAC covers all earlier lines. */
export interface AuditLine {
  readonly seq: number;
  readonly mac: string;
}

/** The store's data other than credentials. */
export interface StoreSettings {
  /**
   * The latest time this store has seen, in milliseconds since 1970: a clock that is set back does not revive an
   * expired token.
   */
  readonly clock: number;
  /** How often the user set the clock back. A new value makes processes forget the times they have seen. */
  readonly clockResets?: number;
  /**
   * Key of the audit log's chain, in hexadecimal; absent while the store has its first data key, which derives it.
   */
  readonly auditKey?: string;
  /** The audit log line written by the last change of credentials. Absent in a store of svc 0.8 or older. */
  readonly auditLine?: AuditLine;
  /** The secret of this machine's default token. */
  readonly defaultToken?: string;
}

/** Parses an unsealed record. The seal and the MAC have proved that svc wrote it, in this format. */
export function parseRecord(text: string): CredentialRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as CredentialRecord;
}

/** Parses the unsealed settings. */
export function parseSettings(text: string): StoreSettings {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for records
  return JSON.parse(text) as StoreSettings;
}
