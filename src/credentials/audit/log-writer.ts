// Appends to the log of this machine, which several processes share. Invariants under the lock: the
// files hold whole lines up to `#head`, and the head file holds `#head`.
import * as fs from "node:fs";

import { ensurePrivateDirectory } from "../private-files.ts";
import { BrokenChain, catchUp, lastGood, type Position } from "./catch-up.ts";
import { type ChainKey, type LineFields, NO_MAC, sealLine } from "./chain.ts";
import { currentBoot, decodeHead, encodeHead, type Head, HeadFile } from "./head.ts";
import { AuditLock } from "./lock.ts";
import { LogFile } from "./log-file.ts";
import {
  type AuditPlaces,
  headPath,
  lockPath,
  logNumbers,
  logPath,
  openPrivate,
} from "./log-files.ts";

export interface LogWriterOptions extends AuditPlaces {
  readonly key: ChainKey;
  /** When a file is full, 64 MB. */
  readonly fileBytes?: number;
  /** How many files are kept, 8. */
  readonly files?: number;
  /** Told when the log proves to have been tampered with; it goes on in a new file that says so. */
  readonly onBroken: (how: string) => void;
}

interface AppendOptions {
  /** How long to wait for another process, in milliseconds. */
  readonly waitMs: number;
  /** Whether to wait for the disk. */
  readonly isDurable: boolean;
}

interface OpenLog {
  readonly headFile: HeadFile;
  readonly file: LogFile;
}

const FILE_BYTES = 64 * 1024 * 1024;
const FILES = 8;

export class LogWriter {
  readonly #places: AuditPlaces;
  readonly #key: ChainKey;
  readonly #fileBytes: number;
  readonly #files: number;
  readonly #onBroken: (how: string) => void;
  readonly #boot = currentBoot();
  #lock: AuditLock | undefined;
  #log: OpenLog | undefined;
  #head: Head = firstHead(this.#boot);
  #headBytes: Buffer = Buffer.alloc(0);
  #synced = 0;

  constructor({ directory, keyDirectory, key, onBroken, ...limits }: LogWriterOptions) {
    this.#places = { directory, keyDirectory };
    this.#key = key;
    this.#onBroken = onBroken;
    this.#fileBytes = limits.fileBytes ?? FILE_BYTES;
    this.#files = limits.files ?? FILES;
  }

  /** Appends all of the lines, or throws and has appended a part of them at most, in whole lines. */
  append(lines: readonly LineFields[], { waitMs, isDurable }: AppendOptions): void {
    try {
      this.#lock ??= this.#openLock();
      this.#lock.hold(waitMs, () => {
        if (!this.#isCurrent()) this.#open();
        this.#appendFields(lines, isDurable);
      });
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Has the system put on the disk what was appended, without waiting for it. */
  syncLater(): void {
    const log = this.#log;
    const { seq, synced } = this.#head;
    if (log === undefined || seq === synced) return;
    log.file.syncLater(() => {
      // The next head that is written carries the figure.
      if (this.#log === log) this.#synced = Math.max(this.#synced, seq);
    });
  }

  close(): void {
    this.#forget();
    this.#lock?.close();
    this.#lock = undefined;
  }

  #openLock(): AuditLock {
    ensurePrivateDirectory(this.#places.directory);
    ensurePrivateDirectory(this.#places.keyDirectory);
    return new AuditLock(lockPath(this.#places));
  }

  /** True when nothing has happened since, or nothing but appends of other processes. */
  #isCurrent(): boolean {
    const log = this.#log;
    if (log === undefined) return false;
    const bytes = log.headFile.read();
    const head = bytes.equals(this.#headBytes) ? this.#head : decodeHead(this.#key, bytes);
    if (head?.file !== this.#head.file || !log.file.endsAt(head.size)) return false;
    if (head !== this.#head) this.#remember(head, Buffer.from(bytes));
    return true;
  }

  #open(): void {
    this.#forget();
    ensurePrivateDirectory(this.#places.directory);
    const numbers = logNumbers(this.#places);
    const path = headPath(this.#places);
    // Files without a head get a blank one, which the next lines take for an altered one.
    const content =
      numbers.length === 0 ? encodeHead(this.#key, firstHead(this.#boot)) : Buffer.from("\n");
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
      this.#begin(
        headFile,
        before,
        "the head of the log was altered, missing, or of another store",
      );
      return;
    }
    try {
      const found = catchUp({ places: this.#places, key: this.#key, boot: this.#boot }, head);
      // What is there after a restart of the machine is on its disk.
      const synced = head.boot === this.#boot ? head.synced : found.position.seq;
      const next: Head = { ...head, ...found.position, synced, boot: this.#boot };
      if (next.file === 0) this.#begin(headFile, next);
      else this.#use(headFile, next);
      if (found.notes.length > 0) this.#appendFields(found.notes.map(withTime), false);
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      const file = Math.max(head.file, numbers.at(-1) ?? 0);
      this.#begin(headFile, { ...head, file, boot: this.#boot }, error.message);
    }
  }

  /** Where the newest file of a log without a head ends, as far as it can be trusted. */
  #lastLine(numbers: readonly number[]): Position {
    const file = numbers.at(-1) ?? 0;
    const nothing = { seq: 0, mac: NO_MAC, size: 0, file };
    const fd = file === 0 ? undefined : openPrivate(logPath(this.#places, file), "read");
    if (fd === undefined) return nothing;
    try {
      return lastGood(fd, this.#key, file) ?? nothing;
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Goes on in a new file. Its first line carries what is needed to verify it without the ones before. */
  #begin(headFile: HeadFile, before: Head, broken?: string): void {
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
    const created = LogFile.create(logPath(this.#places, file), bytes);
    try {
      headFile.write(headBytes);
    } catch (error) {
      created.discard();
      throw error;
    }
    this.#log = { headFile, file: created };
    this.#remember(head, headBytes);
    // Only now, when the head no longer asks for them.
    for (const number of logNumbers(this.#places)) {
      if (number < oldest) fs.rmSync(logPath(this.#places, number), { force: true });
    }
    if (broken !== undefined) this.#onBroken(broken);
  }

  #use(headFile: HeadFile, head: Head): void {
    const file = LogFile.open(logPath(this.#places, head.file));
    if (file === undefined) throw new BrokenChain("a file is missing");
    this.#log = { headFile, file };
    this.#remember(head, Buffer.alloc(0));
  }

  #appendFields(lines: readonly LineFields[], isDurable: boolean): void {
    let { seq, mac, size } = this.#head;
    let text = "";
    const write = (): void => {
      if (text !== "") this.#write(text, { ...this.#head, seq, mac, size }, isDurable);
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
      this.#remember(head, bytes);
    } catch (error) {
      log.file.cutBack(this.#head.size);
      throw error;
    }
  }

  #rotate(): void {
    const log = this.#log;
    if (log === undefined) throw new Error("The audit log is not open.");
    log.file.sync();
    this.#begin(log.headFile, this.#head);
    log.file.close();
  }

  #remember(head: Head, bytes: Buffer): void {
    this.#head = head;
    this.#headBytes = bytes;
  }

  #forget(): void {
    const log = this.#log;
    this.#log = undefined;
    this.#synced = 0;
    if (log === undefined) return;
    log.file.close();
    log.headFile.close();
  }
}

/** Of a log that has no line yet. */
function firstHead(boot: string): Head {
  return { seq: 0, mac: NO_MAC, file: 0, size: 0, oldest: 1, synced: 0, boot };
}

function withTime(fields: LineFields): LineFields {
  return { time: new Date().toISOString(), ...fields };
}
