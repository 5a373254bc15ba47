// Which node gets a question.
import type { Random } from "../quality/random.ts";
import type { Placement } from "./placement.ts";

/** The state of a node that a balancer knows. */
interface BalancedNode {
  /** False once the balancer has noticed the loss. */
  readonly isListed: boolean;
  /** Calls that have not ended. */
  readonly calls: number;
}

/** Returns the number of the node for a question about a namespace. Throws an error if there is none. */
export type Balancer = (namespace: number) => number;

/** Any node, like a balancer that does not inspect requests. */
export function randomBalancer(nodes: readonly BalancedNode[], random: Random): Balancer {
  return () => {
    const listed = nodes.flatMap(({ isListed }, at) => (isListed ? [at] : []));
    return found(listed[Math.floor(random() * listed.length)]);
  };
}

/** One of the `copies` nodes of the namespace that are up: the one with the fewest calls. */
export function rendezvousBalancer(
  nodes: readonly BalancedNode[],
  placement: Placement,
  copies: number,
): Balancer {
  return (namespace) => {
    let best: number | undefined;
    let bestCalls = Infinity;
    for (let place = 0, seen = 0; seen < copies && place < placement.depth; place += 1) {
      const at = placement.node(namespace, place) ?? 0;
      const { isListed = false, calls = 0 } = nodes[at] ?? {};
      if (!isListed) continue;
      seen += 1;
      if (calls >= bestCalls) continue;
      best = at;
      bestCalls = calls;
    }
    return found(best);
  };
}

function found(node: number | undefined): number {
  if (node === undefined) throw new Error("no node is up");
  return node;
}
