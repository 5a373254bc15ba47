// Leases among the processes of one machine. The holder has a lock that the kernel frees when the process dies, and
// writes its reports to a file next to it.

import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from "node:fs";

import { ExclusiveLock, takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { readRegularFile, writeFileAtomic } from "../../base/files.ts";
import { indexLayout, type IndexLayout } from "../../index/embedded/layout.ts";
import { MAX_SILENCE_MS, type Lease, type Leases } from "./port.ts";

const MAX_REPORT_BYTES = 1 << 16;

/** The leases of the namespaces of a data directory. */
export function fileLeases(dataDirectory: string): Leases {
  return {
    leaseOf: (namespace) => new FileLease(indexLayout(dataDirectory, namespace)),
    reportOf: async (namespace) => {
      const layout = indexLayout(dataDirectory, namespace);
      if (!existsSync(layout.leaderLock)) return undefined;
      const release = takeExclusiveLock(layout.leaderLock, 0);
      release?.();
      return release === undefined ? readReport(layout) : undefined;
    },
  };
}

/**
 * Returns the report in `watcher.json`, parsed from JSON; undefined if it is missing, invalid or older than
 * MAX_SILENCE_MS. Does not check whether its process still runs.
 */
export function readReport({ heartbeat }: IndexLayout): unknown {
  try {
    const { mtimeMs } = statSync(heartbeat);
    if (Math.abs(Date.now() - mtimeMs) > MAX_SILENCE_MS) return undefined;
    return JSON.parse(readRegularFile(heartbeat, MAX_REPORT_BYTES)?.toString() ?? "");
  } catch {
    return undefined;
  }
}

class FileLease implements Lease {
  readonly #layout: IndexLayout;
  #lock: ExclusiveLock | undefined;
  /** Inode of the lock file. */
  #inode = 0;
  #isHeld = false;
  /** The last published report. */
  #published = "";

  constructor(layout: IndexLayout) {
    this.#layout = layout;
  }

  readonly tryTake = async (): Promise<boolean> => {
    if (this.#lock !== undefined && this.#inode !== this.#inodeNow()) this.#close();
    if (this.#lock === undefined) {
      mkdirSync(this.#layout.directory, { recursive: true, mode: 0o700 });
      this.#lock = new ExclusiveLock(this.#layout.leaderLock);
      this.#inode = this.#inodeNow();
    }
    this.#isHeld = this.#lock.tryTake();
    return this.#isHeld;
  };

  readonly isValid = async (): Promise<boolean> => this.#isValid();

  readonly publish = async (report: object): Promise<void> => {
    const json = `${JSON.stringify(report)}\n`;
    const { heartbeat } = this.#layout;
    if (json === this.#published) {
      const now = new Date();
      utimesSync(heartbeat, now, now);
    } else writeFileAtomic(heartbeat, json);
    this.#published = json;
  };

  readonly release = async (): Promise<void> => {
    if (this.#isHeld && this.#isValid()) rmSync(this.#layout.heartbeat, { force: true });
    this.#close();
  };

  /** Another process may hold a new lock file. */
  #isValid(): boolean {
    return this.#lock !== undefined && this.#inode === this.#inodeNow();
  }

  #close(): void {
    this.#lock?.close();
    this.#lock = undefined;
    this.#isHeld = false;
    this.#published = "";
  }

  #inodeNow(): number {
    return statSync(this.#layout.leaderLock, { throwIfNoEntry: false })?.ino ?? 0;
  }
}
