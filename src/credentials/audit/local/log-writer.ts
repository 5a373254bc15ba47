// Appends to the log of this machine, which several processes share. Invariants while the lock is held: the files
// contain whole lines up to `#head`, and the head file contains `#head`.
import * as fs from "node:fs";

import type { LogEnd, StoreHistory } from "./store-history.ts";
import { ensureCheckedDirectory } from "../../private-files.ts";
import {
  BrokenChainError,
  recoverLog,
  lastValidPosition,
  type LogPosition,
} from "./recover-log.ts";
import { type ChainKey, type LineFields, NO_MAC, sealLine } from "../chain.ts";
import { committedBy } from "../commit-line.ts";
import { currentBoot, decodeHead, encodeHead, type Head, HeadFile } from "./head.ts";
import { AuditLock } from "./lock.ts";
import { LogFile } from "./log-file.ts";
import {
  type AuditDirectories,
  headPath,
  lockPath,
  logNumbers,
  logPath,
  MAX_FILE_BYTES,
  openPrivate,
} from "./log-files.ts";

export interface LogWriterOptions extends AuditDirectories {
  readonly key: ChainKey;
  /** Size in bytes at which a new file is started; 64 MB by default. */
  readonly fileBytes?: number;
  /** Number of files kept; 8 by default. */
  readonly files?: number;
  /** The state of the log that the credential store remembers. */
  readonly known?: StoreHistory;
  /**
   * Called when the log proves to be tampered with. Logging then continues in a new file, whose first line says so.
   */
  readonly onBroken: (how: string) => void;
}

interface AppendOptions {
  /** How long to wait for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** Whether to wait until the lines are on disk. */
  readonly isDurable: boolean;
}

interface OpenLog {
  readonly headFile: HeadFile;
  readonly file: LogFile;
}

const MAX_FILES = 8;

/** Appends lines to the audit log, under a lock that all processes share. */
export class LogWriter {
  readonly #directories: AuditDirectories;
  readonly #key: ChainKey;
  readonly #fileBytes: number;
  readonly #files: number;
  readonly #onBroken: (how: string) => void;
  readonly #known: StoreHistory;
  readonly #boot = currentBoot();
  #lock: AuditLock | undefined;
  #log: OpenLog | undefined;
  #head: Head = firstHead(this.#boot);
  #headBytes: Buffer = Buffer.alloc(0);
  #synced = 0;

  constructor({ directory, keyDirectory, key, onBroken, ...limits }: LogWriterOptions) {
    this.#directories = { directory, keyDirectory };
    this.#key = key;
    this.#onBroken = onBroken;
    this.#known = limits.known ?? { line: undefined, generation: 0 };
    this.#fileBytes = limits.fileBytes ?? MAX_FILE_BYTES;
    this.#files = limits.files ?? MAX_FILES;
  }

  /** The end of the log as this process last saw it, but never before the one that the store remembers. */
  get #lastKnown(): Pick<Head, "seq" | "generation"> {
    return {
      seq: Math.max(this.#head.seq, this.#known.line?.seq ?? 0),
      generation: Math.max(this.#head.generation, this.#known.generation),
    };
  }

  /**
   * Appends all lines and returns the new end of the log. On failure it throws; then at most some of the lines,
   * each of them whole, were appended.
   */
  append(lines: readonly LineFields[], { waitMs, isDurable }: AppendOptions): LogEnd {
    try {
      this.#lock ??= this.#openLock();
      return this.#lock.hold(waitMs, () => {
        if (!this.#isCurrent()) this.#open();
        this.#appendFields(lines, isDurable);
        return this.#head;
      });
    } catch (error) {
      this.#closeFiles();
      throw error;
    }
  }

