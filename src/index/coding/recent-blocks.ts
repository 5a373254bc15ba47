// Bytes that were decompressed lately, of all indexes together.

import { forgetAtRest } from "../../base/at-rest.ts";

/** Keeps up to twice `maxBytes`: once the newer half is full, it becomes the older one, and what was there is forgotten. */
export class RecentBlocks {
  readonly #maxBytes: number;
  #newer = new Map<number, Uint8Array>();
  #older = new Map<number, Uint8Array>();
  #newerBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    forgetAtRest(this);
  }

  readonly forget = (): void => {
    this.#newer = new Map();
    this.#older = new Map();
    this.#newerBytes = 0;
  };

  get(key: number): Uint8Array | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: number, block: Uint8Array): void {
    if (this.#newerBytes > this.#maxBytes) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#newerBytes = 0;
    }
    this.#newer.set(key, block);
    this.#newerBytes += block.length;
  }
}

let nextKey = 0;

/** Returns the first of `count` keys that nobody else uses. */
export function reserveKeys(count: number): number {
  nextKey += count;
  return nextKey - count;
}
