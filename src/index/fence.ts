import { randomUUID } from "node:crypto";

import { SvcError } from "../base/errors.ts";

/**
 * Keeps a writer that has lost its lock from overwriting the work of its successor, for example because the lock file
 * was deleted: the index stores the mark of the last writer that wrote, which is its number and a random id.
 */
export class Fence {
  readonly #mark: string;
  /** Number of this writer: larger than that of each writer that had written when it was opened. */
  readonly number: number;

  /** `last`: the mark in the index; undefined in a new one. */
  constructor(last: string | undefined) {
    this.#mark = markAfter(last);
    this.number = numberIn(this.#mark);
  }

  /**
   * Returns the mark that a transaction of this writer stores, given the mark in the index. Throws INDEX_UNAVAILABLE if
   * another writer has written since.
   */
  markOver(last: string | undefined): string {
    if (last !== this.#mark && numberIn(last) >= this.number) throw writtenByAnother();
    return this.#mark;
  }
}

/** Returns a mark that refuses all writers opened before. */
export function markAfter(last: string | undefined): string {
  return `${numberIn(last) + 1} ${randomUUID()}`;
}

export function writtenByAnother(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Another process has written to the index.", {
    hint: "Run `svc index` again.",
  });
}

function numberIn(mark: string | undefined): number {
  return Number(mark?.split(" ", 1)[0] ?? 0);
}
