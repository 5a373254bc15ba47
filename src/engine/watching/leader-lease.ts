import { mkdirSync, statSync } from "node:fs";

import { ExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";

/** The right to watch a namespace, which one process has at a time. The kernel frees it when the process dies. */
export class LeaderLease {
  readonly #layout: IndexLayout;
  #lock: ExclusiveLock | undefined;
  /** Of the lock's file. */
  #inode = 0;

  constructor(layout: IndexLayout) {
    this.#layout = layout;
  }

  /** Takes it where it is free; costs some microseconds where it is not. Throws what the file system throws. */
  tryTake(): boolean {
    if (this.#lock !== undefined && this.#inode !== this.#inodeNow()) this.release();
    if (this.#lock === undefined) {
      mkdirSync(this.#layout.directory, { recursive: true, mode: 0o700 });
      this.#lock = new ExclusiveLock(this.#layout.leaderLock);
      this.#inode = this.#inodeNow();
    }
    return this.#lock.tryTake();
  }

  /** False once the index was removed, and the lock's file with it: then another may hold a new one. */
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
