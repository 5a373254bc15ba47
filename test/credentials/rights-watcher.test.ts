import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { RightsWatcher } from "../../src/credentials/rights-watcher.ts";
import { localOwner, type Principal } from "../../src/sources/principal.ts";

const LONG_TIMEOUT = { timeout: 20_000, interval: 1 };

/** A store whose revision the test sets; it counts the reads of the revision. */
function store(): {
  revision: () => Promise<number | undefined>;
  now: number | undefined;
  asked: number;
} {
  const it = {
    now: 1 as number | undefined,
    asked: 0,
    async revision() {
      it.asked += 1;
      return it.now;
    },
  };
  return it;
}

/** A watched credential, and the callbacks it received. */
function listener(answer: () => Principal & { expiresAt?: number } = () => localOwner()) {
  const it = {
    verified: 0,
    refused: [] as string[],
    verify: async () => answer(),
    onVerified: () => void (it.verified += 1),
    onRefused: ({ code }: SvcError) => void it.refused.push(code),
  };
  return it;
}

async function looks(kept: { readonly asked: number }, more: number): Promise<void> {
  const until = kept.asked + more;
  await expect.poll(() => kept.asked, LONG_TIMEOUT).toBeGreaterThanOrEqual(until);
}

describe("RightsWatcher", () => {
  test("verifies once in the beginning, and then only what has changed", async () => {
    const kept = store();
    const watch = new RightsWatcher({ revision: kept.revision, intervalMs: 1 });
    const one = listener();
    const leave = watch.add(one);
    await looks(kept, 10);
    expect(one.verified).toBe(1);
    kept.now = 2;
    await looks(kept, 10);
    expect(one.verified).toBe(2);
    leave();
    expect(watch.size).toBe(0);
  });

  test("asks nothing while nobody is watched", async () => {
    const kept = store();
    const watch = new RightsWatcher({ revision: kept.revision, intervalMs: 1 });
    const [leaveFirst, leaveSecond] = [watch.add(listener()), watch.add(listener())];
    leaveFirst();
    await looks(kept, 3);
    leaveSecond();
    const { asked } = kept;
    const other = store();
    const leaveOther = new RightsWatcher({ revision: other.revision, intervalMs: 1 }).add(
      listener(),
    );
    await looks(other, 10);
    leaveOther();
    expect(kept.asked).toBe(asked);
    const third = listener();
    const leave = watch.add(third);
    await expect.poll(() => third.verified, LONG_TIMEOUT).toBe(1);
    leave();
  });

  test("verifies again when a credential expires", async () => {
    const kept = store();
    const watch = new RightsWatcher({ revision: kept.revision, intervalMs: 1 });
    let expiresAt: number | undefined;
    const one = listener(() => {
      expiresAt ??= Date.now() + 50;
      if (Date.now() >= expiresAt) throw new SvcError("TOKEN_EXPIRED", "It has expired.");
      return Object.assign(localOwner(), { expiresAt });
    });
    const leave = watch.add(one);
    await expect.poll(() => one.refused, LONG_TIMEOUT).toEqual(["TOKEN_EXPIRED"]);
    await looks(kept, 10);
    // Refused for good: the store is not asked again until it changes.
    expect([one.verified, one.refused.length]).toEqual([1, 1]);
    leave();
  });

  test("tries again when a store fails, and each time when its revision is unknown", async () => {
    const kept = store();
    const watch = new RightsWatcher({ revision: kept.revision, intervalMs: 1 });
    let isDamaged = true;
    const one = listener(() => {
      if (isDamaged) throw new SvcError("CREDENTIAL_STORE", "It is damaged.");
      return localOwner();
    });
    const leave = watch.add(one);
    await expect.poll(() => one.refused.length, LONG_TIMEOUT).toBeGreaterThan(2);
    isDamaged = false;
    await expect.poll(() => one.verified, LONG_TIMEOUT).toBe(1);
    kept.now = undefined;
    await expect.poll(() => one.verified, LONG_TIMEOUT).toBeGreaterThan(3);
    leave();
  });

  test("does not miss a change that comes while it verifies", async () => {
    const kept = store();
    const watch = new RightsWatcher({ revision: kept.revision, intervalMs: 1 });
    const gates: (() => void)[] = [];
    const one = listener();
    const verify = () =>
      new Promise<Principal>((resolve) => gates.push(() => resolve(localOwner())));
    const leave = watch.add({ ...one, verify });
    await expect.poll(() => gates.length, LONG_TIMEOUT).toBe(1);
    kept.now = 2;
    await looks(kept, 3);
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await expect.poll(() => gates.length, LONG_TIMEOUT).toBe(2);
    leave();
    gates[1]?.();
    await looks(kept, 0);
    expect(one.verified).toBe(1);
  });
});
