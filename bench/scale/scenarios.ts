// Failures and unusual situations in the busiest hour: a lost node, no copies at all, a repository with many pushes,
// and a balancer that does not inspect requests.
import { NETWORK_BYTES_PER_MS, NODE_CORES, NODES_OF_NAMESPACE, TARGET_MS } from "./assumptions.ts";
import { HOUR_MS, MAX_CALL_MS, MINUTE_MS, PUSH_LOG_BYTES } from "./constants.ts";
import type { Plan } from "./plan.ts";
import { makeRepositories } from "./repositories.ts";
import { POPULAR, Team, WINDOW_MS, type BalancerKind } from "./team-model.ts";

export interface LostNode {
  /** The p95 of the answers, in windows from the loss on. */
  readonly p95Ms: readonly number[];
  /** Until the p95 stays below the target for a minute; 0 if it never rose above it. */
  readonly recoveryMs: number;
  /** Bytes copied because of the loss in the first two minutes. */
  readonly extraBytes: number;
  /** Bytes that the other nodes copy in the end. */
  readonly allBytes: number;
}

export interface ColdStart {
  /** The p95 of the answers, in windows from the start on. */
  readonly p95Ms: readonly number[];
  /** Until the p95 stays below the target for a minute. */
  readonly recoveryMs: number;
  /** Share of the questions until then that were refused or given up. */
  readonly refusedShare: number;
}

export interface PopularPushes {
  /** Nodes that hold the repository; each of them applies each push. */
  readonly nodes: number;
  /** Bytes that they read for each push. */
  readonly bytesOfPush: number;
  /** The p95 of the answers about this repository, without and with the pushes. */
  readonly p95BeforeMs: number;
  readonly p95Ms: number;
}

/** How long the bytes caused by a loss are counted. */
const COUNTED_MS = 2 * MINUTE_MS;
const MAX_LOST_MS = 20 * MINUTE_MS;
const MAX_COLD_MS = 4 * HOUR_MS;
/** This many consecutive windows below the target count as normal. */
const NORMAL_WINDOWS = MINUTE_MS / WINDOW_MS;
/** A part of a large team models its cold start: this many nodes with half the cores. */
const COLD_NODES = 2;
const COLD_CORES = NODE_CORES / 2;
const PUSHES = 2;

/** A node of a team that has run for some time is lost. */
export function loseNode(team: Team): LostNode {
  const atMs = team.queue.nowMs;
  const bytesBefore = team.hydratedBytes;
  const allBytes = team.readNodes[0]?.copies.bytes ?? 0;
  team.lose(0);
  team.runUntil(atMs + COUNTED_MS);
  const extraBytes = team.hydratedBytes - bytesBefore - (bytesBefore / atMs) * COUNTED_MS;
  return {
    ...runUntilNormal(team, { fromMs: atMs, maxMs: MAX_LOST_MS }),
    extraBytes,
    allBytes: team.readNodes.length > NODES_OF_NAMESPACE ? allBytes : 0,
  };
}

/**
 * All nodes begin without copies, and the questions arrive as usual. A part of the team models a team of more than two
 * nodes: repositories, questions, cores and bandwidth are divided by the same number. `bytesPerMs`: bandwidth of the
 * sender of the indexes.
 */
export function startCold(plan: Plan, bytesPerMs: number): ColdStart {
  const { repositories, seed, readNodes } = plan;
  const part = (readNodes * NODE_CORES) / (COLD_NODES * COLD_CORES);
  const team = new Team({
    repositories: makeRepositories(Math.round(repositories.count / part), seed),
    seed,
    readNodes: COLD_NODES,
    indexNodes: 1,
    cores: COLD_CORES,
    bytesPerMs: bytesPerMs / part,
    isWarm: false,
  });
  const { p95Ms, recoveryMs } = runUntilNormal(team, { fromMs: 0, maxMs: MAX_COLD_MS });
  return { p95Ms, recoveryMs, refusedShare: team.latencies.refusedShare(0, recoveryMs) };
}

/** Runs a team until the p95 of its answers has been below the target for a minute. */
function runUntilNormal(
  team: Team,
  { fromMs, maxMs }: { readonly fromMs: number; readonly maxMs: number },
): Pick<ColdStart, "p95Ms" | "recoveryMs"> {
  const p95Ms: number[] = [];
  for (let ranMs = MINUTE_MS; ranMs <= maxMs; ranMs += MINUTE_MS) {
    const endMs = fromMs + ranMs;
    // Until every question of this minute is answered or given up.
    team.runUntil(endMs + MAX_CALL_MS);
    p95Ms.push(...team.latencies.byWindow(0.95, endMs - MINUTE_MS, endMs));
    const normalAt = firstNormal(p95Ms);
    if (normalAt !== undefined) return { p95Ms, recoveryMs: normalAt * WINDOW_MS };
  }
  return { p95Ms, recoveryMs: Infinity };
}

/** The repository with the most questions gets a push every minute, in addition to its usual ones. */
export function pushPopular(plan: Plan, balancer: BalancerKind): PopularPushes {
  const run = (pushes: number): Team => {
    const team = new Team({ ...plan, balancer, bytesPerMs: NETWORK_BYTES_PER_MS, isWarm: true });
    for (let push = 0; push < pushes; push += 1) {
      team.queue.after(push * MINUTE_MS, () => team.push(POPULAR));
    }
    team.runUntil(PUSHES * MINUTE_MS);
    return team;
  };
  const [without, pushed] = [run(0), run(PUSHES)];
  const nodes = pushed.readNodes.filter(({ copies }) => copies.has(POPULAR)).length;
  return {
    nodes,
    bytesOfPush: nodes * PUSH_LOG_BYTES,
    p95BeforeMs: without.popularLatencies.quantile(0.95),
    p95Ms: pushed.popularLatencies.quantile(0.95),
  };
}

function isSlow(p95Ms: number): boolean {
  return p95Ms > TARGET_MS;
}

/** The first of enough windows in a row that are below the target. */
function firstNormal(p95Ms: readonly number[]): number | undefined {
  const at = p95Ms.findIndex((_, from) => {
    const windows = p95Ms.slice(from, from + NORMAL_WINDOWS);
    return windows.length === NORMAL_WINDOWS && !windows.some(isSlow);
  });
  return at < 0 ? undefined : at;
}
