import { toSvcError, SvcError } from "../../base/errors.ts";
import { type Logger, redact, redactText } from "../../base/log.ts";
import type { CallEvent, CredentialEvent } from "../audit-event.ts";
import { AuditLock } from "./lock.ts";
import { ChainKey, type LineFields } from "./chain.ts";
import type { LogEnd, StoreHistory } from "../store-change.ts";
import { commitLine } from "./commit-line.ts";
import type { AuditDirectories } from "./log-files.ts";
import { LogWriter } from "./log-writer.ts";

export interface AuditLogOptions extends AuditDirectories {
  /** The store's key for the audit log. It is copied, so the caller may wipe it afterwards. */
  readonly key: Uint8Array;
  /** Whether lines contain the text of queries. */
  readonly withQueries: boolean;
  readonly log: Logger;
  /** Size in bytes at which the log starts a new file; 64 MB by default. */
  readonly fileBytes?: number;
  /** Number of files kept; 8 by default. */
  readonly files?: number;
  /** The state of the log that the store remembers. */
  readonly known?: StoreHistory;
}

const EVENT_WAIT_MS = 5000;
/** The answer of this call has gone out already, but the next call waits meanwhile. */
const CALL_WAIT_MS = 100;
const CLOSE_WAIT_MS = 500;
const RETRY_MS = 1000;
const SYNC_MS = 5000;
const WARN_MS = 60_000;
/** After this many busy attempts in a row a warning is logged. A few happen on any busy machine. */
const MAX_BUSY_TRIES = 5;
/** Maximum number of lines queued while the log cannot be written; about 4 MB. */
const MAX_QUEUED_LINES = 10_000;
/** Real names are short; a client may send anything in their place. */
const MAX_NAME_LENGTH = 80;

/**
 * The audit log of this machine as one process writes it. No file is opened before the first event.
 * A power cut can lose the calls of the last few seconds, but never a credential event.
 */
export class AuditLog {
  readonly #writer: LogWriter;
  readonly #key: ChainKey;
  readonly #withQueries: boolean;
  readonly #log: Logger;
  #queued: LineFields[] = [];
  /** Number of lines dropped while the log could not be written. */
  #lost = 0;
  #isScheduled = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #retryAt = 0;
  #syncedAt = 0;
  #warnedAt = -Infinity;
  /** Number of consecutive attempts that found the log locked by another process. */
  #busy = 0;
  readonly #onExit = (): void => this.flush(CLOSE_WAIT_MS);

  constructor({ key, withQueries, log, ...rest }: AuditLogOptions) {
    this.#key = new ChainKey(key);
    this.#withQueries = withQueries;
    this.#log = log;
    // Covers an exit without `close`: an uncaught exception.
    process.on("exit", this.#onExit);
    this.#writer = new LogWriter({
      ...rest,
      key: this.#key,
      onBroken: (how) =>
        log.warn("the audit log was tampered with; logging continues in a new file", { how }),
    });
  }

  /** Writes the events of a change to disk. Throws CREDENTIAL_STORE or STORAGE_FULL when it cannot. */
  readonly recordEvent = (events: readonly CredentialEvent[]): LogEnd => {
    try {
      return this.#write(events.map(eventFields), { waitMs: EVENT_WAIT_MS, isDurable: true });
    } catch (error) {
      throw cannotRecord(error);
    }
  };

  /** Records that a change was committed: now if possible, else later. */
  readonly committed = (generation: number): void => {
    this.#queued.push(commitLine(generation));
    this.flush();
  };

  /** Queues the line of a call. It is written after the answers of this event-loop turn have gone out. */
  readonly recordCall = (call: CallEvent, time = Date.now()): void => {
    if (this.#queued.length >= MAX_QUEUED_LINES) {
      this.#queued.shift();
      this.#lost += 1;
    }
    this.#queued.push(this.#callFields(call, time));
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (performance.now() >= this.#retryAt) this.flush();
    });
  };

  /**
   * Writes the queued lines. Never throws: callers must not fail because of it; the process log reports the
   * failure.
   */
  flush(waitMs = CALL_WAIT_MS): void {
    if (this.#queued.length === 0) return;
    try {
      this.#write([], { waitMs, isDurable: false });
    } catch (error) {
      this.#failed(error);
      return;
    }
    const now = performance.now();
    if (now - this.#syncedAt < SYNC_MS) return;
    this.#syncedAt = now;
    this.#writer.syncLater();
  }

  /** Writes the queued lines and closes the files. */
  close(): void {
    this.flush(CLOSE_WAIT_MS);
    clearTimeout(this.#retryTimer);
    process.off("exit", this.#onExit);
    this.#writer.close();
  }

  #write(
    more: readonly LineFields[],
    options: { readonly waitMs: number; readonly isDurable: boolean },
  ): LogEnd {
    const time = new Date().toISOString();
    const lost = this.#lost === 0 ? [] : [{ time, event: "log.lost", lines: this.#lost }];
    const end = this.#writer.append([...lost, ...this.#queued, ...more], options);
    this.#queued = [];
    this.#lost = 0;
    this.#busy = 0;
    return end;
  }

  #failed(error: unknown): void {
    const now = performance.now();
    this.#retryAt = now + RETRY_MS;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.flush(), RETRY_MS).unref();
    this.#busy = AuditLock.isBusy(error) ? this.#busy + 1 : MAX_BUSY_TRIES;
    if (this.#busy < MAX_BUSY_TRIES || now - this.#warnedAt < WARN_MS) return;
    this.#warnedAt = now;
    this.#log.warn("CALLS ARE NOT AUDITED: the audit log cannot be written", {
      error,
      waiting: this.#queued.length,
      lost: this.#lost,
    });
  }

  #callFields({ query, ...call }: CallEvent, time: number): LineFields {
    const { request = null, principal, tool, namespace, outcome, ms, items, characters } = call;
    return {
      time: new Date(time).toISOString(),
      event: "call",
      request: typeof request === "string" ? nameOf(request) : request,
      principal,
      ...(call.byok === true ? { byok: true } : {}),
      tool: nameOf(tool),
      namespace: namespace === null ? null : nameOf(namespace),
      outcome,
      ms: Math.round(ms),
      items,
      characters,
      ...(query === undefined ? {} : this.#queryFields(query)),
    };
  }

  #queryFields(query: string): LineFields {
    return {
      query_length: query.length,
      query_hmac: this.#key.query(query),
      ...(this.#withQueries ? { query: redactText(query) } : {}),
    };
  }
}

function eventFields({ event, credential, details }: CredentialEvent): LineFields {
  return {
    time: new Date().toISOString(),
    event,
    // Only the owner of the machine manages credentials.
    principal: "local",
    credential: credential ?? null,
    outcome: "ok",
    ...(details === undefined ? {} : { details: withoutSecrets(details) }),
  };
}

/**
 * Only the values are redacted: the field names are svc's own, and the field `key` holds the place of the data key.
 */
function withoutSecrets(details: Readonly<Record<string, unknown>>): LineFields {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redact(value)]));
}

/** Cut first, because that is cheaper; the redactor still recognises a secret that was cut off. */
function nameOf(text: string): string {
  return redactText(text.slice(0, MAX_NAME_LENGTH));
}

function cannotRecord(thrown: unknown): SvcError {
  const error = toSvcError(thrown);
  if (error.code !== "INTERNAL_ERROR") return error;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SvcError(
    "CREDENTIAL_STORE",
    "The audit log cannot be written, so nothing was changed.",
    { hint: `The system says: ${reason}.`, cause: thrown },
  );
}
