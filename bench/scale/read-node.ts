import type { Random } from "../quality/random.ts";
import {
  APPLY_CPU_MS,
  HYDRATE_BYTES_PER_CPU_MS,
  MAX_CALL_MS,
  MAX_CALLS_OF_PROCESS,
  MAX_QUEUE_MS,
  measuredSlowdown,
  POOL_CONNECTIONS,
  PUSH_LOG_BYTES,
  QUESTION_CPU_MS,
  QUESTION_CPU_MS_PER_BYTE,
  QUESTION_FACTOR,
  TEXT_CPU_MS,
} from "./constants.ts";
import { Copies } from "./copies.ts";
import type { DatabaseModel } from "./database-model.ts";
import type { EventQueue } from "./event-queue.ts";
import { Fifo } from "./fifo.ts";
import { Processors } from "./processors.ts";
import { logNormal } from "./random.ts";
import { indexBytesOf, type Repositories } from "./repositories.ts";

export interface Question {
  readonly namespace: number;
  readonly askedMs: number;
  /** Called once; `isAnswered` is false if the node refused the question or gave it up. */
  readonly settle: (isAnswered: boolean) => void;
}

export interface ReadNodeParts {
  readonly queue: EventQueue;
  readonly database: DatabaseModel;
  readonly repositories: Repositories;
  readonly random: Random;
  readonly cores: number;
  readonly maxCopiesBytes: number;
}

/** Questions that wait for the copy of a namespace. */
type Waiting = Set<Question>;

/** A machine that answers questions: a process of svc for each core, and one folder with the copies of all. */
export class ReadNodeModel {
  readonly copies: Copies;
  readonly #parts: ReadNodeParts;
  readonly #processors: Processors;
  /** Questions that the node has accepted and not answered. */
  readonly #taken = new Set<Question>();
  readonly #queued = new Fifo<Question>();
  /** Namespace -> questions that wait until its copy exists or has all commits. */
  readonly #bringing = new Map<number, Waiting>();
  /** Copies that wait for a connection. */
  readonly #wanted = new Fifo<() => void>();
  #connections = 0;
  #isUp = true;
  isListed = true;
  /** Number of questions, and of those without a copy. */
  asked = 0;
  missed = 0;
  hydratedBytes = 0;

  constructor(parts: ReadNodeParts) {
    this.#parts = parts;
    this.copies = new Copies(parts.maxCopiesBytes, parts.repositories.count);
    this.#processors = new Processors(parts.queue, parts.cores, measuredSlowdown);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get calls(): number {
    return this.#taken.size + this.#queued.size;
  }

  get usedMs(): number {
    return this.#processors.usedMs;
  }

  /** Marks the node as lost. Returns the questions that it has not answered. */
  lose(): readonly Question[] {
    this.#isUp = false;
    const lost = [...this.#taken];
    for (let next = this.#queued.take(); next; next = this.#queued.take()) lost.push(next);
    this.#taken.clear();
    return lost;
  }

  ask(question: Question): void {
    if (this.#taken.size < MAX_CALLS_OF_PROCESS * this.#parts.cores) this.#take(question);
    else this.#queued.add(question);
  }

  #take(question: Question): void {
    const { queue, database } = this.#parts;
    const { namespace } = question;
    this.#taken.add(question);
    this.asked += 1;
    const shown = this.copies.use(namespace, queue.nowMs);
    const bringing = this.#bringing.get(namespace);
    if (shown === undefined) this.missed += 1;
    if (bringing !== undefined) this.#waitFor(question, bringing);
    else if (shown === undefined) this.#hydrate(question);
    else if (shown < database.pushesOf(namespace)) this.#apply(question, shown);
    else this.#answer(question);
  }

  #answer(question: Question): void {
    const { random, repositories } = this.#parts;
    const sourceBytes = repositories.sourceBytes[question.namespace] ?? 0;
    const meanMs = QUESTION_CPU_MS + sourceBytes * QUESTION_CPU_MS_PER_BYTE;
    const cpuMs = meanMs * logNormal(QUESTION_FACTOR, random) + TEXT_CPU_MS;
    this.#processors.run(cpuMs, () => this.#end(question, true));
  }

  /** The question gives its place to the next waiting one. */
  #end(question: Question, isAnswered: boolean): void {
    if (!this.#taken.delete(question)) return;
    question.settle(isAnswered);
    for (let next = this.#queued.take(); next; next = this.#queued.take()) {
      if (this.#parts.queue.nowMs - next.askedMs <= MAX_QUEUE_MS) {
        this.#take(next);
        return;
      }
      next.settle(false);
    }
  }

  #waitFor(question: Question, bringing: Waiting): void {
    const { queue } = this.#parts;
    bringing.add(question);
    queue.after(question.askedMs + MAX_CALL_MS - queue.nowMs, () => {
      if (bringing.delete(question)) this.#end(question, false);
    });
  }

  /** Fetches a copy of the namespace from the database. It holds a connection meanwhile. */
  #hydrate(question: Question): void {
    const { namespace } = question;
    const { queue, database, repositories } = this.#parts;
    const bringing = this.#bring(question);
    const bytes = indexBytesOf(repositories, namespace);
    const begin = (): void => {
      this.#connections += 1;
      const pushes = database.pushesOf(namespace);
      this.#bringOver(bytes, bytes / HYDRATE_BYTES_PER_CPU_MS, () => {
        this.#connections -= 1;
        this.#wanted.take()?.();
        this.hydratedBytes += bytes;
        this.copies.add(namespace, { bytes, pushes }, queue.nowMs);
        this.#brought(namespace, bringing);
      });
    };
    if (this.#connections < POOL_CONNECTIONS * this.#parts.cores) begin();
    else this.#wanted.add(begin);
  }

  /** Applies the commits that the copy lacks together, so that common work happens once. */
  #apply(question: Question, shown: number): void {
    const { namespace } = question;
    const pushes = this.#parts.database.pushesOf(namespace);
    const bringing = this.#bring(question);
    this.#bringOver((pushes - shown) * PUSH_LOG_BYTES, APPLY_CPU_MS, () => {
      this.copies.update(namespace, pushes);
      this.#brought(namespace, bringing);
    });
  }

  #bring(question: Question): Waiting {
    const bringing: Waiting = new Set();
    this.#bringing.set(question.namespace, bringing);
    this.#waitFor(question, bringing);
    return bringing;
  }

  /** The bytes arrive while a processor of the node works on them. */
  #bringOver(bytes: number, cpuMs: number, done: () => void): void {
    let open = 2;
    const end = (): void => {
      open -= 1;
      if (open === 0 && this.#isUp) done();
    };
    this.#parts.database.send(bytes, end);
    this.#processors.run(cpuMs, end);
  }

  #brought(namespace: number, bringing: Waiting): void {
    this.#bringing.delete(namespace);
    for (const question of bringing) this.#answer(question);
    bringing.clear();
  }
}
