// The sealed store as the rest of svc uses it. Several processes share one store; each sees the changes of the
// others at its next call.
import type { Logger } from "../base/log.ts";
import type { Anchor } from "./anchor.ts";
import {
  type StoreContents,
  DataKeyChangedError,
  nextContents,
  olderCopy,
  resealedContents,
  sameBytes,
} from "./store-contents.ts";
import type { KeySource } from "./data-key.ts";
import type { StoreHeader } from "./database.ts";
import { HighWater, requireResetTime, withClockReset } from "./high-water.ts";
import type { CredentialRecord, StoreSettings } from "./credential-record.ts";
import { hexDigestOf, type SubKeys } from "./seal.ts";
import {
  type AuditSink,
  collectChange,
  type LogEnd,
  type OpenAudit,
  type StoreChange,
  type StoreHistory,
} from "./store-change.ts";
import type { StoreReader } from "./store-reader.ts";

export type { StoreChange } from "./store-change.ts";

interface StoreParts {
  readonly reader: StoreReader;
  readonly keys: SubKeys;
  readonly anchor: Anchor;
  readonly keySource: KeySource["kind"];
  readonly notice: string | undefined;
  readonly log: Logger;
  readonly audit: OpenAudit;
}

const MINUTE_MS = 60_000;

/** An open credential store. Methods that read or write throw CREDENTIAL_STORE. */
export class CredentialStore {
  /** Kind of the provider that keeps the data key. */
  readonly keySource: KeySource["kind"];
  /** Text to show to the user once; only a newly created store has one. */
  readonly notice: string | undefined;
  /** Key of the audit log's chain, derived from the first data key. It stays the same when the data key changes. */
  readonly auditKey: Buffer;
  readonly #reader: StoreReader;
  readonly #keys: SubKeys;
  readonly #anchor: Anchor;
  readonly #log: Logger;
  readonly #audit: AuditSink;
  readonly #highWater = new HighWater();
  /** Uses not yet written: credential id to minute. */
  readonly #lastUses = new Map<string, number>();
  #flushTimer: NodeJS.Timeout | undefined;

  /** Called by open-store.ts. */
  constructor({ reader, keys, anchor, keySource, notice, log, audit }: StoreParts) {
    this.keySource = keySource;
    this.notice = notice;
    this.#reader = reader;
    this.#keys = keys;
    this.#anchor = anchor;
    this.#log = log;
    this.#raiseAnchor();
    this.auditKey = auditKeyOf(reader.current(), keys);
    this.#audit = audit(this);
  }

  /** True when the store or its anchor can be read but not written. */
  get isReadOnly(): boolean {
    return this.#reader.isReadOnly;
  }

  /** The generation of the store and the place of its key. Throws CREDENTIAL_STORE, like every method that reads. */
  get header(): StoreHeader {
    return this.#reader.current().header;
  }

  /** Returns the history that must agree with the audit log. Throws CREDENTIAL_STORE. */
  history(): StoreHistory {
    return historyOf(this.#reader.current());
  }

  /**
   * Returns true when the store has got another data key: close it and open it again. Otherwise reads and writes
   * throw.
   */
  isStale(): boolean {
    try {
      this.#reader.current();
      return false;
    } catch (error) {
      return error instanceof DataKeyChangedError;
    }
  }

  /** Returns all credentials, including revoked and expired ones. */
  list(): readonly CredentialRecord[] {
    return [...this.#reader.current().records.values()];
  }

  /** Returns the record of a secret, whatever its state. */
  find(secret: string): CredentialRecord | undefined {
    return this.#reader.current().find(hexDigestOf(secret));
  }

  /** As `find`, with the time for checking expiry. Reads the file once for both. */
  findAt(
    secret: string,
    now: number,
  ): { readonly record: CredentialRecord | undefined; readonly time: number } {
    const contents = this.#reader.current();
    return { record: contents.find(hexDigestOf(secret)), time: this.#timeIn(contents, now) };
  }

  /** Returns the secret of this machine's default token; undefined when there is none. */
  defaultToken(): string | undefined {
    return this.#reader.current().settings.defaultToken;
  }

  /** Returns `now`, or the latest time the store has seen if the machine's clock was set back. */
  time(now: number): number {
    return this.#timeIn(this.#reader.current(), now);
  }

  /**
   * Returns the latest time the store has seen and the machine's time. The first is far ahead if the clock was once
   * wrong.
   */
  clock(): { readonly known: number; readonly now: number } {
    return { known: this.#highWater.known(this.#reader.current().settings), now: Date.now() };
  }

  /** Makes the store forget, in every process, that it has seen a time later than `now`. Throws USAGE. */
  resetClock(now: number): void {
    requireResetTime(now);
    this.#lastUses.clear();
    this.#change(
      ({ audit }) => {
        const { known } = this.clock();
        audit({
          event: "store.reset-clock",
          details: { from: new Date(known).toISOString(), to: new Date(now).toISOString() },
        });
      },
      (settings) => withClockReset(settings, now),
    );
  }

  /**
   * Accepts the store as the newest, even if the audit log knows a newer one, and the end of the log as its true
   * end. Earlier copies are refused afterwards.
   */
  accept(): void {
    this.#change(({ audit }) => audit({ event: "store.accept" }), withSameClock(this.#highWater), {
      isAccepted: true,
    });
  }

  /** Records a use of the credential, to the minute. All credentials together cost one write a minute. */
  touchLastUsed({ id, lastUsedAt = 0 }: CredentialRecord, now: number): void {
    const minute = now - (now % MINUTE_MS);
    const known = this.#lastUses.get(id) ?? lastUsedAt;
    // A time in the future was recorded under a wrong clock.
    if (minute <= known && known <= now) return;
    this.#lastUses.set(id, minute);
    this.#flushLater();
  }

  /** Makes a change as a whole or not at all. Every process sees it from its next call on. */
  write<T>(work: (change: StoreChange) => T): T {
    return this.#change(work, withSameClock(this.#highWater));
  }

  /**
   * Seals everything again with the keys of another data key, whose place is `keySource`. `confirm` is called while
   * no other process can change the store; it throws when the key is not there. The anchor accepts both states
   * until the store is opened with the new key. Close this store afterwards.
   */
  reseal(keys: SubKeys, keySource: KeySource, confirm: () => void): void {
    const reached = this.#reader.change((before) => {
      const { generation } = before.header;
      confirm();
      const details = { from: this.keySource, to: keySource.kind };
      const end = this.#audit.recordEvent([{ event: "store.migrate", details }]);
      if ((end?.generation ?? 0) > generation) throw olderCopy();
      // If the key was only copied to another place, the anchor stays valid.
      if (!sameBytes(keys.keyId, this.#keys.keyId)) {
        this.#anchor.writeWith(generation, { key: keys.mac, generation: generation + 1 });
      }
      const settings = { ...before.settings, auditKey: this.auditKey.toString("hex") };
      const next = resealedContents(before, keys, {
        keySource: JSON.stringify(keySource),
        settings: withLine(settings, end),
      });
      return { ...next, result: next.contents.header.generation };
    });
    this.#audit.committed(reached);
    this.#cancelFlush();
    try {
      this.#reader.emptyLog();
    } catch (error) {
      this.#log.warn("credential store: the log of the database was not emptied", { error });
    }
  }

