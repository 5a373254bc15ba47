// What the audit log is told. Who tells it knows nothing of its form on disk.

/** A change of the store; recorded inside the transaction that makes it, which fails when it cannot be. */
export interface CredentialEvent {
  readonly event:
    | "store.create"
    | "store.migrate"
    | "store.accept"
    | "store.reset-clock"
    | "key.create"
    | "key.revoke"
    | "token.create"
    | "token.revoke"
    | "token.save";
  /** Id of the credential; undefined for events of the store. */
  readonly credential?: string;
  /** More that is safe to log: namespaces, lifetime, where the data key is. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A call that came to its end, however it did; one a client was refused, too. */
export interface CallEvent {
  /** Id of the credential, `local` for the owner of the machine, `byok` for who has a provider's key; null for who was not let in. */
  readonly principal: string | null;
  /** Set when a key of the model provider came with the call. */
  readonly byok?: true;
  /** Tool, or the method or path of a request that names none. */
  readonly tool: string;
  /** The one the call was answered from, or asked for in vain; null where there is none. */
  readonly namespace: string | null;
  /** `ok`, `cancelled`, or an error code. */
  readonly outcome: string;
  /** Milliseconds. */
  readonly ms: number;
  /** Content items of the answer, and characters of their text. */
  readonly items: number;
  readonly characters: number;
  /** Text of the question; the log keeps its length and an HMAC, and the text only where that was opted for. */
  readonly query?: string;
  /** Id of the request, as the client chose it. */
  readonly request?: string | number | null;
}
