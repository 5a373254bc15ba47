import { mkdirSync, statSync } from "node:fs";

import { ExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";

/** The right to watch a namespace, held by one process at a time. The kernel frees it when the process dies. */
export class LeaderLease {
  readonly #layout: IndexLayout;
  #lock: ExclusiveLock | undefined;
  /** Inode of the lock file. */
  #inode = 0;

  constructor(layout: IndexLayout) {
    this.#layout = layout;
  }

  /** Takes the lease when it is free; a failed attempt takes microseconds. Throws errors of the file system. */
  tryTake(): boolean {
    if (this.#lock !== undefined && this.#inode !== this.#inodeNow()) this.release();
    if (this.#lock === undefined) {
      mkdirSync(this.#layout.directory, { recursive: true, mode: 0o700 });
      this.#lock = new ExclusiveLock(this.#layout.leaderLock);
      this.#inode = this.#inodeNow();
    }
    return this.#lock.tryTake();
  }

  /** False when the index was removed with the lock file: another process may hold a new lock. */
  isValid(): boolean {
    return this.#lock !== undefined && this.#inode === this.#inodeNow();
  }

  release(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }

  #inodeNow(): number {
    return statSync(this.#layout.leaderLock, { throwIfNoEntry: false })?.ino ?? 0;
  }
}
