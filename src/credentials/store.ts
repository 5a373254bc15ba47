// The sealed store as the rest of svc sees it. Several processes use one store at the same time; each
// sees the changes of the others at its next call.
import type { Logger } from "../base/log.ts";
import type { Anchor } from "./anchor.ts";
import {
  type Contents,
  DataKeyChanged,
  nextContents,
  resealedContents,
  sameBytes,
} from "./contents.ts";
import type { KeySource } from "./data-key.ts";
import type { Header } from "./database.ts";
import { HighWater, requireResetTime, withClockReset } from "./high-water.ts";
import type { CredentialRecord, StoreSettings } from "./record.ts";
import { hexDigestOf, type SubKeys } from "./seal.ts";
import { type AuditSink, collectChange, type OpenAudit, type StoreChange } from "./store-change.ts";
import type { StoreReader } from "./store-reader.ts";

export type { AuditSink, StoreChange } from "./store-change.ts";

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
  readonly #onAudit: AuditSink;
  readonly #highWater = new HighWater();
  /** Uses not yet written: id to minute. */
  readonly #uses = new Map<string, number>();
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
    const { auditKey } = reader.current().settings;
    this.auditKey = auditKey === undefined ? keys.audit : Buffer.from(auditKey, "hex");
    this.#onAudit = audit(this);
  }

  /** True where the store, or the anchor beside it, can be read but not written. */
  get isReadOnly(): boolean {
    return this.#reader.isReadOnly;
  }

  /** How many changes the store has seen, and where its key is. Throws CREDENTIAL_STORE, as all that reads does. */
  get header(): Header {
    return this.#reader.current().header;
  }

  /** True when the store has got another data key: close it and open it anew. What reads or writes would throw. */
  isStale(): boolean {
    try {
      this.#reader.current();
      return false;
    } catch (error) {
      return error instanceof DataKeyChanged;
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
    this.#uses.clear();
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

  /** Notes a use of the credential, to the minute. Costs one write a minute for all credentials together. */
  noteUse({ id, lastUsedAt = 0 }: CredentialRecord, now: number): void {
    const minute = now - (now % MINUTE_MS);
    const known = this.#uses.get(id) ?? lastUsedAt;
    // One from the future was noted under a wrong clock.
    if (minute <= known && known <= now) return;
    this.#uses.set(id, minute);
    this.#flushLater();
  }

  /** Makes a change, whole or not at all, that every process sees from its next call on. */
  write<T>(work: (change: StoreChange) => T): T {
    return this.#change(work, (settings) => ({
      ...settings,
      clock: this.#highWater.known(settings),
    }));
  }

  /**
   * Seals everything anew with the keys of another data key, which `keySource` says where to find;
   * `confirm` is called last and throws when it is not there. The anchor vouches for both states until
   * the store is opened with the new key. Close this one then.
   */
  reseal(keys: SubKeys, keySource: KeySource, confirm: () => void): void {
    this.#reader.change((before) => {
      const { generation } = before.header;
      // A key that was only copied to another place keeps its anchor.
      if (!sameBytes(keys.keyId, this.#keys.keyId)) {
        this.#anchor.writeWith(generation, { key: keys.mac, generation: generation + 1 });
      }
      const settings = { ...before.settings, auditKey: this.auditKey.toString("hex") };
      const next = resealedContents(before, keys, {
        keySource: JSON.stringify(keySource),
        settings,
      });
      const details = { from: this.keySource, to: keySource.kind };
      const beforeCommit = (): void => {
        confirm();
        this.#onAudit({ event: "store.migrate", details });
      };
      return { ...next, result: undefined, beforeCommit };
    });
    this.#cancelFlush();
    try {
      this.#reader.emptyLog();
    } catch (error) {
      this.#log.warn("credential store: the log of the database was not emptied", { error });
    }
  }

  /** Runs `work` unless another process has given the store another data key, and while none can; says whether it did. */
  whileKeyStays(work: () => void): boolean {
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
    settle: (settings: StoreSettings) => StoreSettings,
  ): T {
    const result = this.#reader.change((before) => {
      const change = collectChange(before, this.#uses, work);
      const settings = settle(change.settings);
      const next = nextContents(before, this.#keys, { put: change.put.values(), settings });
      const beforeCommit = (): void => change.events.forEach((event) => this.#onAudit(event));
      return { ...next, result: change.result, beforeCommit };
    });
    this.#uses.clear();
    this.#cancelFlush();
    this.#raiseAnchor();
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

  #timeIn({ settings }: Contents, now: number): number {
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
