// Finds how many nodes a team needs: the fewest that answer in time in the busiest hour with processor time to spare.
import {
  MAX_USE,
  MIN_NODES,
  NETWORK_BYTES_PER_MS,
  NODE_CORES,
  NODES_OF_NAMESPACE,
  TARGET_MS,
  UPDATE_TARGET_MS,
} from "./assumptions.ts";
import {
  APPLY_CPU_MS,
  measuredSlowdown,
  QUESTION_CPU_MS,
  QUESTION_CPU_MS_PER_BYTE,
  SECOND_MS,
  TEXT_CPU_MS,
  PUSH_CPU_MS,
  PUSH_CPU_MS_PER_BYTE,
} from "./constants.ts";
import { quantileOf } from "./latencies.ts";
import { pushesPerMs, questionsPerMs, type Repositories } from "./repositories.ts";
import { Team, WINDOW_MS } from "./team-model.ts";

export interface Plan {
  readonly repositories: Repositories;
  readonly seed: string;
  readonly readNodes: number;
  readonly indexNodes: number;
}

/** A team in its busiest hour, after some days. */
export interface SteadyState {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly refusedShare: number;
  /** Busy share of the processors of the read nodes. */
  readonly busyShare: number;
  readonly hitShare: number;
  /** Size of the copies on a read node, on average. */
  readonly copiesBytes: number;
  /** Time from a push until its last commit. */
  readonly updateP95Ms: number;
  readonly commitsPerMs: number;
  /** Share of the time in which a transaction with NOTIFY blocks the others. */
  readonly commitLockShare: number;
  readonly logBytesPerMs: number;
  /** Bytes that the database sends, without the texts of answers. */
  readonly sentBytesPerMs: number;
  /** Busy share of the database's processors, for pushes and copies. */
  readonly databaseCpuShare: number;
}

/** Minimum number of questions and minimum duration of a run. */
const MIN_QUESTIONS = 40_000;
const MIN_RUN_MS = 40 * SECOND_MS;
/** Queues are empty at the start. */
const SETTLED_MS = WINDOW_MS;

/** Runs a team from its start. */
function runSteady(team: Team, { repositories, readNodes }: Plan): SteadyState {
  const neededMs = MIN_QUESTIONS / questionsPerMs(repositories.count);
  const runMs = Math.ceil(Math.max(MIN_RUN_MS, neededMs) / WINDOW_MS) * WINDOW_MS;
  team.runUntil(runMs);
  const { latencies, database } = team;
  const nodes = team.readNodes;
  const sum = (of: (node: (typeof nodes)[number]) => number): number =>
    nodes.reduce((total, node) => total + of(node), 0);
  return {
    p50Ms: latencies.quantile(0.5, SETTLED_MS),
    p95Ms: latencies.quantile(0.95, SETTLED_MS),
    refusedShare: latencies.refusedShare(SETTLED_MS),
    busyShare: sum(({ usedMs }) => usedMs) / (readNodes * NODE_CORES * runMs),
    hitShare: 1 - sum(({ missed }) => missed) / sum(({ asked }) => asked),
    copiesBytes: sum(({ copies }) => copies.bytes) / readNodes,
    updateP95Ms: quantileOf(team.indexNodes.lagsMs, 0.95),
    commitsPerMs: database.commitCount / runMs,
    commitLockShare: database.commitMs / runMs,
    logBytesPerMs: database.logBytes / runMs,
    sentBytesPerMs: database.sentBytes / runMs,
    databaseCpuShare: database.usedMs / runMs,
  };
}

export interface PlannedTeam {
  readonly plan: Plan;
  readonly steady: SteadyState;
  /** The team as the steady state left it. */
  readonly team: Team;
}

/** The smallest team whose nodes are busy up to 70 % of the time, and that answers and updates in time. */
export function planTeam(repositories: Repositories, seed: string): PlannedTeam {
  let plan: Plan = { repositories, seed, ...estimate(repositories) };
  for (;;) {
    const team = new Team({ ...plan, bytesPerMs: NETWORK_BYTES_PER_MS, isWarm: true });
    const steady = runSteady(team, plan);
    const isSlow = steady.p95Ms > TARGET_MS || steady.busyShare > MAX_USE;
    const isLate = steady.updateP95Ms > UPDATE_TARGET_MS;
    if (!isSlow && !isLate) return { plan, steady, team };
    plan = {
      ...plan,
      readNodes: plan.readNodes + Number(isSlow),
      indexNodes: plan.indexNodes + Number(isLate),
    };
  }
}

/** Estimated from the processor time of questions, pushes and updates; each update takes a core of an index node. */
function estimate({ count, totalBytes }: Repositories): Pick<Plan, "readNodes" | "indexNodes"> {
  const pushes = pushesPerMs(count);
  const questionMs = QUESTION_CPU_MS + (totalBytes / count) * QUESTION_CPU_MS_PER_BYTE;
  const busyCores =
    (questionsPerMs(count) * (questionMs + TEXT_CPU_MS) +
      pushes * NODES_OF_NAMESPACE * APPLY_CPU_MS) *
    measuredSlowdown(MAX_USE);
  const updates = pushes * (PUSH_CPU_MS + (totalBytes / count) * PUSH_CPU_MS_PER_BYTE);
  return {
    readNodes: Math.max(MIN_NODES, Math.ceil(busyCores / NODE_CORES / MAX_USE)),
    indexNodes: Math.max(MIN_NODES, Math.ceil(updates / (NODE_CORES - 1) / MAX_USE)),
  };
}
