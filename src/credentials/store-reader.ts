// The store's file as one process works with it: read whole when another process has changed it,
// changed under SQLite's lock, and held against the anchor each time.
import { statSync } from "node:fs";

import { SvcError } from "../base/errors.ts";
import type { Anchor } from "./anchor.ts";
import { closeUnmodified, type StoreConnection, openConnection } from "./connection.ts";
import {
  type StoreContents,
  type NextStoreContents,
  readContents,
  sameBytes,
} from "./store-contents.ts";
import { readHeader, transaction, writeHeader, writeRow } from "./database.ts";
import type { SubKeys } from "./seal.ts";
import { damagedStore, readOnlyStore, withTranslatedErrors } from "./store-errors.ts";

interface FileParts {
  readonly path: string;
  readonly connection: StoreConnection;
  readonly keys: SubKeys;
  readonly anchor: Anchor;
}

interface Change<T> extends NextStoreContents {
  readonly result: T;
}

interface Loaded {
  readonly contents: StoreContents;
  /** Of the connection, when the contents were read. */
  readonly version: string | number;
}

/** How often a file without locks is read again because it changed while it was read. */
const MAX_ATTEMPTS = 5;

// Invariant: `#loaded` has passed every check, and is what the file held at that version.
export class StoreReader {
  readonly #path: string;
  readonly #inode: bigint | number | undefined;
  readonly #keys: SubKeys;
  readonly #anchor: Anchor;
  #connection: StoreConnection;
  #loaded: Loaded;
  /** True from when the file was opened again until it has been read: versions of two connections do not compare. */
  #isOutdated = false;
  #isClosed = false;
  /** False from when what the file holds is read until it has passed every check. */
  #isGenuine = false;