  /** Starts to sync the appended lines to disk, without waiting for it. */
  syncLater(): void {
    const log = this.#log;
    const { seq, synced } = this.#head;
    if (log === undefined || seq === synced) return;
    log.file.syncLater(() => {
      // The next head written contains the new value.
      if (this.#log === log) this.#synced = Math.max(this.#synced, seq);
    });
  }

  close(): void {
    this.#closeFiles();
    this.#lock?.close();
    this.#lock = undefined;
  }

  #openLock(): AuditLock {
    ensureCheckedDirectory(this.#directories.directory);
    ensureCheckedDirectory(this.#directories.keyDirectory);
    return new AuditLock(lockPath(this.#directories));
  }

  /** True when nothing has changed since, or when other processes only appended. */
  #isCurrent(): boolean {
    const log = this.#log;
    if (log === undefined) return false;
    const bytes = log.headFile.read();
    const head = bytes.equals(this.#headBytes) ? this.#head : decodeHead(this.#key, bytes);
    if (head?.file !== this.#head.file || head.seq < this.#head.seq) return false;
    if (!log.file.endsAt(head.size)) return false;
    if (head !== this.#head) this.#setHead(head, Buffer.from(bytes));
    return true;
  }

  #open(): void {
    this.#closeFiles();
    ensureCheckedDirectory(this.#directories.directory);
    const numbers = logNumbers(this.#directories);
    const path = headPath(this.#directories);
    // Log files without a head get a blank one, which `#resume` treats as altered. So does a log that has
    // disappeared.
    const isFirst = numbers.length === 0 && this.#lastKnown.seq === 0;
    const content = isFirst ? encodeHead(this.#key, firstHead(this.#boot)) : Buffer.from("\n");
    const headFile = HeadFile.open(path, "write") ?? HeadFile.create(path, content);
    try {
      this.#resume(headFile, numbers);
    } catch (error) {
      if (this.#log === undefined) headFile.close();
      throw error;
    }
  }

  #resume(headFile: HeadFile, numbers: readonly number[]): void {
    const head = decodeHead(this.#key, headFile.read());
    if (head === undefined) {
      const last = this.#lastLine(numbers);
      const before = { ...last, oldest: numbers[0] ?? 1, synced: 0, boot: this.#boot };
      const why =
        numbers.length === 0 && this.#lastKnown.seq > 0
          ? `the log was gone; its last known line was ${this.#lastKnown.seq}`
          : "the head of the log was altered, was missing, or belonged to another store";
      this.#startFile(headFile, before, why);
      return;
    }
    try {
      const found = recoverLog(
        { places: this.#directories, key: this.#key, boot: this.#boot },
        head,
      );
      const { seq } = found.position;
      if (seq < this.#lastKnown.seq) {
        throw new BrokenChainError(
          `the log ended at line ${seq}, but line ${this.#lastKnown.seq} was there before`,
        );
      }
      // Everything that survived a restart of the machine is on disk.
      const synced = head.boot === this.#boot ? head.synced : found.position.seq;
      const next: Head = { ...head, ...found.position, synced, boot: this.#boot };
      if (next.file === 0) this.#startFile(headFile, next);
      else this.#continueFile(headFile, next);
      if (found.notes.length > 0) this.#appendFields(found.notes.map(withTime), false);
    } catch (error) {
      if (!(error instanceof BrokenChainError)) throw error;
      const file = Math.max(head.file, numbers.at(-1) ?? 0);
      this.#startFile(headFile, { ...head, file, boot: this.#boot }, error.message);
    }
  }

  /** Returns the end of the newest file of a log without a valid head, up to its last valid line. */
  #lastLine(numbers: readonly number[]): LogPosition {
    const file = numbers.at(-1) ?? 0;
    const nothing = { seq: 0, mac: NO_MAC, size: 0, file, generation: 0 };
    const fd = file === 0 ? undefined : openPrivate(logPath(this.#directories, file), "read");
    if (fd === undefined) return nothing;
    try {
      return lastValidPosition(fd, this.#key, file) ?? nothing;
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Starts a new file. Its first line contains the MAC needed to verify the file without the earlier ones. */
  #startFile(headFile: HeadFile, end: Head, broken?: string): void {
    const before = broken === undefined ? end : this.#advanceToKnown(end);
    const file = before.file + 1;
    const { text, mac } = sealLine(
      this.#key,
      { seq: before.seq + 1, previous: before.mac },
      withTime({
        event: "log.file",
        file,
        previous: before.mac,
        ...(broken === undefined ? {} : { broken }),
      }),
    );
    const bytes = Buffer.from(text);
    const oldest = Math.max(before.oldest, file - this.#files + 1);
    const seq = before.seq + 1;
    const head = { ...before, seq, mac, file, size: bytes.length, oldest, synced: seq };
    const headBytes = encodeHead(this.#key, head);
    const created = LogFile.create(logPath(this.#directories, file), bytes);
    try {
      headFile.write(headBytes);
    } catch (error) {
      created.discard();
      throw error;
    }
    this.#log = { headFile, file: created };
    this.#setHead(head, headBytes);
    // Only after the head has been written, which no longer requires these files.
    for (const number of logNumbers(this.#directories)) {
      if (number < oldest) fs.rmSync(logPath(this.#directories, number), { force: true });
    }
    if (broken !== undefined) this.#onBroken(broken);
  }

  /**
   * A log that lost lines continues after their numbers and keeps the highest commit: an older store must not pass
   * for the newest.
   */
  #advanceToKnown(end: Head): Head {
    const { seq, generation } = this.#lastKnown;
    return {
      ...end,
      seq: Math.max(end.seq, seq),
      generation: Math.max(end.generation, generation),
    };
  }

  #continueFile(headFile: HeadFile, head: Head): void {
    const file = LogFile.open(logPath(this.#directories, head.file));
    if (file === undefined) throw new BrokenChainError("a file is missing");
    this.#log = { headFile, file };
    this.#setHead(head, Buffer.alloc(0));
  }

  #appendFields(lines: readonly LineFields[], isDurable: boolean): void {
    let { seq, mac, size, generation } = this.#head;
    let text = "";
    const write = (): void => {
      if (text !== "") this.#write(text, { ...this.#head, seq, mac, size, generation }, isDurable);
      text = "";
    };
    for (const fields of lines) {
      let sealed = sealLine(this.#key, { seq: seq + 1, previous: mac }, fields);
      if (size + Buffer.byteLength(sealed.text) > this.#fileBytes) {
        write();
        this.#rotate();
        ({ seq, mac, size } = this.#head);
        sealed = sealLine(this.#key, { seq: seq + 1, previous: mac }, fields);
      }
      text += sealed.text;
      size += Buffer.byteLength(sealed.text);
      ({ mac } = sealed);
      seq += 1;
      generation = Math.max(generation, committedBy(fields));
    }
    write();
  }

  #write(text: string, next: Head, isDurable: boolean): void {
    const log = this.#log;
    if (log === undefined) throw new Error("The audit log is not open.");
    try {
      log.file.append(Buffer.from(text));
      if (isDurable) log.file.sync();
      const synced = isDurable ? next.seq : Math.max(next.synced, this.#synced);
      const head = { ...next, synced };
      const bytes = encodeHead(this.#key, head);
      log.headFile.write(bytes);
      this.#setHead(head, bytes);
    } catch (error) {
      log.file.truncate(this.#head.size);
      throw error;
    }
  }

  #rotate(): void {
    const log = this.#log;
    if (log === undefined) throw new Error("The audit log is not open.");
    log.file.sync();
    this.#startFile(log.headFile, this.#head);
    log.file.close();
  }

  #setHead(head: Head, bytes: Buffer): void {
    this.#head = head;
    this.#headBytes = bytes;
  }

  #closeFiles(): void {
    const log = this.#log;
    this.#log = undefined;
    this.#synced = 0;
    if (log === undefined) return;
    log.file.close();
    log.headFile.close();
  }
}

/** The head of a log without lines. */
function firstHead(boot: string): Head {
  return { seq: 0, mac: NO_MAC, file: 0, size: 0, oldest: 1, synced: 0, boot, generation: 0 };
}

function withTime(fields: LineFields): LineFields {
  return { time: new Date().toISOString(), ...fields };
}
