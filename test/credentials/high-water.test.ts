import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import { HighWater, withClockReset } from "../../src/credentials/high-water.ts";
import type { CredentialStore } from "../../src/credentials/store.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { listSink } from "./audited-home.ts";
import { codeOf, tempHome } from "./home.ts";
import { promise } from "../trust/promise.ts";

const NOW = Date.parse("2030-01-01T00:00:30Z");
const DAY = 24 * 60 * 60_000;
const YEAR = 365 * DAY;
const time = fc.integer({ min: -1e15, max: Date.UTC(9999, 11, 31) });

/** What authenticating comes to: the token's name, or the code of the refusal. */
function call(store: CredentialStore, secret: string, now: number): string {
  try {
    return authenticate(store, secret, now).name;
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

test("a reset makes what was seen before it forgotten, and nothing after it", () => {
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
  "%d is no time: nobody is let in by it, and no clock is set to it",
  async (now) => {
    const store = await tempHome().open();
    const { secret } = createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
    expect(call(store, secret, now)).toBe("CREDENTIAL_STORE");
    expect(await codeOf(() => createToken(store, { name: "other" }, now))).toBe("CREDENTIAL_STORE");
    expect(await codeOf(() => store.resetClock(now))).toBe("USAGE");
    expect(call(store, secret, NOW)).toBe("laptop");
  },
);

promise(
  [36],
  "an expired credential stays expired when the clock is set back, also after a restart, in every time zone",
  async () => {
    const zones = ["UTC", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"];
    const { TZ: zone } = process.env;
    onTestFinished(
      () => void (zone === undefined ? delete process.env["TZ"] : (process.env["TZ"] = zone)),
    );
    // The clocks of each zone but the first are changed on one of these days.
    const days = ["2031-03-09", "2031-04-06", "2031-10-05", "2031-11-02", "2011-12-30"];
    for (const [at, day] of days.entries()) {
      process.env["TZ"] = zones[at % zones.length];
      const start = Date.parse(`${day}T00:00:00Z`);
      const home = tempHome();
      const store = await home.open();
      const { secret } = createToken(store, { name: "laptop", ttlMs: DAY }, start);
      const { secret: longer } = createToken(store, { name: "other" }, start);
      expect(call(store, secret, start + DAY - 1)).toBe("laptop");
      expect(call(store, secret, start + DAY)).toBe("TOKEN_EXPIRED");
      expect(call(store, longer, start + 31 * DAY)).toBe("TOKEN_EXPIRED");
      expect(call(store, longer, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
      store.close();
      const again = await home.open();
      expect(call(again, secret, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
      expect(call(again, longer, start + 31 * DAY - YEAR)).toBe("TOKEN_EXPIRED");
    }
    return days.length * 6;
  },
);

promise(
  [36],
  "a clock before 1970 revives no credential, and the store does not adopt it",
  async () => {
    const store = await tempHome().open();
    const { secret } = createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
    expect(call(store, secret, NOW + DAY)).toBe("TOKEN_EXPIRED");
    expect(call(store, secret, -NOW)).toBe("TOKEN_EXPIRED");
    expect(await codeOf(() => store.resetClock(-1))).toBe("USAGE");
    return 1;
  },
);

test("a clock that once stood in the future is mended in every process, and told to the audit log", async () => {
  const home = tempHome();
  const events: CredentialEvent[] = [];
  const audit = () => listSink(events);
  const [shell, server] = [await home.open({ audit }), await home.open()];
  const { secret } = createToken(shell, { name: "laptop", ttlMs: 30 * DAY }, NOW);
  expect(call(server, secret, NOW)).toBe("laptop");
  // The server has seen the future and has not yet written it; the shell has.
  expect(call(server, secret, NOW + 2 * YEAR)).toBe("TOKEN_EXPIRED");
  createToken(shell, { name: "too long" }, NOW + YEAR);
  expect(shell.clock().known).toBe(NOW + YEAR);
  expect([call(shell, secret, NOW), call(server, secret, NOW)]).toEqual([
    "TOKEN_EXPIRED",
    "TOKEN_EXPIRED",
  ]);
  shell.resetClock(NOW);
  expect([shell.clock().known, server.clock().known]).toEqual([NOW, NOW]);
  expect([call(shell, secret, NOW), call(server, secret, NOW)]).toEqual(["laptop", "laptop"]);
  server.close();
  const next = await home.open();
  expect([next.clock().known, call(next, secret, NOW)]).toEqual([NOW, "laptop"]);
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

test("a use that was noted under a clock of the future does not hide later ones", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = createToken(store, { name: "key", ttlMs: 365 * DAY }, NOW);
  expect(call(store, secret, NOW + 300 * DAY)).toBe("key");
  store.write(() => undefined);
  store.resetClock(NOW);
  expect(call(store, secret, NOW)).toBe("key");
  store.close();
  const [record] = (await home.open()).list();
  expect(record?.lastUsedAt).toBe(NOW - 30_000);
});
