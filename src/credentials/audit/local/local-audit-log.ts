import { toSvcError, SvcError } from "../../../base/errors.ts";
import type { Logger } from "../../../base/log.ts";
import type { CallEvent, CredentialEvent } from "../../audit-event.ts";
import { AuditLock } from "./lock.ts";
import { ChainKey, type LineFields } from "../chain.ts";
import { commitLine } from "../commit-line.ts";
import { callLine, eventLine, type QueryPrivacy } from "../line-fields.ts";
import type { AuditWriter } from "../port.ts";
import type { LogEnd, StoreHistory } from "./store-history.ts";
import type { AuditDirectories } from "./log-files.ts";
import { LogWriter } from "./log-writer.ts";

export interface LocalAuditLogOptions extends AuditDirectories {
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

/**
 * The audit log of this machine as one process writes it. No file is opened before the first event.
 * A power cut can lose the calls of the last few seconds, but never a credential event.
 */
export class LocalAuditLog implements AuditWriter {
  readonly #writer: LogWriter;
  readonly #privacy: QueryPrivacy;
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

  constructor({ key, withQueries, log, ...rest }: LocalAuditLogOptions) {
    this.#privacy = { key: new ChainKey(key), withQueries };
    this.#log = log;
    // Covers an exit without `close`: an uncaught exception.
    process.on("exit", this.#onExit);
    this.#writer = new LogWriter({
      ...rest,
      key: this.#privacy.key,
      onBroken: (how) =>
        log.warn("the audit log was tampered with; logging continues in a new file", { how }),
    });
  }

  readonly append = async (events: readonly CredentialEvent[]): Promise<void> => {
    this.recordEvent(events);
  };

  /**
   * As `append`, but returns when the events are on disk, with the new end of the log: the sealed store calls this
   * while it holds its lock.
   */
  readonly recordEvent = (events: readonly CredentialEvent[]): LogEnd => {
    try {
      return this.#write(events.map(eventLine), { waitMs: EVENT_WAIT_MS, isDurable: true });
    } catch (error) {
      throw cannotRecord(error);
    }
  };

  readonly committed = (generation: number): void => {
    this.#queued.push(commitLine(generation));
    this.flush();
  };

  /** The line is written after the answers of this event-loop turn have gone out. */
  readonly recordCall = (call: CallEvent, time = Date.now()): void => {
    if (this.#queued.length >= MAX_QUEUED_LINES) {
      this.#queued.shift();
      this.#lost += 1;
    }
    this.#queued.push(callLine(call, time, this.#privacy));
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

  readonly close = async (): Promise<void> => {
    this.flush(CLOSE_WAIT_MS);
    clearTimeout(this.#retryTimer);
    process.off("exit", this.#onExit);
    this.#writer.close();
  };

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
