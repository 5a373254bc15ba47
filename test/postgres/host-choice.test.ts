import { expect, test } from "vitest";

import type { Primary } from "../../src/postgres/choose-host.ts";
import { HostChoice } from "../../src/postgres/host-choice.ts";

/** Two hosts that a test promotes and cuts off. */
function hosts(...states: (Primary | "standby" | "lost")[]) {
  let newer = 0;
  let looks = 0;
  const choice = new HostChoice({
    size: states.length,
    look: async (host) => {
      looks += 1;
      const state = states[host];
      if (state === "lost") throw new Error("no route");
      return state === "standby" ? undefined : state;
    },
    onNewer: () => (newer += 1),
    lookAgainMs: 0,
  });
  return { states, choice, newer: () => newer, looks: () => looks };
}

const primary = (timeline: number, cluster = "one"): Primary => ({ timeline, cluster });

test("a host that was promoted is found while the one in use goes on answering", async () => {
  const { states, choice, newer } = hosts(primary(1), "standby");
  expect(await choice.host()).toBe(0);
  states[1] = primary(2);
  await expect.poll(() => choice.host()).toBe(1);
  expect(newer()).toBe(1);
  // svc checks the former primary, which reports nothing newer.
  await choice.host();
  await expect.poll(() => choice.host()).toBe(1);
  expect(newer()).toBe(1);
});

test("a former primary is not used although it is the only one, and the failure says so", async () => {
  const { states, choice } = hosts(primary(1), primary(2));
  expect(await choice.host()).toBe(1);
  states[1] = "lost";
  choice.forget();
  expect(await choice.host()).toBeUndefined();
  expect([...choice.failures].map(([host, failure]) => [host, String(failure)])).toEqual([
    [0, "Error: it is a former primary"],
    [1, "Error: no route"],
  ]);
  // The next call checks again.
  states[1] = primary(2);
  expect(await choice.host()).toBe(1);
});

test("another server under the same address begins with the first timeline", async () => {
  const { states, choice } = hosts(primary(3), "standby");
  expect(await choice.host()).toBe(0);
  states[0] = primary(1, "two");
  choice.forget();
  expect(await choice.host()).toBe(0);
});

test("a choice that is closed looks at nothing more", async () => {
  const { choice, looks } = hosts(primary(1), "standby");
  await choice.host();
  choice.close();
  const before = looks();
  await choice.host();
  expect(looks()).toBe(before);
});
