import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import { HighWater, withClockReset } from "../../src/credentials/high-water.ts";
import type { CredentialStore } from "../../src/credentials/store.ts";
import { createToken } from "../../src/credentials/tokens.ts";
import { codeOf, tempHome } from "./home.ts";

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

test("a clock before 1970 revives nothing, and is not what the store is set to", async () => {
  const store = await tempHome().open();
  const { secret } = createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
  expect(call(store, secret, NOW + DAY)).toBe("TOKEN_EXPIRED");
  expect(call(store, secret, -NOW)).toBe("TOKEN_EXPIRED");
  expect(await codeOf(() => store.resetClock(-1))).toBe("USAGE");
});

test("a clock that once stood in the future is mended in every process, and told to the audit log", async () => {
  const home = tempHome();
  const events: CredentialEvent[] = [];
  const audit = () => (event: CredentialEvent) => void events.push(event);
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
