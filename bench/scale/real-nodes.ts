// Models 1, 2 and 4 read nodes on the machine where real nodes were measured (bench/team-scale.ts), and the first
// answer of a namespace there. It uses the processors and the read nodes of the model of a team.
import { seededRandom } from "../quality/random.ts";
import {
  CLIENT_CPU_MS,
  DATABASE_CPU_MS,
  GB,
  HYDRATE_BYTES_PER_MS,
  MAIN_THREAD_SHARE,
  measuredSlowdown,
  QUESTION_CPU_MS,
  QUESTION_FACTOR,
  REAL_CLIENTS,
  REAL_COLD_MS,
  REAL_CORES,
  REAL_RUNS,
  SECOND_MS,
  WEBPACK_BYTES,
} from "./constants.ts";
import { DatabaseModel } from "./database-model.ts";
import { EventQueue } from "./event-queue.ts";
import { Latencies } from "./latencies.ts";
import { Processors, Thread } from "./processors.ts";
import { logNormal, Zipf } from "./random.ts";
import { ReadNodeModel } from "./read-node.ts";

/** A figure of real nodes, and that of the model. */
export interface Comparison {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  readonly modelled: number;
}

export interface RealRun {
  readonly answersPerSecond: number;
  /** Processor time of the nodes per answer. */
  readonly cpuMs: number;
}

const RUN_MS = 200 * SECOND_MS;
const COLD_NAMESPACES = 400;

export function compareWithReal(seed: string): readonly Comparison[] {
  const cold = coldAnswers(seed);
  return [
    ...REAL_RUNS.flatMap(({ nodes, answersPerSecond, cpuMs }) => {
      const modelled = runNodes(nodes, seed);
      const what = `${nodes} read ${nodes === 1 ? "node" : "nodes"}`;
      return [
        {
          what,
          unit: "answers/s",
          measured: answersPerSecond,
          modelled: modelled.answersPerSecond,
        },
        { what: `${what}, one answer`, unit: "cpu ms", measured: cpuMs, modelled: modelled.cpuMs },
      ];
    }),
    {
      what: "cold answer, p50",
      unit: "ms",
      measured: REAL_COLD_MS.p50,
      modelled: cold.quantile(0.5),
    },
    {
      what: "cold answer, p95",
      unit: "ms",
      measured: REAL_COLD_MS.p95,
      modelled: cold.quantile(0.95),
    },
  ];
}

/** The deviation of the model from the real nodes, as a share of their figure. */
export function errorOf({ measured, modelled }: Comparison): number {
  return modelled / measured - 1;
}

/** Clients of each node ask one question after the other. All share the cores of the machine. */
export function runNodes(nodes: number, seed: string): RealRun {
  const queue = new EventQueue();
  const random = seededRandom(`${seed} real nodes`);
  const machine = new Processors(queue, REAL_CORES, measuredSlowdown);
  let answers = 0;
  let cpuMs = 0;
  const askAgainAndAgain = (mainThread: Thread): void => {
    const questionMs = QUESTION_CPU_MS * logNormal(QUESTION_FACTOR, random);
    let open = 2;
    const end = (takenMs: number): void => {
      cpuMs += takenMs;
      open -= 1;
      if (open > 0) return;
      answers += 1;
      askAgainAndAgain(mainThread);
    };
    machine.run(CLIENT_CPU_MS + DATABASE_CPU_MS, () => {
      mainThread.run(questionMs * MAIN_THREAD_SHARE, end);
      machine.run(questionMs * (1 - MAIN_THREAD_SHARE), end);
    });
  };
  for (let node = 0; node < nodes; node += 1) {
    const mainThread = new Thread(machine);
    for (let client = 0; client < REAL_CLIENTS; client += 1) askAgainAndAgain(mainThread);
  }
  queue.runUntil(RUN_MS);
  return { answersPerSecond: (answers / RUN_MS) * SECOND_MS, cpuMs: cpuMs / answers };
}

/** Times of first answers about copies of webpack, one question after the other. */
function coldAnswers(seed: string): Latencies {
  const queue = new EventQueue();
  const database = new DatabaseModel(queue, {
    bytesPerMs: HYDRATE_BYTES_PER_MS,
    random: seededRandom(`${seed} cold commits`),
  });
  const node = new ReadNodeModel({
    queue,
    database,
    repositories: {
      count: COLD_NAMESPACES,
      sourceBytes: new Float64Array(COLD_NAMESPACES).fill(WEBPACK_BYTES),
      totalBytes: COLD_NAMESPACES * WEBPACK_BYTES,
      questions: new Zipf(COLD_NAMESPACES, 0),
      pushes: new Zipf(COLD_NAMESPACES, 0),
    },
    random: seededRandom(`${seed} cold answers`),
    cores: REAL_CORES,
    maxCopiesBytes: 100 * GB,
  });
  const latencies = new Latencies(RUN_MS);
  const ask = (namespace: number): void => {
    if (namespace === COLD_NAMESPACES) return;
    const askedMs = queue.nowMs;
    const settle = (): void => {
      latencies.add(askedMs, queue.nowMs - askedMs + CLIENT_CPU_MS + DATABASE_CPU_MS);
      ask(namespace + 1);
    };
    node.ask({ namespace, askedMs, settle });
  };
  ask(0);
  queue.runUntil(RUN_MS);
  return latencies;
}
