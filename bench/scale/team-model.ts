// A team in its busiest hour: questions and pushes as random events, read nodes, index nodes and the database.
import { seededRandom, type Random } from "../quality/random.ts";
import { NODE_COPIES_BYTES, NODE_CORES, NODES_OF_NAMESPACE, RETRY_MS } from "./assumptions.ts";
import { randomBalancer, rendezvousBalancer, type Balancer } from "./balancer.ts";
import { SECOND_MS, TEXT_BYTES } from "./constants.ts";
import { DatabaseModel } from "./database-model.ts";
import { EventQueue } from "./event-queue.ts";
import { IndexNodes } from "./index-nodes.ts";
import { Latencies } from "./latencies.ts";
import { Placement } from "./placement.ts";
import { exponential } from "./random.ts";
import { ReadNodeModel, type Question } from "./read-node.ts";
import { pushesPerMs, questionsPerMs, type Repositories } from "./repositories.ts";
import { warmCopies } from "./warm-copies.ts";

export type BalancerKind = "rendezvous" | "random";

export interface TeamOptions {
  readonly repositories: Repositories;
  readonly seed: string;
  readonly readNodes: number;
  readonly indexNodes: number;
  /** Cores of a read node. */
  readonly cores?: number;
  readonly balancer?: BalancerKind;
  /** Limit of the copies of a node. */
  readonly copiesBytes?: number;
  /** Bytes that the database, or another store, sends per millisecond. */
  readonly bytesPerMs: number;
  /** If false, all nodes begin without copies. */
  readonly isWarm: boolean;
}

export const WINDOW_MS = 10 * SECOND_MS;
/** The repository with the most questions. */
export const POPULAR = 0;

export class Team {
  readonly queue = new EventQueue();
  readonly latencies = new Latencies(WINDOW_MS);
  /** Times of the questions about the most used repository. */
  readonly popularLatencies = new Latencies(WINDOW_MS);
  readonly database: DatabaseModel;
  readonly readNodes: readonly ReadNodeModel[];
  readonly indexNodes: IndexNodes;
  readonly #options: TeamOptions;
  readonly #balancer: Balancer;

  constructor(options: TeamOptions) {
    const { repositories, copiesBytes = NODE_COPIES_BYTES, balancer = "rendezvous" } = options;
    this.#options = options;
    const texts = questionsPerMs(repositories.count) * TEXT_BYTES;
    this.database = new DatabaseModel(this.queue, {
      bytesPerMs: options.bytesPerMs - texts,
      random: this.#random("commits"),
    });
    this.readNodes = Array.from(
      { length: options.readNodes },
      (_, at) =>
        new ReadNodeModel({
          queue: this.queue,
          database: this.database,
          repositories,
          random: this.#random(`node ${at}`),
          cores: options.cores ?? NODE_CORES,
          maxCopiesBytes: copiesBytes,
        }),
    );
    this.indexNodes = new IndexNodes(this.queue, this.database, {
      nodes: options.indexNodes,
      cores: NODE_CORES,
      random: this.#random("index nodes"),
      bytesOf: (namespace) => repositories.sourceBytes[namespace] ?? 0,
    });
    const isRandom = balancer === "random";
    // One node more than those that have the namespace, for the loss of one.
    const depth = NODES_OF_NAMESPACE + 1;
    const placement = isRandom
      ? undefined
      : new Placement(repositories.count, { nodes: options.readNodes, depth });
    this.#balancer =
      placement === undefined
        ? randomBalancer(this.readNodes, this.#random("balancer"))
        : rendezvousBalancer(this.readNodes, placement, NODES_OF_NAMESPACE);
    if (options.isWarm) {
      warmCopies(this.readNodes, {
        repositories,
        placement,
        maxBytes: copiesBytes,
        random: this.#random("copies"),
      });
    }
    this.#begin();
  }

  /** Runs until a time from the beginning. */
  runUntil(endMs: number): void {
    this.queue.runUntil(endMs);
  }

  /** A push to one namespace, in addition to those of the team. */
  push(namespace: number): void {
    this.indexNodes.push(namespace);
  }

  /** A node fails without a message. Its questions go to other nodes when the balancer notices. */
  lose(at: number): void {
    const node = this.readNodes[at];
    if (node === undefined) throw new Error(`there is no node ${at}`);
    const lost = node.lose();
    this.queue.after(RETRY_MS, () => {
      node.isListed = false;
      for (const question of lost) this.#send(question);
    });
  }

  /** Bytes that the nodes have copied since the beginning. */
  get hydratedBytes(): number {
    return this.readNodes.reduce((sum, { hydratedBytes }) => sum + hydratedBytes, 0);
  }

  #begin(): void {
    const { repositories } = this.#options;
    const { questions, pushes, count } = repositories;
    const asking = this.#random("questions");
    repeat(this.queue, 1 / questionsPerMs(count), asking, () => this.#ask(questions.draw(asking)));
    const pushing = this.#random("pushes");
    repeat(this.queue, 1 / pushesPerMs(count), pushing, () => this.push(pushes.draw(pushing)));
  }

  #ask(namespace: number): void {
    const askedMs = this.queue.nowMs;
    const settle = (isAnswered: boolean): void => {
      const latencyMs = isAnswered ? this.queue.nowMs - askedMs : Infinity;
      this.latencies.add(askedMs, latencyMs);
      if (namespace === POPULAR) this.popularLatencies.add(askedMs, latencyMs);
    };
    this.#send({ namespace, askedMs, settle });
  }

  #send(question: Question): void {
    const node = this.readNodes[this.#balancer(question.namespace)];
    if (node?.isUp === true) node.ask(question);
    else this.queue.after(RETRY_MS, () => this.#send(question));
  }

  #random(purpose: string): Random {
    return seededRandom(`${this.#options.seed} ${purpose}`);
  }
}

/** Runs an action again and again, at independent times. */
function repeat(queue: EventQueue, meanMs: number, random: Random, action: () => void): void {
  const next = (): void => {
    action();
    queue.after(exponential(meanMs, random), next);
  };
  queue.after(exponential(meanMs, random), next);
}
