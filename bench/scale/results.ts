// All results of the model.
import { NETWORK_BYTES_PER_MS } from "./assumptions.ts";
import { hitRates, type HitRate } from "./balancing.ts";
import { planTeam, type Plan, type SteadyState } from "./plan.ts";
import { makeRepositories } from "./repositories.ts";
import {
  loseNode,
  pushPopular,
  startCold,
  type ColdStart,
  type LostNode,
  type PopularPushes,
} from "./scenarios.ts";
import type { BalancerKind } from "./team-model.ts";

export interface SizeResult {
  readonly plan: Plan;
  readonly steady: SteadyState;
  readonly lost: LostNode;
  /** The database sends the indexes. */
  readonly cold: ColdStart;
  /** An object store sends them, as fast as the nodes can receive them. */
  readonly coldFromObjects: ColdStart;
}

export interface Results {
  readonly sizes: readonly SizeResult[];
  /** Includes numbers of repositories in between, for the picture. */
  readonly plans: readonly Pick<SizeResult, "plan" | "steady">[];
  readonly hitRates: readonly HitRate[];
  readonly popular: Readonly<Record<BalancerKind, PopularPushes>>;
}

const SIZES: readonly number[] = [10_000, 100_000, 1_000_000];
const BETWEEN: readonly number[] = [30_000, 300_000];
/** The team whose most used repository gets a push every minute. */
const MIDDLE = 1;

export function runModel(seed: string): Results {
  const sizes = SIZES.map((count) => runSize(count, seed));
  const between = BETWEEN.map((count) => {
    const { plan, steady } = planTeam(makeRepositories(count, seed), seed);
    return { plan, steady };
  });
  const middle = sizes[MIDDLE];
  if (middle === undefined) throw new Error("there is no such size");
  return {
    sizes,
    plans: [...sizes, ...between].toSorted(
      (one, other) => one.plan.repositories.count - other.plan.repositories.count,
    ),
    hitRates: hitRates(seed),
    popular: {
      rendezvous: pushPopular(middle.plan, "rendezvous"),
      random: pushPopular(middle.plan, "random"),
    },
  };
}

function runSize(count: number, seed: string): SizeResult {
  const { plan, steady, team } = planTeam(makeRepositories(count, seed), seed);
  return {
    plan,
    steady,
    lost: loseNode(team),
    cold: startCold(plan, NETWORK_BYTES_PER_MS),
    coldFromObjects: startCold(plan, plan.readNodes * NETWORK_BYTES_PER_MS),
  };
}
