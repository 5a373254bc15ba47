// The end of the log, stored outside the log's directory: it shows when lines were cut off.
import * as fs from "node:fs";
import { uptime } from "node:os";

import { createPrivateFile, isErrno } from "../../private-files.ts";
import type { ChainKey } from "../chain.ts";
import { openPrivate } from "./log-files.ts";

/** The end of the log, as the head file stores it. */
export interface Head {
  /** Number of the last line. */
  readonly seq: number;
  /** MAC of the last line: 64 hexadecimal digits. */
  readonly mac: string;
  /** Number of the file that contains that line, and the offset in bytes where the line ends. */
  readonly file: number;
  readonly size: number;
  /** Number of the oldest file that must exist. */
  readonly oldest: number;
  /** Lines up to this one are known to be on disk; a power cut may lose later ones. */
  readonly synced: number;
  /** Identifies the boot of the machine during which the head was written. */
  readonly boot: string;
  /** The highest store generation that the log records as committed. */
  readonly generation: number;
}

/** A head written by svc 0.8 or older has no generation. */
const NO_GENERATION = { generation: 0 };
/** One sector: an overwrite in place is never half old and half new. */
const BYTES = 512;
/** Maximum difference between two estimates of the same boot time. */
const BOOT_TOLERANCE_MS = 60_000;

/** Returns the 512 bytes of the head file, with a MAC. */
export function encodeHead(key: ChainKey, head: Head): Buffer {
  const text = JSON.stringify(head);
  return Buffer.from(`${`${text} ${key.head(text)}`.padEnd(BYTES - 1)}\n`);
}

/** Returns undefined when `bytes` were not written with this key. */
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

  /** Returns undefined when there is no such file. */
  static open(path: string, purpose: "read" | "write"): HeadFile | undefined {
    const fd = openPrivate(path, purpose);
    return fd === undefined ? undefined : new HeadFile(fd);
  }

  /** Creates the head file and opens it. Throws the file system's errors. */
  static create(path: string, content: Buffer): HeadFile {
    createPrivateFile(path, content.toString("latin1"));
    const file = HeadFile.open(path, "write");
    if (file === undefined) throw new Error("The head of the audit log vanished.");
    return file;
  }

  /** Returns the current content, always in the same buffer. */
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

/** Identifies this boot: by the kernel's boot id, else by the estimated boot time. */
export function currentBoot(): string {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "EACCES")) throw error;
    return `~${Math.round(Date.now() - uptime() * 1000)}`;
  }
}

/** Returns true when both names identify the same boot. Estimated times may differ by a minute. */
export function isSameBoot(a: string, b: string): boolean {
  if (!a.startsWith("~") || !b.startsWith("~")) return a === b;
  return Math.abs(Number(a.slice(1)) - Number(b.slice(1))) < BOOT_TOLERANCE_MS;
}
