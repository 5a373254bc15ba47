import { expect, test } from "vitest";

import { FairTurns } from "../../../src/transports/http/fair-turns.ts";

interface Call {
  readonly owner: string;
  readonly name: string;
}

/** Creates calls named after their owners, as "a1 a2 b1", which are all ready. */
function turnsOf(names: string, maxOfOwner = 100) {
  const turns = new FairTurns<Call>(maxOfOwner);
  const calls = names.split(" ").map((name) => ({ owner: name.slice(0, 1), name }));
  for (const call of calls) {
    turns.enter(call);
    turns.ready(call);
  }
  return { turns, calls };
}

/** Returns the names of all calls that begin, in order. */
function taken(turns: FairTurns<Call>): string {
  const names: string[] = [];
  for (let call = turns.takeNext(); call !== undefined; call = turns.takeNext())
    names.push(call.name);
  return names.join(" ");
}

test("credentials take turns; calls of one begin in order of arrival", () => {
  expect(taken(turnsOf("a1 a2 a3 a4 b1 b2 c1").turns)).toBe("a1 b1 c1 a2 b2 a3 a4");
});

test("a later one has its turn in the next round", () => {
  const { turns } = turnsOf("a1 a2 a3 a4");
  expect(turns.takeNext()?.name).toBe("a1");
  const late = { owner: "b", name: "b1" };
  turns.enter(late);
  turns.ready(late);
  expect(taken(turns)).toBe("a2 b1 a3 a4");
});

test("a call that is not ready lets the others of its credential go first", () => {
  const { turns } = turnsOf("a1");
  const slow = { owner: "a", name: "slow" };
  turns.enter(slow);
  const late = { owner: "a", name: "a2" };
  turns.enter(late);
  turns.ready(late);
  expect(taken(turns)).toBe("a1 a2");
  expect(turns.waiting).toBe(1);
  turns.ready(slow);
  expect(taken(turns)).toBe("slow");
});

test("a credential has at most its maximum of running calls, until one of them has left", () => {
  const { turns, calls } = turnsOf("a1 a2 a3 b1", 2);
  expect(taken(turns)).toBe("a1 b1 a2");
  expect([turns.running, turns.waiting]).toEqual([3, 1]);
  for (const call of calls.slice(0, 1)) turns.leave(call);
  expect(taken(turns)).toBe("a3");
});

test("calls leave in any state, once", () => {
  const { turns, calls } = turnsOf("a1 a2 b1");
  turns.takeNext();
  for (const call of [...calls, ...calls]) turns.leave(call);
  expect([turns.running, turns.waiting, turns.takeNext()]).toEqual([0, 0, undefined]);
});

test("the newest call of the credential with the most makes room, unless the newcomer has as many", () => {
  const { turns } = turnsOf("a1 b1 b2 b3 a2");
  expect(turns.displacedBy("c")?.name).toBe("b3");
  expect(turns.displacedBy("b")).toBeUndefined();
  // It would swap places with b3.
  expect(turns.displacedBy("a")).toBeUndefined();
});
