// One process's access to the store's file: reads it whole when another process has changed it, writes it under
// SQLite's lock, and checks it against the anchor each time.
import { statSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
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
  /** True: the file is never opened for writing. */
  readonly isReadOnly: boolean;
}

interface Change<T> extends NextStoreContents {
  readonly result: T;
}

interface Loaded {
  readonly contents: StoreContents;
  /** Version of the connection when the contents were read. */
  readonly version: string | number;
}

/** How often a file without locks is reread because it changed during the read. */
const MAX_ATTEMPTS = 5;

// Invariant: `#loaded` has passed every check and equals the file at that version.
export class StoreReader {
  readonly #path: string;
  readonly #inode: bigint | number | undefined;
  readonly #keys: SubKeys;
  readonly #anchor: Anchor;
  readonly #isReadOnly: boolean;
  #connection: StoreConnection;
  #loaded: Loaded;
  /** True from reopening the file until it has been read: versions of two connections cannot be compared. */
  #isOutdated = false;
  #isClosed = false;
  /** False while content that has been read has not yet passed every check. */
  #isGenuine = false;

  /** Reads and checks the whole file. Throws CREDENTIAL_STORE and DataKeyChangedError. */
  constructor({ path, connection, keys, anchor, isReadOnly }: FileParts) {
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#keys = keys;
    this.#anchor = anchor;
    this.#isReadOnly = isReadOnly;
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
    return this.#connection.access !== "read-write" || this.#anchorError() !== undefined;
  }

  /** Returns the current content of the file. Throws CREDENTIAL_STORE and DataKeyChangedError. */
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

  /**
   * Makes a change as a whole or not at all; an exception from `work` undoes it. Throws CREDENTIAL_STORE and
   * STORAGE_FULL.
   */
  change<T>(work: (before: StoreContents) => Change<T>): T {
    this.#requireSameFile();
    this.#requireWritable();
    const { db } = this.#connection;
    const { loaded, result } = transaction(db, "IMMEDIATE", () => {
      // Read again even if the version is unchanged: the new MAC must not cover rows that were altered without
      // SQLite.
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

  /** Raises the anchor to the generation last read or written. Throws the file system's errors. */
  raiseAnchor(): void {
    const { generation } = this.#loaded.contents.header;
    if (this.#anchor.read().isExactly(generation)) return;
    if (this.#connection.access !== "read-write") return;
    // Under the write lock, so that no process replaces a higher number by a lower one.
    this.exclusively(() => {
      const reading = this.#anchor.read();
      const reached = Math.max(generation, reading.generation() ?? 0);
      if (!reading.isExactly(reached)) this.#anchor.write(reached);
    });
  }

  /**
   * Runs `work` while no process can change the store, and returns true. Returns false without running it when the
   * store has got another data key: its key file and anchor are then no longer this process's to change.
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

  /** Checkpoints and truncates the WAL unless a reader prevents it, so that no older content stays in it. */
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
      // A connection without locks keeps what it has read once.
      const isFresh = before === undefined && left === MAX_ATTEMPTS;
      if (this.#connection.access === "immutable" && !isFresh) this.#reopen();
      const loaded = this.#attempt(before);
      if (loaded !== undefined) return loaded;
      if (left === 0) throw damagedStore("The credential store changes while it is read.");
    }
  }

  /** Returns undefined when a file without locks changed during the read. */
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
    // Read the anchor before the rows: meanwhile another process may raise it, but never lower it.
    const anchor = this.#anchor.read();
    const version = this.#connection.version();
    const anchored = (): number | undefined => anchor.generation();
    this.#isGenuine = false;
    const contents = readContents(this.#connection.db, this.#keys, { anchored, before });
    this.#isGenuine = true;
    return { contents, version };
  }

  /** A store that was not writable when it was opened may be writable now. */
  #requireWritable(): void {
    if (this.#connection.access !== "read-write") this.#reopen();
    if (this.#connection.readOnlyReason !== undefined) throw this.#connection.readOnlyReason;
    // If the generation of a change never reached the anchor, an older copy of the file could undo the change.
    const error = this.#anchorError();
    if (error !== undefined) throw error;
  }

  #anchorError(): SvcError | undefined {
    try {
      this.#anchor.requireWritable();
      return undefined;
    } catch (error) {
      return readOnlyStore(error);
    }
  }

  #reopen(): void {
    // Close first: SQLite shares its state of a file among the connections of one process.
    if (this.#connection.db.isOpen) this.#connection.db.close();
    this.#isOutdated = true;
    const connection = openConnection(this.#path, this.#isReadOnly);
    if (connection === undefined) {
      throw damagedStore("The credential store is gone, but was here before.");
    }
    this.#connection = connection;
  }

  /** If the file was moved or replaced, the open handle still reads the old one, without the changes of others. */
  #requireSameFile(): void {
    if (inodeOf(this.#path) === this.#inode) return;
    throw new SvcError("CREDENTIAL_STORE", "The credential store was replaced while in use.", {
      hint: "Start svc again.",
    });
  }
}

/** Runs on every call. Only Windows needs big integers, which cost a third of the total. */
function inodeOf(path: string): bigint | number | undefined {
  return statSync(path, { bigint: process.platform === "win32", throwIfNoEntry: false })?.ino;
}
