// The interface between credentials and where they are stored, for any backend. The rules of tokens, keys, revocation
// and authentication use nothing else, so that every backend has the same.

import type { CredentialEvent } from "./audit-event.ts";
import type { CredentialRecord } from "./credential-record.ts";

/** One change of credentials, while it is planned. */
export interface CredentialChange {
  /** All credentials by id, with the changes made so far. */
  readonly records: ReadonlyMap<string, CredentialRecord>;
  /** Adds a record, or replaces the one with its id. */
  readonly put: (record: CredentialRecord) => void;
  /** Appends the event to the audit log before the change commits. If that fails, nothing is changed. */
  readonly audit: (event: CredentialEvent) => void;
}

/** The result of looking up a secret. */
export interface FoundCredential {
  /** Undefined if no credential has this secret. Revoked and expired ones are found. */
  readonly record: CredentialRecord | undefined;
  /** The time for checking its expiry, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Stores the credentials. All processes that use one backend share them, and each sees a change from its next call on.
 * The id of a credential is the owner of everything that belongs to it: its uses, its monitors, its lines in the audit
 * log. Methods throw CREDENTIAL_STORE if the store is damaged or cannot be read.
 */
export interface CredentialStore {
  /** True if this process can only read. */
  readonly isReadOnly: boolean;
  /** Returns a number that differs after each change of a credential. Takes microseconds if nothing has changed. */
  readonly revision: () => Promise<number>;
  /** Returns all credentials, including revoked and expired ones. */
  readonly list: () => Promise<readonly CredentialRecord[]>;
  /**
   * Finds a credential by the digest of its secret (`secretDigest`). A record stays the same object until it changes.
   * The time is the one that `time` returns.
   */
  readonly find: (digest: string, now: number) => Promise<FoundCredential>;
  /**
   * Returns `now`, or the latest time that any process of this store has seen and recorded, if that is later: a clock
   * that is set back revives no expired token. Milliseconds since 1970.
   */
  readonly time: (now: number) => Promise<number>;
  /** Records a use of the credential, to the minute. All credentials together cost one write a minute. */
  readonly touchLastUsed: (record: CredentialRecord, now: number) => void;
  /**
   * Makes the change that `plan` describes, as a whole or not at all, and returns the result of `plan`. If `plan`
   * throws, nothing is changed and no event is recorded. `plan` gets the newest state of all credentials: a change of
   * one may depend on the others, because their names differ. If another process changes any of them first, `plan` is
   * called again with the new state, so it must do nothing but plan. Throws CREDENTIAL_STORE and STORAGE_FULL.
   */
  readonly write: <T>(plan: (change: CredentialChange) => T) => Promise<T>;
  /** Writes pending uses and closes the store. A second call does nothing. */
  readonly close: () => Promise<void>;
}

/** The access token that this machine uses unless SERVICE_TOKEN is set. No other machine sees it. */
export interface DefaultToken {
  /** Returns its secret. Undefined if none is saved, or if its credential was revoked on this machine. */
  readonly read: () => Promise<string | undefined>;
  /** Saves the secret of a credential of the store, and records the event. Throws CREDENTIAL_STORE and STORAGE_FULL. */
  readonly save: (secret: string, credentialId: string) => Promise<void>;
  /** Deletes the secret, and records the event. Throws CREDENTIAL_STORE and STORAGE_FULL. */
  readonly remove: (credentialId: string) => Promise<void>;
}