  /**
   * Runs `work` while no other process can change the data key. Returns false without running it if one has changed
   * it.
   */
  whileKeyUnchanged(work: () => void): boolean {
    return this.#reader.exclusively(work);
  }

  /** Writes pending uses and closes the file; a second call does nothing. */
  close(): void {
    if (!this.#reader.isOpen) return;
    if (this.#flushTimer !== undefined) this.#flush();
    this.#reader.close();
  }

  #change<T>(
    work: (change: StoreChange) => T,
    updateSettings: (settings: StoreSettings) => StoreSettings,
    { isAccepted = false } = {},
  ): T {
    const { result, audited } = this.#reader.change((before) => {
      const change = collectChange(before, this.#lastUses, work);
      const settings = updateSettings(change.settings);
      const isAudited = change.events.length > 0;
      const end = isAudited ? this.#audit.recordEvent(change.events) : undefined;
      // An empty store may replace an older one, whose copies must not pass for newer.
      const mayJump = isAccepted || before.header.generation === 0;
      if (!mayJump && (end?.generation ?? 0) > before.header.generation) throw olderCopy();
      const next = nextContents(before, this.#keys, {
        put: change.put.values(),
        settings: withLine(settings, end),
        above: end?.generation,
      });
      const reached = next.contents.header.generation;
      return {
        ...next,
        result: { result: change.result, audited: isAudited ? reached : undefined },
      };
    });
    this.#lastUses.clear();
    this.#cancelFlush();
    this.#raiseAnchor();
    if (audited !== undefined) this.#audit.committed(audited);
    return result;
  }

  #raiseAnchor(): void {
    try {
      this.#reader.raiseAnchor();
    } catch (error) {
      // The change itself is on disk; the next write or start raises the anchor.
      this.#log.warn("credential store: the anchor was not raised", { error });
    }
  }

  #timeIn({ settings }: StoreContents, now: number): number {
    const time = this.#highWater.raise(settings, now);
    if (time - settings.clock >= MINUTE_MS) this.#flushLater();
    return time;
  }

  #flushLater(): void {
    this.#flushTimer ??= setTimeout(() => this.#flush(), MINUTE_MS).unref();
  }

  #flush(): void {
    this.#cancelFlush();
    if (this.isReadOnly) return;
    try {
      // Before its first credential a store has no uses to record, and its generation is not compared with the log.
      if (this.header.generation === 0) return;
      this.write(() => undefined);
    } catch (error) {
      // Failing to record a last use must not fail a call.
      this.#log.warn("credential store: last uses were not recorded", { error });
    }
  }

  #cancelFlush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
  }
}

/** Returns the key of the audit log's chain, which the first data key derived. */
export function auditKeyOf({ settings }: StoreContents, keys: SubKeys): Buffer {
  const { auditKey } = settings;
  return auditKey === undefined ? keys.audit : Buffer.from(auditKey, "hex");
}

/** Returns the history that these contents record. */
export function historyOf({ settings, header }: StoreContents): StoreHistory {
  return { line: settings.auditLine, generation: header.generation };
}

function withSameClock(highWater: HighWater): (settings: StoreSettings) => StoreSettings {
  return (settings) => ({ ...settings, clock: highWater.known(settings) });
}

function withLine(settings: StoreSettings, end: LogEnd | undefined): StoreSettings {
  return end === undefined ? settings : { ...settings, auditLine: { seq: end.seq, mac: end.mac } };
}
