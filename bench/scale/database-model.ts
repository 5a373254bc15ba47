import type { Random } from "../quality/random.ts";
import {
  COMMIT_MS,
  HYDRATE_BYTES_PER_MS,
  HYDRATE_DATABASE_CPU_MS_PER_BYTE,
  MAX_COMMITS_PER_SECOND_OF_ONE,
  PUSH_COMMITS,
  PUSH_DATABASE_CPU_MS,
  PUSH_LOG_BYTES,
  SECOND_MS,
} from "./constants.ts";
import type { EventQueue } from "./event-queue.ts";
import { Processors } from "./processors.ts";
import { logNormal } from "./random.ts";
import { SharedLink } from "./shared-link.ts";

interface DatabaseOptions {
  /** Bandwidth for indexes sent to nodes, in bytes per millisecond. */
  readonly bytesPerMs: number;
  readonly random: Random;
}

/** PostgreSQL: the indexes that it sends to nodes, and its commits, which run one after the other. */
export class DatabaseModel {
  readonly #queue: EventQueue;
  readonly #random: Random;
  readonly #link: SharedLink;
  /** Transactions with NOTIFY end one after the other, like work on a single core. */
  readonly #commits: Processors;
  /** Namespace -> number of committed pushes. */
  readonly #pushes = new Map<number, number>();
  #commitCount = 0;
  #pushCount = 0;

  constructor(queue: EventQueue, { bytesPerMs, random }: DatabaseOptions) {
    this.#queue = queue;
    this.#random = random;
    this.#link = new SharedLink(queue, { bytesPerMs, maxBytesPerMsOfOne: HYDRATE_BYTES_PER_MS });
    this.#commits = new Processors(queue, 1);
  }

  get sentBytes(): number {
    return this.#link.totalBytes;
  }

  get commitCount(): number {
    return this.#commitCount;
  }

  /** How long the lock for notifications was held. */
  get commitMs(): number {
    return this.#commits.usedMs;
  }

  get logBytes(): number {
    return this.#pushCount * PUSH_LOG_BYTES;
  }

  /** Processor time of pushes and copies. */
  get usedMs(): number {
    return (
      this.#pushCount * PUSH_DATABASE_CPU_MS + this.sentBytes * HYDRATE_DATABASE_CPU_MS_PER_BYTE
    );
  }

  pushesOf(namespace: number): number {
    return this.#pushes.get(namespace) ?? 0;
  }

  send(bytes: number, done: () => void): void {
    this.#link.transfer(bytes, done);
  }

  /** Makes the commits of one push, one after the other. */
  commitPush(namespace: number, done: () => void): void {
    // 2.75 commits on average.
    const more = this.#random() < PUSH_COMMITS % 1 ? 1 : 0;
    this.#commit(Math.floor(PUSH_COMMITS) + more, () => {
      this.#pushCount += 1;
      this.#pushes.set(namespace, this.pushesOf(namespace) + 1);
      done();
    });
  }

  #commit(count: number, done: () => void): void {
    const earliestMs = this.#queue.nowMs + SECOND_MS / MAX_COMMITS_PER_SECOND_OF_ONE;
    this.#commitCount += 1;
    this.#commits.run(logNormal(COMMIT_MS, this.#random), () => {
      if (count === 1) done();
      else this.#queue.after(earliestMs - this.#queue.nowMs, () => this.#commit(count - 1, done));
    });
  }
}
