// The sealed store as the rest of svc uses it. Several processes share one store; each sees the changes of the
// others at its next call.
import type { Logger } from "../../base/log.ts";
import type { AuditSink, LogEnd, OpenAudit, StoreHistory } from "../audit/local/store-history.ts";
import { isRevokedBy, planChange, type PlannedChange } from "../credential-change.ts";
import type { CredentialRecord } from "../credential-record.ts";
import { requireResetTime, withClockReset } from "../high-water.ts";
import type { KeySource } from "../keychain/data-key.ts";
import { PendingWrites } from "../pending-writes.ts";
import type { CredentialChange, CredentialStore, DefaultToken, FoundCredential } from "../port.ts";
import { secretDigest } from "../secret-digest.ts";
import type { Anchor } from "./anchor.ts";
import type { StoreHeader } from "./database.ts";
import type { SubKeys } from "./seal.ts";
import {
  type StoreContents,
  DataKeyChangedError,
  nextContents,
  olderCopy,
  resealedContents,
  sameBytes,
} from "./store-contents.ts";
import type { StoreReader } from "./store-reader.ts";
import type { StoreSettings } from "./store-settings.ts";

interface StoreParts {
  readonly reader: StoreReader;
  readonly keys: SubKeys;
  readonly anchor: Anchor;
  readonly keySource: KeySource["kind"];
  readonly notice: string | undefined;
  readonly log: Logger;
  readonly audit: OpenAudit;
}

/** An open sealed store. Methods that read or write throw CREDENTIAL_STORE. */
export class SealedStore implements CredentialStore {
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
  readonly #pending = new PendingWrites(() => this.#flush());

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

  readonly defaultToken: DefaultToken = {
    read: async () => this.#reader.current().settings.defaultToken,
    save: async (secret, credential) => {
      this.#change(
        ({ audit }) => audit({ event: "token.save", credential }),
        (settings) => ({ ...settings, defaultToken: secret }),
      );
    },
    remove: async (credential) => {
      this.#change(
        ({ audit }) => audit({ event: "token.forget", credential }),
        ({ defaultToken: _removed, ...settings }) => settings,
      );
    },
  };

  readonly revision = async (): Promise<number> => this.header.generation;

  readonly list = async (): Promise<readonly CredentialRecord[]> => [
    ...this.#reader.current().records.values(),
  ];

  /** Reads the file once for both the record and the time. */
  readonly find = async (digest: string, now: number): Promise<FoundCredential> => {
    const contents = this.#reader.current();
    return { record: contents.find(digest), time: this.#pending.time(contents.settings, now) };
  };

  readonly time = async (now: number): Promise<number> =>
    this.#pending.time(this.#reader.current().settings, now);

  readonly touchLastUsed = (record: CredentialRecord, now: number): void =>
    this.#pending.touch(record, now);

  /** Every process sees the change from its next call on. */
  readonly write = async <T>(plan: (change: CredentialChange) => T): Promise<T> =>
    this.#change(plan);

  readonly close = async (): Promise<void> => {
    if (!this.#reader.isOpen) return;
    if (this.#pending.isScheduled) this.#flush();
    this.#reader.close();
  };

  /**
   * Returns the latest time the store has seen and the machine's time. The first is far ahead if the clock was once
   * wrong.
   */
  clock(): { readonly known: number; readonly now: number } {
    const known = this.#pending.latestTime(this.#reader.current().settings);
    return { known, now: Date.now() };
  }

  /** Makes the store forget, in every process, that it has seen a time later than `now`. Throws USAGE. */
  resetClock(now: number): void {
    requireResetTime(now);
    this.#pending.forgetUses();
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
    this.#change(({ audit }) => audit({ event: "store.accept" }), undefined, { isAccepted: true });
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
    this.#pending.cancel();
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

  #change<T>(
    plan: (change: CredentialChange) => T,
    updateSettings: (settings: StoreSettings) => StoreSettings = (settings) => settings,
    { isAccepted = false } = {},
  ): T {
    const uses = new Map(this.#pending.lastUses);
    const { result, audited } = this.#reader.change((before) => {
      const change = planChange(before.records, uses, plan);
      const settings = updateSettings(this.#settingsAfter(change, before));
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
    this.#pending.written(uses);
    this.#raiseAnchor();
    if (audited !== undefined) this.#audit.committed(audited);
    return result;
  }

  /** Includes the latest time, and not the default token if the change revokes it. */
  #settingsAfter<T>(change: PlannedChange<T>, { settings, records }: StoreContents): StoreSettings {
    const { defaultToken, ...others } = settings;
    const clock = this.#pending.latestTime(settings);
    const isGone =
      defaultToken === undefined || isRevokedBy(change, records, secretDigest(defaultToken));
    return isGone ? { ...others, clock } : { ...settings, clock };
  }

  #raiseAnchor(): void {
    try {
      this.#reader.raiseAnchor();
    } catch (error) {
      // The change itself is on disk; the next write or start raises the anchor.
      this.#log.warn("credential store: the anchor was not raised", { error });
    }
  }

  #flush(): void {
    this.#pending.cancel();
    if (this.isReadOnly) return;
    try {
      // Before its first credential a store has no uses to record, and its generation is not compared with the log.
      if (this.header.generation === 0) return;
      this.#change(() => undefined);
    } catch (error) {
      // Failing to record a last use must not fail a call.
      this.#log.warn("credential store: last uses were not recorded", { error });
    }
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

function withLine(settings: StoreSettings, end: LogEnd | undefined): StoreSettings {
  return end === undefined ? settings : { ...settings, auditLine: { seq: end.seq, mac: end.mac } };
}
