// The events that the audit log records. The code that reports them does not know the log's format on disk.

/** A change of the store, recorded in the same transaction; if it cannot be recorded, the change fails. */
export interface CredentialEvent {
  readonly event:
    | "store.create"
    | "store.migrate"
    | "store.accept"
    | "store.reset-clock"
    | "key.create"
    | "key.revoke"
    | "token.create"
    | "token.renew"
    | "token.revoke"
    | "token.save"
    | "token.forget";
  /** Id of the credential; undefined for events of the whole store. */
  readonly credential?: string;
  /** Details that are safe to log: namespaces, lifetime, where the data key is. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A call that has ended, whatever its outcome. A refused call counts too. */
export interface CallEvent {
  /**
   * Id of the credential, `local` for the machine's owner, `byok` for a client with only a provider key; null when
   * authentication failed.
   */
  readonly principal: string | null;
  /** Set when the call carried a provider key. */
  readonly byok?: true;
  /** Name of the tool; for a request without a tool, its method or path. */
  readonly tool: string;
  /** The namespace that answered the call, or that it requested without success; null when there is none. */
  readonly namespace: string | null;
  /** `ok`, `cancelled`, or an error code. */
  readonly outcome: string;
  /** Duration of the call in milliseconds. */
  readonly ms: number;
  /** Number of content items in the answer, and number of characters of their text. */
  readonly items: number;
  readonly characters: number;
  /** Text of the query. The log keeps its length and an HMAC, and the text itself only when the user opted in. */
  readonly query?: string;
  /** Id of the request, chosen by the client. */
  readonly request?: string | number | null;
}
