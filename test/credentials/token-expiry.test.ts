import { expect, test } from "vitest";

import { expiresSoon, expiryNote, renewCommand } from "../../src/credentials/token-expiry.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const TOKEN = { id: "tok_0123456789abcdef", name: "laptop" };

test("a token expires soon in its last seven days, and never without an expiry", () => {
  expect(expiresSoon(NOW + 7 * DAY + 1, NOW)).toBe(false);
  expect(expiresSoon(NOW + 7 * DAY, NOW)).toBe(true);
  expect(expiresSoon(NOW - 1, NOW)).toBe(true);
  expect(expiresSoon(undefined, NOW)).toBe(false);
});

test.each([
  [7 * DAY, "in 7 days, at 2030-01-08T00:00:00.000Z"],
  [2 * DAY - 1, "in 47 hours"],
  [HOUR, "in less than 2 hours"],
])("%d ms before the end, the note says how long it is", (leftMs, text) => {
  const note = expiryNote({ ...TOKEN, expiresAt: NOW + leftMs }, "store", NOW);
  expect(note).toContain(`the access token "laptop" of svc expires ${text}`);
  expect(note).toContain("Run `svc auth token renew` to renew it.");
});

test("earlier there is no note; the note is one line, whatever the name", () => {
  expect(expiryNote({ ...TOKEN, expiresAt: NOW + 8 * DAY }, "store", NOW)).toBeUndefined();
  expect(expiryNote({ ...TOKEN, expiresAt: undefined }, "store", NOW)).toBeUndefined();
  const hostile = { ...TOKEN, name: 'a"\u2028`b`', expiresAt: NOW + DAY };
  expect(expiryNote(hostile, "environment", NOW)).toMatch(
    /^Note for your user: the access token "a {3}b " of svc expires .* Run `svc auth token renew tok_0123456789abcdef` to renew it\.$/,
  );
});

test("the saved token needs no id", () => {
  expect(renewCommand("store", TOKEN.id)).toBe("svc auth token renew");
  expect(renewCommand("environment", TOKEN.id)).toBe(`svc auth token renew ${TOKEN.id}`);
});
