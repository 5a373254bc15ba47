// PageRank: a node ranks high if nodes that rank high depend on it. Brin and Page, "The Anatomy of a
// Large-Scale Hypertextual Web Search Engine", 1998.

/** The edges of a graph, grouped by source node. */
export interface RankGraph {
  /** Index of each node's first edge, plus the end of the last node's edges. */
  readonly starts: Uint32Array;
  /** Target node of each edge. */
  readonly targets: Uint32Array;
  /** Weight of each edge. */
  readonly weights: Float32Array;
}

const DAMPING = 0.85;
const PAGE_RANK_ROUNDS = 30;

/**
 * Returns ranks that add up to 1. Each node passes its rank on to its targets, by the weights of its edges.
 * `priors`: the initial rank of each node, which it also gets in every round; they add up to 1.
 */
export function pageRank(
  { starts, targets, weights }: RankGraph,
  priors: Float64Array,
): Float64Array {
  const sums = sumsOf(starts, weights);
  let ranks = priors;
  for (let round = 0; round < PAGE_RANK_ROUNDS; round += 1) {
    const passed = passedOn({ starts, targets, weights }, ranks, sums);
    // A node without edges passes its rank on to all nodes.
    const danglingRank = ranks.reduce((sum, rank, node) => sum + (sums[node] === 0 ? rank : 0), 0);
    const base = 1 - DAMPING + DAMPING * danglingRank;
    ranks = passed.map((rank, node) => base * at(priors, node) + DAMPING * rank);
  }
  return ranks;
}

/** Returns the sum of the edge weights of each node. */
function sumsOf(starts: Uint32Array, weights: Float32Array): Float64Array {
  const sums = new Float64Array(starts.length - 1);
  for (let node = 0; node < sums.length; node += 1) {
    let sum = 0;
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge += 1) {
      sum += at(weights, edge);
    }
    sums[node] = sum;
  }
  return sums;
}

/** Returns the rank that each node gets from the nodes that point to it. */
function passedOn(
  { starts, targets, weights }: RankGraph,
  ranks: Float64Array,
  sums: Float64Array,
): Float64Array {
  const passed = new Float64Array(ranks.length);
  for (let node = 0; node < ranks.length; node += 1) {
    const sum = at(sums, node);
    const share = sum === 0 ? 0 : at(ranks, node) / sum;
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge += 1) {
      const target = at(targets, edge);
      passed[target] = at(passed, target) + share * at(weights, edge);
    }
  }
  return passed;
}

function at(values: Uint32Array | Float32Array | Float64Array, index: number): number {
  return values[index] ?? 0;
}
