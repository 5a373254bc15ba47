import { expect, onTestFinished, test } from "vitest";

import type { Lease, Leases } from "../../src/backend/leases/port.ts";

interface TestedLeases {
  /** Opens the same leases, as another process does. */
  readonly open: () => Leases;
  /** Lets the holder of the lease of a namespace be silent for longer than allowed. */
  readonly silence: (namespace: string) => unknown;
  /** Takes the lease of a namespace away from its holder, like the removal of its index. */
  readonly drop: (namespace: string) => unknown;
}

const REPORT = { mode: "watched", folders: 7 };

/** What every implementation of leases promises (src/backend/leases/port.ts). */
export function leasesContract(make: () => TestedLeases): void {
  const claims = (): TestedLeases & { readonly one: Lease; readonly other: Lease } => {
    const tested = make();
    const [one, other] = [tested.open().leaseOf("team"), tested.open().leaseOf("team")];
    onTestFinished(async () => {
      await one.release();
      await other.release();
    });
    return { ...tested, one, other };
  };

  test("one process has the lease, and another gets it when the first gives it up", async () => {
    const { one, other } = claims();
    expect([await one.tryTake(), await other.tryTake()]).toEqual([true, false]);
    expect([await one.tryTake(), await other.tryTake()]).toEqual([true, false]);
    expect([await one.isValid()]).toEqual([true]);
    await one.release();
    expect([await other.tryTake(), await one.tryTake()]).toEqual([true, false]);
  });

  test("each namespace has its own lease", async () => {
    const { open, one } = claims();
    const second = open().leaseOf("other");
    onTestFinished(second.release);
    expect([await one.tryTake(), await second.tryTake()]).toEqual([true, true]);
  });

  test("every process reads the last report of the holder, and none when there is no holder", async () => {
    const { open, one } = claims();
    expect(await open().reportOf("team")).toBeUndefined();
    await one.tryTake();
    await one.publish({ mode: "starting" });
    await one.publish(REPORT);
    await one.publish(REPORT);
    expect(await open().reportOf("team")).toEqual(REPORT);
    expect(await open().reportOf("other")).toBeUndefined();
    await one.release();
    expect(await open().reportOf("team")).toBeUndefined();
  });

  test("a silent holder keeps its lease, and its report no longer counts", async () => {
    const { open, one, other, silence } = claims();
    await one.tryTake();
    await one.publish(REPORT);
    await silence("team");
    expect(await open().reportOf("team")).toBeUndefined();
    expect(await other.tryTake()).toBe(false);
    await one.publish(REPORT);
    expect(await open().reportOf("team")).toEqual(REPORT);
  });

  test("a lost lease is not valid, and its late release does not touch that of its successor", async () => {
    const { open, one, other, drop } = claims();
    await one.tryTake();
    await one.publish(REPORT);
    await drop("team");
    expect(await one.isValid()).toBe(false);
    expect(await other.tryTake()).toBe(true);
    await other.publish({ mode: "starting" });
    await one.release();
    expect(await other.isValid()).toBe(true);
    expect(await open().reportOf("team")).toEqual({ mode: "starting" });
  });
}
