// The effect of a balancer that knows the namespace on the caches of the nodes.
import { INDEX_SHARE, MINUTE_MS } from "./constants.ts";
import { makeRepositories } from "./repositories.ts";
import { Team, type BalancerKind } from "./team-model.ts";

export interface HitRate {
  /** Limit of the copies of a node, as a share of all indexes. */
  readonly limitShare: number;
  /** Questions that find a copy, by balancer. */
  readonly hitShares: Readonly<Record<BalancerKind, number>>;
}

/** A small team with many nodes: the hit rate depends only on the ratio of the limit to the size of all indexes. */
const REPOSITORIES = 40_000;
export const BALANCED_NODES = 10;
const LIMITS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1];
const RUN_MS = MINUTE_MS / 2;

export function hitRates(seed: string): readonly HitRate[] {
  const repositories = makeRepositories(REPOSITORIES, seed);
  const allBytes = repositories.totalBytes * INDEX_SHARE;
  const shareOf = (balancer: BalancerKind, limitShare: number): number => {
    const team = new Team({
      repositories,
      seed,
      readNodes: BALANCED_NODES,
      indexNodes: 1,
      balancer,
      copiesBytes: allBytes * limitShare,
      // Bandwidth is unlimited here, so that a bad balancer does not change the questions that get through.
      bytesPerMs: Infinity,
      isWarm: true,
    });
    team.runUntil(RUN_MS);
    const count = (of: "asked" | "missed"): number =>
      team.readNodes.reduce((sum, node) => sum + node[of], 0);
    return 1 - count("missed") / count("asked");
  };
  return LIMITS.map((limitShare) => ({
    limitShare,
    hitShares: {
      rendezvous: shareOf("rendezvous", limitShare),
      random: shareOf("random", limitShare),
    },
  }));
}
