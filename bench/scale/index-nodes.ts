import type { Random } from "../quality/random.ts";
import { PUSH_CPU_MS, PUSH_CPU_MS_PER_BYTE, UPDATE_POLL_MS } from "./constants.ts";
import type { DatabaseModel } from "./database-model.ts";
import type { EventQueue } from "./event-queue.ts";
import { Fifo } from "./fifo.ts";

interface IndexNodesOptions {
  readonly nodes: number;
  readonly cores: number;
  readonly random: Random;
  /** Size of the sources of a namespace. */
  readonly bytesOf: (namespace: number) => number;
}

interface Update {
  readonly namespace: number;
  readonly requestedMs: number;
  isRunning: boolean;
  /** The time of a push that this update does not include; undefined if there was none. */
  requestedAgainMs: number | undefined;
}

/**
 * The queue of updates, and the nodes that run them: one update of a namespace at a time, and one fewer than its cores
 * on each node.
 */
export class IndexNodes {
  readonly #queue: EventQueue;
  readonly #database: DatabaseModel;
  readonly #options: IndexNodesOptions;
  readonly #waiting = new Fifo<Update>();
  readonly #open = new Map<number, Update>();
  /** Times from the first push of an update until its last commit. */
  readonly lagsMs: number[] = [];
  #usedMs = 0;

  constructor(queue: EventQueue, database: DatabaseModel, options: IndexNodesOptions) {
    this.#queue = queue;
    this.#database = database;
    this.#options = options;
    for (let node = 0; node < options.nodes; node += 1) {
      const running = { count: 0 };
      queue.after(options.random() * UPDATE_POLL_MS, () => this.#poll(running));
    }
  }

  /** Processor time of updates that have begun. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /**
   * Adds a push. If an update of the namespace waits, it includes this push too; if one runs, another one follows it.
   */
  push(namespace: number): void {
    const open = this.#open.get(namespace);
    if (open === undefined) this.#request(namespace, this.#queue.nowMs);
    else if (open.isRunning) open.requestedAgainMs ??= this.#queue.nowMs;
  }

  #request(namespace: number, requestedMs: number): void {
    const update = { namespace, requestedMs, isRunning: false, requestedAgainMs: undefined };
    this.#open.set(namespace, update);
    this.#waiting.add(update);
  }

  /** A node takes updates for its free cores, and checks again a second later or when an update has ended. */
  #poll(running: { count: number }): void {
    this.#take(running);
    this.#queue.after(UPDATE_POLL_MS, () => this.#poll(running));
  }

  #take(running: { count: number }): void {
    while (running.count < this.#options.cores - 1) {
      const update = this.#waiting.take();
      if (update === undefined) return;
      running.count += 1;
      this.#run(update, () => {
        running.count -= 1;
        this.#take(running);
      });
    }
  }

  #run(update: Update, free: () => void): void {
    const { namespace, requestedMs } = update;
    update.isRunning = true;
    const cpuMs = PUSH_CPU_MS + this.#options.bytesOf(namespace) * PUSH_CPU_MS_PER_BYTE;
    this.#usedMs += cpuMs;
    this.#queue.after(cpuMs, () =>
      this.#database.commitPush(namespace, () => {
        free();
        this.lagsMs.push(this.#queue.nowMs - requestedMs);
        this.#open.delete(namespace);
        if (update.requestedAgainMs !== undefined) {
          this.#request(namespace, update.requestedAgainMs);
        }
      }),
    );
  }
}