  /** Reads and checks the whole file. Throws CREDENTIAL_STORE, and DataKeyChanged. */
  constructor({ path, connection, keys, anchor }: FileParts) {
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#keys = keys;
    this.#anchor = anchor;
    this.#connection = connection;
    try {
      this.#loaded = this.#load(undefined);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  get isReadOnly(): boolean {
    return this.#connection.access !== "read-write" || this.#anchorObstacle() !== undefined;
  }

  /** What the file holds now. Throws CREDENTIAL_STORE, and DataKeyChanged. */
  current(): StoreContents {
    this.#requireSameFile();
    if (!this.#isClosed && !this.#connection.db.isOpen) this.#reopen();
    const version = withTranslatedErrors(() => this.#connection.version());
    if (version !== this.#loaded.version || this.#isOutdated) {
      this.#loaded = this.#load(this.#loaded.contents);
      this.#isOutdated = false;
    }
    return this.#loaded.contents;
  }

  /** Makes a change, whole or not at all; what `work` throws undoes it. Throws CREDENTIAL_STORE and STORAGE_FULL. */
  change<T>(work: (before: StoreContents) => Change<T>): T {
    this.#requireSameFile();
    this.#requireWritable();
    const { db } = this.#connection;
    const { loaded, result } = transaction(db, "IMMEDIATE", () => {
      // Read again even when nothing seems to have changed: the new MAC must not vouch for rows that
      // were altered behind SQLite's back.
      const { contents: before, version } = this.#read(this.#loaded.contents);
      const next = work(before);
      for (const row of next.written) writeRow(db, row);
      writeHeader(db, next.contents.header);
      return { loaded: { contents: next.contents, version }, result: next.result };
    });
    this.#loaded = loaded;
    this.#isOutdated = false;
    return result;
  }

  /** Brings the anchor up to what was last read or written. Throws what the file system throws. */
  raiseAnchor(): void {
    const { generation } = this.#loaded.contents.header;
    if (this.#anchor.read().isJust(generation)) return;
    if (this.#connection.access !== "read-write") return;
    // Under the write lock, so that two processes cannot put a lower number over a higher one.
    this.exclusively(() => {
      const reading = this.#anchor.read();
      const reached = Math.max(generation, reading.generation() ?? 0);
      if (!reading.isJust(reached)) this.#anchor.write(reached);
    });
  }

  /**
   * Runs `work` while no process can change the store. Does not, and returns false, when the store has
   * got another data key meanwhile: what lies beside it is then no longer ours to change.
   */
  exclusively(work: () => void): boolean {
    const { db } = this.#connection;
    return transaction(db, "IMMEDIATE", () => {
      const header = readHeader(db);
      if (header === undefined || !sameBytes(header.keyId, this.#keys.keyId)) return false;
      work();
      return true;
    });
  }

  /** Takes SQLite's log into the file and empties it, where no reader is in the way: nothing older stays in it. */
  emptyLog(): void {
    withTranslatedErrors(() => this.#connection.db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  }

  close(): void {
    this.#isClosed = true;
    const { db } = this.#connection;
    if (!this.#isGenuine) closeUnmodified(db);
    else if (db.isOpen) db.close();
  }

  #load(before: StoreContents | undefined): Loaded {
    for (let left = MAX_ATTEMPTS; ; left -= 1) {
      // A connection without locks keeps to what it has once read.
      const isFresh = before === undefined && left === MAX_ATTEMPTS;
      if (this.#connection.access === "immutable" && !isFresh) this.#reopen();
      const loaded = this.#attempt(before);
      if (loaded !== undefined) return loaded;
      if (left === 0) throw damagedStore("The credential store changes while it is read.");
    }
  }

  /** Undefined when a file without locks was changed while it was read. */
  #attempt(before: StoreContents | undefined): Loaded | undefined {
    const { db, access, version } = this.#connection;
    const from = version();
    try {
      const loaded = transaction(db, "DEFERRED", () => this.#read(before));
      return access === "immutable" && version() !== from ? undefined : loaded;
    } catch (error) {
      if (access === "immutable" && version() !== from) return undefined;
      throw error;
    }
  }

  #read(before: StoreContents | undefined): Loaded {
    // Before the rows: another process may raise the anchor between the two reads, never lower it.
    const anchor = this.#anchor.read();
    const version = this.#connection.version();
    const anchored = (): number | undefined => anchor.generation();
    this.#isGenuine = false;
    const contents = readContents(this.#connection.db, this.#keys, { anchored, before });
    this.#isGenuine = true;
    return { contents, version };
  }

  /** What could not be written when the store was opened may be writable by now. */
  #requireWritable(): void {
    if (this.#connection.access !== "read-write") this.#reopen();
    if (this.#connection.readOnlyReason !== undefined) throw this.#connection.readOnlyReason;
    // A change whose generation never reaches the anchor could be undone by an older copy of the file.
    const error = this.#anchorObstacle();
    if (error !== undefined) throw error;
  }

  #anchorObstacle(): SvcError | undefined {
    try {
      this.#anchor.requireWritable();
      return undefined;
    } catch (error) {
      return readOnlyStore(error);
    }
  }

  #reopen(): void {
    // Closed first: SQLite shares what it knows of a file among the connections of one process.
    if (this.#connection.db.isOpen) this.#connection.db.close();
    this.#isOutdated = true;
    const connection = openConnection(this.#path);
    if (connection === undefined) {
      throw damagedStore("The credential store is gone, but was here before.");
    }
    this.#connection = connection;
  }

  /** A file that was moved away or copied over lives on in our open handle, without the changes of others. */
  #requireSameFile(): void {
    if (inodeOf(this.#path) === this.#inode) return;
    throw new SvcError("CREDENTIAL_STORE", "The credential store was replaced while in use.", {
      hint: "Start svc again.",
    });
  }
}

/** Asked on every call: numbers of Windows alone need big integers, which cost a third of the whole. */
function inodeOf(path: string): bigint | number | undefined {
  return statSync(path, { bigint: process.platform === "win32", throwIfNoEntry: false })?.ino;
}
