import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import { HighWater, withClockReset } from "../../src/credentials/high-water.ts";
import type { SealedStore } from "../../src/credentials/sealed/sealed-store.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { listSink } from "./audited-store.ts";
import { codeOf, tempHome } from "./home.ts";
import { promise } from "../trust/promise.ts";

const NOW = Date.parse("2030-01-01T00:00:30Z");
const DAY = 24 * 60 * 60_000;
const YEAR = 365 * DAY;
const time = fc.integer({ min: -1e15, max: Date.UTC(9999, 11, 31) });

/** Returns the token's name if authentication succeeds, else the code of the refusal. */
async function call(store: SealedStore, secret: string, now: number): Promise<string> {
  try {
    return (await authenticate(store, secret, now)).name;
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

test("time never goes back, whatever the clock of the machine does", () => {
  fc.assert(
    fc.property(fc.array(time), fc.nat(), (times, clock) => {
      const highWater = new HighWater();
      const seen = times.map((now) => highWater.raise({ clock }, now));
      expect(seen).toEqual(times.map((_, at) => Math.max(clock, ...times.slice(0, at + 1))));
    }),
  );
});

test("a reset forgets the times seen before it, and none after it", () => {
  fc.assert(
    fc.property(time, fc.nat(), time, (before, to, after) => {
      const highWater = new HighWater();
      highWater.raise({ clock: 0 }, before);
      const settings = withClockReset({ clock: 0 }, to);
      expect(highWater.known(settings)).toBe(to);
      expect(highWater.raise(settings, after)).toBe(Math.max(to, after));
    }),
  );
});

test.each([Number.NaN, Infinity, -Infinity, Date.UTC(10_000, 0, 1)])(
  "%d is no valid time: it authenticates nobody, and no clock is set to it",
  async (now) => {
    const store = await tempHome().open();
    const { secret } = await createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
    expect(await call(store, secret, now)).toBe("CREDENTIAL_STORE");
    expect(await codeOf(() => createToken(store, { name: "other" }, now))).toBe("CREDENTIAL_STORE");
    expect(await codeOf(() => store.resetClock(now))).toBe("USAGE");
    expect(await call(store, secret, NOW)).toBe("laptop");
  },
);

promise(
  [36],
  "an expired credential stays expired when the clock is set back, also after a restart, in any time zone",
  async () => {
    const zones = ["UTC", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"];
    const { TZ: zone } = process.env;
    onTestFinished(
      () => void (zone === undefined ? delete process.env["TZ"] : (process.env["TZ"] = zone)),
    );
    // In every zone but the first, the clocks change on one of these days.
    const days = ["2031-03-09", "2031-04-06", "2031-10-05", "2031-11-02", "2011-12-30"];
    for (const [at, day] of days.entries()) {
      process.env["TZ"] = zones[at % zones.length];
      const start = Date.parse(`${day}T00:00:00Z`);
      const home = tempHome();
      const store = await home.open();
      const { secret } = await createToken(store, { name: "laptop", ttlMs: DAY }, start);
      const { secret: longer } = await createToken(store, { name: "other" }, start);
      expect(await call(store, secret, start + DAY - 1)).toBe("laptop");
      expect(await call(store, secret, start + DAY)).toBe("TOKEN_EXPIRED");
      expect(await call(store, longer, start + 31 * DAY)).toBe("TOKEN_EXPIRED");
      expect(await call(store, longer, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
      await store.close();
      const again = await home.open();
      expect(await call(again, secret, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
      expect(await call(again, longer, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
    }
    return days.length * 6;
  },
);

promise(
  [36],
  "a clock before 1970 revives nothing, and the store does not adopt its time",
  async () => {
    const store = await tempHome().open();
    const { secret } = await createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
    expect(await call(store, secret, NOW + DAY)).toBe("TOKEN_EXPIRED");
    expect(await call(store, secret, -NOW)).toBe("TOKEN_EXPIRED");
    expect(await codeOf(() => store.resetClock(-1))).toBe("USAGE");
    return 1;
  },
);

test("resetting a clock that was once in the future works in every process, and the audit log records it", async () => {
  const home = tempHome();
  const events: CredentialEvent[] = [];
  const audit = () => listSink(events);
  const [shell, server] = [await home.open({ audit }), await home.open()];
  const { secret } = await createToken(shell, { name: "laptop", ttlMs: 30 * DAY }, NOW);
  expect(await call(server, secret, NOW)).toBe("laptop");
  // The server has seen the future time and has not yet written it; the shell has.
  expect(await call(server, secret, NOW + 2 * YEAR)).toBe("TOKEN_EXPIRED");
  await createToken(shell, { name: "too long" }, NOW + YEAR);
  expect(shell.clock().known).toBe(NOW + YEAR);
  expect([await call(shell, secret, NOW), await call(server, secret, NOW)]).toEqual([
    "TOKEN_EXPIRED",
    "TOKEN_EXPIRED",
  ]);
  shell.resetClock(NOW);
  expect([shell.clock().known, server.clock().known]).toEqual([NOW, NOW]);
  expect([await call(shell, secret, NOW), await call(server, secret, NOW)]).toEqual([
    "laptop",
    "laptop",
  ]);
  await server.close();
  const next = await home.open();
  expect([next.clock().known, await call(next, secret, NOW)]).toEqual([NOW, "laptop"]);
  expect(events.filter(({ event }) => event === "store.reset-clock")).toEqual([
    {
      event: "store.reset-clock",
      details: {
        from: new Date(NOW + YEAR).toISOString(),
        to: new Date(NOW).toISOString(),
      },
    },
  ]);
});

test("a use recorded under a future clock does not hide later ones", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = await createToken(store, { name: "key", ttlMs: 365 * DAY }, NOW);
  expect(await call(store, secret, NOW + 300 * DAY)).toBe("key");
  await store.write(() => undefined);
  store.resetClock(NOW);
  expect(await call(store, secret, NOW)).toBe("key");
  await store.close();
  const [record] = await (await home.open()).list();
  expect(record?.lastUsedAt).toBe(NOW - 30_000);
});
