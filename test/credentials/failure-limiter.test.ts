import { array, assert, constantFrom, nat, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";

import { type ErrorCode, SvcError } from "../../src/base/errors.ts";
import { FailureLimiter } from "../../src/credentials/failure-limiter.ts";

const LIMIT = 10;
const MINUTE = 60_000;

/** Creates a limiter with a clock that only the test advances. */
function limitAt(maxClients?: number): { limit: FailureLimiter; clock: { now: number } } {
  const clock = { now: 0 };
  const options = maxClients === undefined ? {} : { maxClients };
  return { limit: new FailureLimiter({ now: () => clock.now, ...options }), clock };
}

function thrownBy(limit: FailureLimiter, address: string, code: ErrorCode): SvcError {
  try {
    limit.attempt(address, () => {
      throw new SvcError(code, "It is refused.");
    });
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error("an attempt that failed has passed");
}

/** Returns the error code that a failed attempt from this address gets. */
function fail(limit: FailureLimiter, address: string, code: ErrorCode = "UNAUTHENTICATED"): string {
  return thrownBy(limit, address, code).code;
}

function failTimes(limit: FailureLimiter, address: string, times = LIMIT): readonly string[] {
  return Array.from({ length: times }, () => fail(limit, address));
}

function addressOf(number: number): string {
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns true when a failure from `two` is refused after `one` used up the limit. */
function isShared(one: string, two: string): boolean {
  const { limit } = limitAt();
  expect(new Set(failTimes(limit, one))).toEqual(new Set(["UNAUTHENTICATED"]));
  return fail(limit, two) === "RATE_LIMITED";
}

test("after ten failures every kind of failure gets the same answer, with the time to wait", () => {
  const { limit, clock } = limitAt();
  failTimes(limit, "192.0.2.1");
  clock.now = 12_345;
  const codes = [
    "UNAUTHENTICATED",
    "TOKEN_EXPIRED",
    "CREDENTIAL_REVOKED",
    "CREDENTIAL_MALFORMED",
  ] as const;
  const answers = codes.map((code) => thrownBy(limit, "192.0.2.1", code));
  const [answer] = answers;
  expect(answer).toMatchObject({ code: "RATE_LIMITED", retryAfter: 48 });
  expect(answer?.detail).toContain("wait 48 s");
  expect(new Set(answers.map(({ detail }) => detail)).size).toBe(1);
});

test("a valid credential passes from a limited address and is not counted", () => {
  const { limit } = limitAt();
  for (let at = 0; at < 3 * LIMIT; at++) expect(limit.attempt("192.0.2.1", () => at)).toBe(at);
  expect(limit.size).toBe(0);
  failTimes(limit, "192.0.2.1");
  expect(fail(limit, "192.0.2.1")).toBe("RATE_LIMITED");
  expect(limit.attempt("192.0.2.1", () => "principal")).toBe("principal");
});

test("an error other than a refused credential is neither counted nor replaced", () => {
  const { limit } = limitAt();
  failTimes(limit, "192.0.2.1");
  expect(fail(limit, "192.0.2.1", "CREDENTIAL_STORE")).toBe("CREDENTIAL_STORE");
  expect(fail(limit, "192.0.2.1", "FORBIDDEN")).toBe("FORBIDDEN");
  const broken = new Error("broken");
  const verify = (): never => {
    throw broken;
  };
  expect(() => limit.attempt("192.0.2.1", verify)).toThrow(broken);
  expect(fail(limit, "192.0.2.2", "CREDENTIAL_STORE")).toBe("CREDENTIAL_STORE");
  expect(limit.size).toBe(1);
});

test("IPv4 clients are distinguished by address, IPv6 clients by their /64 network", () => {
  const same: readonly (readonly [string, string])[] = [
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["192.0.2.1", "::FFFF:c000:201"],
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    ["2001:db8::1", "2001:0DB8:0:0:1::"],
    ["2001:db8::1", "2001:db8::192.0.2.1"],
    ["fe80::1%eth0", "fe80::2"],
  ];
  const others: readonly (readonly [string, string])[] = [
    ["192.0.2.1", "192.0.2.2"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.2"],
    ["::ffff:192.0.2.1", "::1"],
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["2001:db8::1", "2001:db8:0:1::1"],
    ["1::", "::1"],
  ];
  expect(same.filter(([one, two]) => !isShared(one, two))).toEqual([]);
  expect(others.filter(([one, two]) => isShared(one, two))).toEqual([]);
});

test("a text that is no address is a client too, whose name has bounded length", () => {
  assert(property(string(), (text) => isShared(text, text)));
  assert(
    property(array(constantFrom(":", "::", ".", "%", "f", "0", "256")), (parts) =>
      isShared(parts.join(""), parts.join("")),
    ),
  );
  expect(isShared("x".repeat(100), "x".repeat(1000))).toBe(true);
});

test("a failure is forgotten after exactly 60 seconds", () => {
  const { limit, clock } = limitAt();
  failTimes(limit, "192.0.2.1");
  clock.now = MINUTE - 1;
  expect(fail(limit, "192.0.2.1")).toBe("RATE_LIMITED");
  clock.now = MINUTE;
  expect(new Set(failTimes(limit, "192.0.2.1"))).toEqual(new Set(["UNAUTHENTICATED"]));
  expect(fail(limit, "192.0.2.1")).toBe("RATE_LIMITED");
});

const steps = array(tuple(constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1"), nat(20_000)), {
  maxLength: 200,
});

test("in any 60 seconds exactly ten failures are answered", () => {
  assert(
    property(steps, (attempts) => {
      const { limit, clock } = limitAt();
      const answered = new Map<string, number[]>();
      for (const [address, laterMs] of attempts) {
        // Most come without a delay: otherwise the limit would seldom be reached.
        clock.now += laterMs < 15_000 ? 0 : laterMs;
        const times = answered.get(address) ?? [];
        answered.set(address, times);
        const inWindow = times.filter((time) => time > clock.now - MINUTE).length;
        const code = fail(limit, address);
        expect(code).toBe(inWindow < LIMIT ? "UNAUTHENTICATED" : "RATE_LIMITED");
        if (code === "UNAUTHENTICATED") times.push(clock.now);
      }
    }),
  );
});

test("a client that waits for Retry-After is answered again, one that does not is not", () => {
  assert(
    property(array(nat(6000), { minLength: LIMIT, maxLength: LIMIT }), nat(5), (gaps, tries) => {
      const { limit, clock } = limitAt();
      for (const gap of gaps) {
        clock.now += gap;
        fail(limit, "192.0.2.1");
      }
      const { retryAfter = 0 } = thrownBy(limit, "192.0.2.1", "UNAUTHENTICATED");
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      // Attempts in the meantime get the same answer and do not extend the wait.
      clock.now += (retryAfter - 1) * 1000;
      for (let at = 0; at < tries; at++) expect(fail(limit, "192.0.2.1")).toBe("RATE_LIMITED");
      clock.now += 1000;
      expect(fail(limit, "192.0.2.1")).toBe("UNAUTHENTICATED");
    }),
  );
});

test("a bounded number of failing addresses is remembered, and after a minute none", () => {
  const { limit, clock } = limitAt(100);
  for (let at = 0; at < 20_000; at++) fail(limit, addressOf(at));
  expect(limit.size).toBe(100);
  failTimes(limit, addressOf(19_999), LIMIT - 1);
  expect(fail(limit, addressOf(19_999))).toBe("RATE_LIMITED");
  clock.now += MINUTE;
  fail(limit, "192.0.2.1");
  expect(limit.size).toBe(1);
});

test("requireAllowed passes until the next failure would not be answered, and again after a minute", () => {
  const { limit, clock } = limitAt();
  const room = (address: string): string => {
    try {
      limit.requireAllowed(address);
      return "room";
    } catch (thrown) {
      if (!(thrown instanceof SvcError)) throw thrown;
      return `${thrown.code} ${thrown.retryAfter}`;
    }
  };
  for (let at = 0; at < LIMIT; at++) {
    expect(room("192.0.2.1")).toBe("room");
    expect(fail(limit, "192.0.2.1")).toBe("UNAUTHENTICATED");
  }
  expect(room("192.0.2.1")).toBe("RATE_LIMITED 60");
  expect(room("192.0.2.2")).toBe("room");
  clock.now = MINUTE - 1;
  expect(room("192.0.2.1")).toBe("RATE_LIMITED 1");
  clock.now = MINUTE;
  expect(room("192.0.2.1")).toBe("room");
  // Checking counts nothing.
  expect(limit.size).toBe(1);
});
