// The sealed store as the rest of svc sees it. Several processes use one store at the same time; each
// sees the changes of the others at its next call.
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Anchor } from "./anchor.ts";
import { type Contents, nextContents, readContents, sameBytes } from "./contents.ts";
import type { KeySource } from "./data-key.ts";
import { transaction, translated, writeHeader, writeRow } from "./database.ts";
import type { CredentialRecord } from "./record.ts";
import { blindIndex, digestOf, type SubKeys } from "./seal.ts";

/** What `write` hands to its callback; nothing of it is kept when the callback throws. */
export interface StoreChange {
  readonly records: ReadonlyMap<string, CredentialRecord>;
  /** Adds a record, or replaces the one with its id. */
  readonly put: (record: CredentialRecord) => void;
  readonly setDefaultToken: (secret: string) => void;
}

interface StoreParts {
  readonly db: DatabaseSync;
  readonly path: string;
  readonly keys: SubKeys;
  readonly anchor: Anchor;
  readonly keySource: KeySource["kind"];
  readonly notice: string | undefined;
  readonly log: Logger;
}

const MINUTE_MS = 60_000;

// Invariant: `#contents` has passed every check, and is what the file held at data version `#dataVersion`.
export class CredentialStore {
  /** Which provider keeps the data key; fixed when the store was created. */
  readonly keySource: KeySource["kind"];
  /** To be shown to the user once; only a store that was just created has one. */
  readonly notice: string | undefined;
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #inode: bigint | undefined;
  readonly #keys: SubKeys;
  readonly #anchor: Anchor;
  readonly #log: Logger;
  #contents: Contents;
  #dataVersion: number;
  /** The latest time this process has seen. */
  #clock = 0;
  /** Uses not yet written: id to minute. */
  readonly #uses = new Map<string, number>();
  #flushTimer: NodeJS.Timeout | undefined;

  /** For open-store.ts. Reads and checks the whole file; throws CREDENTIAL_STORE. */
  constructor({ db, path, keys, anchor, keySource, notice, log }: StoreParts) {
    this.keySource = keySource;
    this.notice = notice;
    this.#db = db;
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#keys = keys;
    this.#anchor = anchor;
    this.#log = log;
    [this.#contents, this.#dataVersion] = this.#load();
    this.#raiseAnchor();
  }

  /** Every credential, revoked and expired ones too. */
  list(): readonly CredentialRecord[] {
    return [...this.#current().records.values()];
  }

  /** The record of a secret, whatever its state. */
  find(secret: string): CredentialRecord | undefined {
    const digest = digestOf(secret);
    const lookup = blindIndex(this.#keys.index, digest).toString("hex");
    const record = this.#current().byLookup.get(lookup);
    const isSame = record !== undefined && sameBytes(Buffer.from(record.digest, "hex"), digest);
    return isSame ? record : undefined;
  }

  defaultToken(): string | undefined {
    return this.#current().settings.defaultToken;
  }

  /** `now`, or the latest time the store has seen when the machine's clock has been set back. */
  time(now: number): number {
    const known = this.#current().settings.clock;
    this.#clock = Math.max(this.#clock, known, now);
    if (this.#clock - known >= MINUTE_MS) this.#flushLater();
    return this.#clock;
  }

  /** Notes a use of the credential, to the minute. Costs one write a minute for all credentials together. */
  noteUse({ id, lastUsedAt = 0 }: CredentialRecord, now: number): void {
    const minute = now - (now % MINUTE_MS);
    if (minute <= (this.#uses.get(id) ?? lastUsedAt)) return;
    this.#uses.set(id, minute);
    this.#flushLater();
  }

  /** Makes a change, whole or not at all, that every process sees from its next call on. */
  write<T>(work: (change: StoreChange) => T): T {
    this.#requireSameFile();
    const { contents, dataVersion, result } = transaction(this.#db, "IMMEDIATE", () => {
      // Read again even when nothing seems to have changed: the new MAC must not vouch for rows that
      // were altered behind SQLite's back.
      const [before, version] = this.#read();
      return { dataVersion: version, ...this.#apply(before, work) };
    });
    this.#contents = contents;
    this.#dataVersion = dataVersion;
    this.#uses.clear();
    this.#cancelFlush();
    try {
      this.#raiseAnchor();
    } catch (error) {
      // The change itself is on disk; the next write or start raises the anchor.
      this.#log.warn("credential store: the anchor was not raised", { error });
    }
    return result;
  }

  /** Writes what is pending and closes the file; again does nothing. */
  close(): void {
    if (!this.#db.isOpen) return;
    if (this.#flushTimer !== undefined) this.#flush();
    this.#db.close();
  }

  #apply<T>(
    before: Contents,
    work: (change: StoreChange) => T,
  ): { readonly contents: Contents; readonly result: T } {
    const records = new Map(before.records);
    const changed = new Map<string, CredentialRecord>();
    let { settings } = before;
    const put = (record: CredentialRecord): void => {
      records.set(record.id, record);
      changed.set(record.id, record);
    };
    const result = work({
      records,
      put,
      setDefaultToken(defaultToken) {
        settings = { ...settings, defaultToken };
      },
    });
    for (const [id, lastUsedAt] of this.#uses) {
      const record = records.get(id);
      if (record !== undefined && lastUsedAt > (record.lastUsedAt ?? 0)) {
        put({ ...record, lastUsedAt });
      }
    }
    settings = { ...settings, clock: Math.max(settings.clock, this.#clock) };
    const { contents, written } = nextContents(before, this.#keys, {
      put: changed.values(),
      settings,
    });
    for (const row of written) writeRow(this.#db, row);
    writeHeader(this.#db, contents.header);
    return { contents, result };
  }

  #current(): Contents {
    this.#requireSameFile();
    if (translated(() => dataVersionOf(this.#db)) !== this.#dataVersion) {
      [this.#contents, this.#dataVersion] = this.#load();
    }
    return this.#contents;
  }

  #load(): [Contents, number] {
    return transaction(this.#db, "DEFERRED", () => this.#read());
  }

  #read(): [Contents, number] {
    // Before the rows: another process may raise the anchor between the two reads, never lower it.
    const anchored = this.#anchor.read();
    const dataVersion = dataVersionOf(this.#db);
    return [readContents(this.#db, this.#keys, anchored), dataVersion];
  }

  /** Under the write lock, so that two processes cannot put a lower number over a higher one. */
  #raiseAnchor(): void {
    const { generation } = this.#contents.header;
    const isBehind = (): boolean => (this.#anchor.read() ?? -1) < generation;
    if (!isBehind()) return;
    transaction(this.#db, "IMMEDIATE", () => {
      if (isBehind()) this.#anchor.write(generation);
    });
  }

  /** A file that was moved away or copied over lives on in our open handle, without the changes of others. */
  #requireSameFile(): void {
    if (inodeOf(this.#path) === this.#inode) return;
    throw new SvcError("CREDENTIAL_STORE", "The credential store was replaced while in use.", {
      hint: "Start svc again.",
    });
  }

  #flushLater(): void {
    this.#flushTimer ??= setTimeout(() => this.#flush(), MINUTE_MS).unref();
  }

  #flush(): void {
    this.#cancelFlush();
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

/** Changes when another connection has committed. Cost: 6 µs. */
function dataVersionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA data_version").get()?.["data_version"]);
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
