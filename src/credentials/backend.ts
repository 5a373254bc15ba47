// Everything that svc keeps about credentials, each part behind a port of its own. app.ts chooses the implementation;
// commands, transports and checks know only this.

import type { CallEvent } from "./audit-event.ts";
import type { AuditReader } from "./audit/port.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";

/** A store that is open for a new credential. */
export interface CreatedStore {
  readonly store: CredentialStore;
  /** Text to show to the user once; only a newly created store may have one. */
  readonly notice: string | undefined;
}

/**
 * Notes which token this machine accepted last, so that `initialize` need not open the store to check it. A note grants
 * nothing: svc verifies each call. `secret` is the value of SERVICE_TOKEN, undefined for the default token.
 */
export interface AcceptedTokens {
  /** True if the token was accepted, has not expired since, and no credential has changed on this machine. */
  readonly has: (secret: string | undefined) => boolean;
  /** Never throws. `expiresAt`: milliseconds since 1970. */
  readonly add: (secret: string | undefined, expiresAt: number | undefined) => void;
}

export interface CredentialBackend {
  /** False if there is certainly no store. Opens nothing: cheap enough for `initialize`. */
  readonly mayExist: () => boolean;
  /** Opens the store with the first call. Undefined while there is none. Throws CREDENTIAL_STORE. */
  readonly store: () => Promise<CredentialStore | undefined>;
  /**
   * Returns the result of `work` on the store. If the store had to be opened again meanwhile, calls `work` once more.
   * Cheaper than `store` at the first call, because `work` changes no credential.
   */
  readonly use: <T>(work: (store: CredentialStore | undefined) => Promise<T>) => Promise<T>;
  /**
   * Opens the store for a new credential, and creates it if there is none. `requireKeychain`: fail unless its data key
   * is in the system's keychain. Throws CREDENTIAL_STORE, STORAGE_FULL and USAGE.
   */
  readonly create: (options?: { readonly requireKeychain?: boolean }) => Promise<CreatedStore>;
  readonly defaultToken: DefaultToken;
  readonly acceptedTokens: AcceptedTokens;
  /** Records a call in the audit log, asynchronously. Without a store there are no authenticated calls. */
  readonly recordCall: (call: CallEvent) => void;
  readonly auditReader: () => Promise<AuditReader>;
  /** Resolves once opening the store is known to take seconds, as when the system's keychain is asked. */
  readonly slow: Promise<void>;
  readonly close: () => Promise<void>;
}
