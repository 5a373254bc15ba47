import type { CredentialKind } from "./secret-format.ts";

/** The stored data of a credential. Times are in milliseconds since 1970. */
export interface CredentialRecord {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** Namespaces that the credential may access. */
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
  /** Only a token for all namespaces may have it: it sees the admin's view of the search page. */
  readonly admin?: true;
  readonly createdAt: number;
  /** Undefined for credentials that do not expire. */
  readonly expiresAt?: number;
  /** Rounded down to the minute. */
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
  /** SHA-256 of the whole secret, in hexadecimal. The secret itself is stored nowhere. */
  readonly digest: string;
}
