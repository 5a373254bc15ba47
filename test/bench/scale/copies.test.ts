import { expect, test } from "vitest";

import { Copies } from "../../../bench/scale/copies.ts";

const MINUTE_MS = 60_000;
const LATER_MS = 10 * MINUTE_MS;
const NAMESPACES = 300;

function copiesOf(maxBytes: number, ...namespaces: readonly number[]): Copies {
  const copies = new Copies(maxBytes, NAMESPACES);
  for (const namespace of namespaces) copies.add(namespace, { bytes: 10, pushes: 0 }, namespace);
  return copies;
}

function held(copies: Copies): readonly number[] {
  return Array.from({ length: NAMESPACES }, (_, namespace) => namespace).filter((namespace) =>
    copies.has(namespace),
  );
}

test("the least recently used copies are deleted until the others fit", () => {
  const copies = copiesOf(30, 1, 2, 3);
  expect(copies.use(1, 5)).toBe(0);
  copies.add(4, { bytes: 20, pushes: 0 }, LATER_MS);
  expect(held(copies)).toEqual([1, 4]);
  expect([copies.bytes, copies.count]).toEqual([30, 2]);
});

test("a copy that was used in the last two minutes stays, although the copies are too large", () => {
  const copies = copiesOf(20, 1, 2);
  copies.use(1, LATER_MS);
  copies.use(2, LATER_MS + MINUTE_MS);
  copies.add(3, { bytes: 10, pushes: 0 }, LATER_MS + MINUTE_MS);
  expect(held(copies)).toEqual([1, 2, 3]);
  copies.add(4, { bytes: 10, pushes: 0 }, LATER_MS + 2.5 * MINUTE_MS);
  expect(held(copies)).toEqual([2, 3, 4]);
});

test("a copy shows the pushes of its last update; one that was deleted shows none", () => {
  const copies = copiesOf(20, 1, 2);
  copies.update(1, 7);
  expect(copies.use(1, 3)).toBe(7);
  copies.add(5, { bytes: 10, pushes: 4 }, LATER_MS);
  copies.update(2, 9);
  expect([copies.use(2, LATER_MS), copies.use(5, LATER_MS), copies.use(6, LATER_MS)]).toEqual([
    undefined,
    4,
    undefined,
  ]);
});

test("hundreds of copies in random order leave as many as fit, the last ones", () => {
  const copies = new Copies(1000, NAMESPACES);
  for (let at = 0; at < 900; at += 1) {
    const namespace = (at * 7) % NAMESPACES;
    const atMs = at * LATER_MS;
    if (copies.use(namespace, atMs) === undefined) {
      copies.add(namespace, { bytes: 10, pushes: at }, atMs);
    }
  }
  expect([copies.bytes, copies.count]).toEqual([1000, 100]);
  const last = Array.from({ length: 100 }, (_, back) => ((899 - back) * 7) % NAMESPACES);
  expect(held(copies)).toEqual(last.toSorted((one, other) => one - other));
});
