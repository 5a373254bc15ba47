// The sealed store as the rest of svc sees it. Several processes use one store at the same time; each
// sees the changes of the others at its next call.
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

export class CredentialStore {
  /** Which provider keeps the data key. */
  readonly keySource: KeySource["kind"];
  /** To be shown to the user once; only a store that was just created has one. */
  readonly notice: string | undefined;
  /** Key of the audit log's chain: that of the first data key, whatever key the store has now. */
  readonly auditKey: Buffer;
  readonly #reader: StoreReader;
  readonly #keys: SubKeys;
  readonly #anchor: Anchor;
  readonly #log: Logger;
  readonly #audit: AuditSink;
  readonly #highWater = new HighWater();
  /** Uses not yet written: id to minute. */
  readonly #lastUses = new Map<string, number>();
  #flushTimer: NodeJS.Timeout | undefined;

  /** For open-store.ts. */
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

  /** True where the store, or the anchor beside it, can be read but not written. */
  get isReadOnly(): boolean {
    return this.#reader.isReadOnly;
  }

  /** How many changes the store has seen, and where its key is. Throws CREDENTIAL_STORE, as all that reads does. */
  get header(): StoreHeader {
    return this.#reader.current().header;
  }

  /** What has to agree with the audit log. Throws CREDENTIAL_STORE. */
  history(): StoreHistory {
    return historyOf(this.#reader.current());
  }

  /** True when the store has got another data key: close it and open it anew. What reads or writes would throw. */
  isStale(): boolean {
    try {
      this.#reader.current();
      return false;
    } catch (error) {
      return error instanceof DataKeyChangedError;
    }
  }

  /** Every credential, revoked and expired ones too. */
  list(): readonly CredentialRecord[] {
    return [...this.#reader.current().records.values()];
  }

  /** The record of a secret, whatever its state. */
  find(secret: string): CredentialRecord | undefined {
    return this.#reader.current().find(hexDigestOf(secret));
  }

  /** As `find`, with the time to judge the record by; asks the file once for both. */
  findAt(
    secret: string,
    now: number,
  ): { readonly record: CredentialRecord | undefined; readonly time: number } {
    const contents = this.#reader.current();
    return { record: contents.find(hexDigestOf(secret)), time: this.#timeIn(contents, now) };
  }

  defaultToken(): string | undefined {
    return this.#reader.current().settings.defaultToken;
  }

  /** `now`, or the latest time the store has seen when the machine's clock has been set back. */
  time(now: number): number {
    return this.#timeIn(this.#reader.current(), now);
  }

  /** The latest time the store has seen beside that of the machine: far ahead when its clock was once wrong. */
  clock(): { readonly known: number; readonly now: number } {
    return { known: this.#highWater.known(this.#reader.current().settings), now: Date.now() };
  }

  /** Makes the store forget that it has seen a time later than `now`, in every process. Throws USAGE. */
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
   * Takes the store as it is for the newest, whatever the audit log knows of a newer one, and the end of the log for
   * its true end. Copies from before are refused afterwards.
   */
  accept(): void {
    this.#change(({ audit }) => audit({ event: "store.accept" }), withSameClock(this.#highWater), {
      isAccepted: true,
    });
  }

  /** Notes a use of the credential, to the minute. Costs one write a minute for all credentials together. */
  touchLastUsed({ id, lastUsedAt = 0 }: CredentialRecord, now: number): void {
    const minute = now - (now % MINUTE_MS);
    const known = this.#lastUses.get(id) ?? lastUsedAt;
    // One from the future was noted under a wrong clock.
    if (minute <= known && known <= now) return;
    this.#lastUses.set(id, minute);
    this.#flushLater();
  }

  /** Makes a change, whole or not at all, that every process sees from its next call on. */
  write<T>(work: (change: StoreChange) => T): T {
    return this.#change(work, withSameClock(this.#highWater));
  }

  /**
   * Seals everything anew with the keys of another data key, which `keySource` says where to find;
   * `confirm` is called while no other process can change the store, and throws when the key is not there. The anchor vouches for both states until
   * the store is opened with the new key. Close this one then.
   */
  reseal(keys: SubKeys, keySource: KeySource, confirm: () => void): void {
    const reached = this.#reader.change((before) => {
      const { generation } = before.header;
      confirm();
      const details = { from: this.keySource, to: keySource.kind };
      const end = this.#audit.recordEvent([{ event: "store.migrate", details }]);
      if ((end?.generation ?? 0) > generation) throw olderCopy();
      // A key that was only copied to another place keeps its anchor.
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

  /** Runs `work` unless another process has given the store another data key, and while none can; says whether it did. */
  whileKeyUnchanged(work: () => void): boolean {
    return this.#reader.exclusively(work);
  }

  /** Writes what is pending and closes the file; again does nothing. */
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
      // A store that holds nothing yet may follow another one, whose copies must not pass for newer.
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
      // Before its first credential a store has nothing to note, and its generation is compared with nothing.
      if (this.header.generation === 0) return;
      this.write(() => undefined);
    } catch (error) {
      // When a credential was last used is worth no failed call.
      this.#log.warn("credential store: uses were not recorded", { error });
    }
  }

  #cancelFlush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
  }
}

/** Key of the audit log's chain: that of the first data key. */
export function auditKeyOf({ settings }: StoreContents, keys: SubKeys): Buffer {
  const { auditKey } = settings;
  return auditKey === undefined ? keys.audit : Buffer.from(auditKey, "hex");
}

export function historyOf({ settings, header }: StoreContents): StoreHistory {
  return { line: settings.auditLine, generation: header.generation };
}

function withSameClock(highWater: HighWater): (settings: StoreSettings) => StoreSettings {
  return (settings) => ({ ...settings, clock: highWater.known(settings) });
}

function withLine(settings: StoreSettings, end: LogEnd | undefined): StoreSettings {
  return end === undefined ? settings : { ...settings, auditLine: { seq: end.seq, mac: end.mac } };
}
