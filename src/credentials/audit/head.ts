// How far the log had got, kept outside of its directory: lines cut off its end are missed.
import * as fs from "node:fs";
import { uptime } from "node:os";

import { createPrivateFile, isErrno } from "../private-files.ts";
import type { ChainKey } from "./chain.ts";
import { openPrivate } from "./log-files.ts";

export interface Head {
  /** Of the last line. */
  readonly seq: number;
  readonly mac: string;
  /** Number of the file it stands in, and that file's size in bytes up to its end. */
  readonly file: number;
  readonly size: number;
  /** Number of the oldest file that must be there. */
  readonly oldest: number;
  /** Up to this line the log is known to be on the disk: a power cut may take later ones. */
  readonly synced: number;
  /** Names the run of the machine in which the head was written. */
  readonly boot: string;
  /** The highest generation of the credential store that a line of the log says was committed. */
  readonly generation: number;
}

/** A head that svc 0.8 or older wrote knows of no commit. */
const NO_GENERATION = { generation: 0 };
/** One sector: overwritten in place, it is never half old and half new. */
const BYTES = 512;
/** By how much two guesses at the time of one start may differ. */
const BOOT_TOLERANCE_MS = 60_000;

export function encodeHead(key: ChainKey, head: Head): Buffer {
  const text = JSON.stringify(head);
  return Buffer.from(`${`${text} ${key.head(text)}`.padEnd(BYTES - 1)}\n`);
}

/** Undefined for what this key did not write. */
export function decodeHead(key: ChainKey, bytes: Buffer): Head | undefined {
  const record = bytes.toString("latin1").trimEnd();
  const at = record.lastIndexOf(" ");
  const text = record.slice(0, at);
  if (at === -1 || key.head(text) !== record.slice(at + 1)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its MAC shows that `encodeHead` wrote it
  return { ...NO_GENERATION, ...(JSON.parse(text) as Head) };
}

/** An open head file. */
export class HeadFile {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(BYTES);

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** Undefined when there is none. */
  static open(path: string, purpose: "read" | "write"): HeadFile | undefined {
    const fd = openPrivate(path, purpose);
    return fd === undefined ? undefined : new HeadFile(fd);
  }

  static create(path: string, content: Buffer): HeadFile {
    createPrivateFile(path, content.toString("latin1"));
    const file = HeadFile.open(path, "write");
    if (file === undefined) throw new Error("The head of the audit log vanished.");
    return file;
  }

  /** What is there now; the same buffer each time. */
  read(): Buffer {
    const length = fs.readSync(this.#fd, this.#buffer, 0, BYTES, 0);
    return length === BYTES ? this.#buffer : this.#buffer.subarray(0, length);
  }

  write(content: Buffer): void {
    fs.writeSync(this.#fd, content, 0, content.length, 0);
  }

  close(): void {
    fs.closeSync(this.#fd);
  }
}

/** Names this run of the machine: by the kernel's own name for it, elsewhere by when it began. */
export function currentBoot(): string {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "EACCES")) throw error;
    return `~${Math.round(Date.now() - uptime() * 1000)}`;
  }
}

export function isSameBoot(a: string, b: string): boolean {
  if (!a.startsWith("~") || !b.startsWith("~")) return a === b;
  return Math.abs(Number(a.slice(1)) - Number(b.slice(1))) < BOOT_TOLERANCE_MS;
}
