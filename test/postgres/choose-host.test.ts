import { expect, test } from "vitest";

import { newestPrimary } from "../../src/postgres/choose-host.ts";

const never = new Promise<number>(() => undefined);

/** Chooses among hosts with these timelines; undefined for a standby, an error for one that cannot be reached. */
async function choose(...hosts: readonly (number | undefined | Error | Promise<number>)[]) {
  const chosen = await newestPrimary([...hosts.keys()], async (host) => {
    const found = hosts[host];
    if (found instanceof Error) throw found;
    const timeline = await found;
    return timeline === undefined ? undefined : { timeline, cluster: "one" };
  });
  return chosen?.host;
}

test("the host with the highest timeline is used, the first of equal ones", async () => {
  expect(await choose(1, 1)).toBe(0);
  expect(await choose(undefined, 1)).toBe(1);
  expect(await choose(1, undefined)).toBe(0);
  // The second host was promoted; the first is a former primary that came back.
  expect(await choose(1, 2)).toBe(1);
  expect(await choose(3, 12, 7)).toBe(1);
  expect(await choose(new Error("refused"), 4)).toBe(1);
});

test("no host that accepts writes is none", async () => {
  expect(await choose(undefined, new Error("refused"))).toBeUndefined();
});

test("a host that does not answer does not hold the others up", async () => {
  expect(await choose(never, 1)).toBe(1);
});
