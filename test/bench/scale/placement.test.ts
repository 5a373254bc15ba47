import { expect, test } from "vitest";

import { rendezvousBalancer, randomBalancer } from "../../../bench/scale/balancer.ts";
import { seededRandom } from "../../../bench/quality/random.ts";
import { Placement } from "../../../bench/scale/placement.ts";

const NAMESPACES = 20_000;

function nodesOf(placement: Placement, namespace: number, count: number) {
  return Array.from({ length: count }, (_, place) => placement.node(namespace, place));
}

test("each node is first for an equal part of the namespaces", () => {
  const placement = new Placement(NAMESPACES, { nodes: 10, depth: 2 });
  const counts = Array.from({ length: 10 }, () => 0);
  let twice = 0;
  for (let namespace = 0; namespace < NAMESPACES; namespace += 1) {
    const [first = 0, second] = nodesOf(placement, namespace, 2);
    if (second === first) twice += 1;
    counts[first] = (counts[first] ?? 0) + 1;
  }
  expect(twice).toBe(0);
  for (const count of counts) expect(count / (NAMESPACES / 10)).toBeCloseTo(1, 1);
});

test("a further node takes namespaces from the others and moves none between them", () => {
  const before = new Placement(NAMESPACES, { nodes: 9, depth: 1 });
  const after = new Placement(NAMESPACES, { nodes: 10, depth: 1 });
  const moved = Array.from({ length: NAMESPACES }, (_, namespace) => namespace).filter(
    (namespace) => before.node(namespace, 0) !== after.node(namespace, 0),
  );
  expect(moved.every((namespace) => after.node(namespace, 0) === 9)).toBe(true);
  expect(moved.length / NAMESPACES).toBeCloseTo(0.1, 1);
});

test("an order is never longer than there are nodes", () => {
  const placement = new Placement(1, { nodes: 1, depth: 3 });
  expect(nodesOf(placement, 0, 3)).toEqual([0, undefined, undefined]);
});

test("a balancer by namespace chooses the less busy of its two nodes, and the third if one is lost", () => {
  const placement = new Placement(NAMESPACES, { nodes: 5, depth: 3 });
  const nodes = Array.from({ length: 5 }, () => ({ isListed: true, calls: 0 }));
  const balancer = rendezvousBalancer(nodes, placement, 2);
  const [first = 0, second = 0, third] = nodesOf(placement, 7, 3);
  const set = (at: number, state: { readonly isListed: boolean; readonly calls: number }): void => {
    nodes[at] = state;
  };
  expect(balancer(7)).toBe(first);
  set(first, { isListed: true, calls: 1 });
  expect(balancer(7)).toBe(second);
  set(second, { isListed: false, calls: 0 });
  expect(balancer(7)).toBe(third);
});

test("a random balancer uses every node that is up, and no other", () => {
  const nodes = [true, false, true].map((isListed) => ({ isListed, calls: 0 }));
  const balancer = randomBalancer(nodes, seededRandom("any"));
  const chosen = Array.from({ length: 100 }, (_, namespace) => balancer(namespace));
  expect(new Set(chosen)).toEqual(new Set([0, 2]));
  const none = randomBalancer([], seededRandom("any"));
  expect(() => none(1)).toThrow("no node is up");
});
