import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { CredentialPrincipal } from "../../../src/credentials/authenticate.ts";
import { pageOwner } from "../../../src/credentials/page-owner.ts";
import type { HttpExchange } from "../../../src/transports/http/exchange.ts";
import {
  cookieHeader,
  PageSessions,
  requireOwnPage,
} from "../../../src/transports/http/page-sessions.ts";
import { exchangeWith } from "./exchange-with.ts";

const HOUR = 60 * 60_000;
const accept = async (): Promise<CredentialPrincipal> => pageOwner();

/** Sessions with a clock that the test moves, and requests with a cookie and a page token. */
function setUp() {
  const clock = { now: 0 };
  const sessions = new PageSessions(() => clock.now);
  const outcome = async (exchange: HttpExchange): Promise<string> => {
    try {
      return (await sessions.authenticate(exchange))?.id ?? "none";
    } catch (thrown) {
      return thrown instanceof SvcError ? thrown.code : "unknown";
    }
  };
  return { clock, sessions, outcome };
}

function requestWith(
  { cookie, pageToken }: { readonly cookie: string; readonly pageToken: string },
  headers: Readonly<Record<string, string>> = {},
): HttpExchange {
  return exchangeWith({
    cookie: `theme=dark; svc-session-0=${cookie}`,
    "x-svc-page": pageToken,
    ...headers,
  });
}

test("a session needs the cookie and the page token", async () => {
  const { sessions, outcome } = setUp();
  const one = sessions.open(accept);
  const other = sessions.open(accept);
  expect(await outcome(requestWith(one))).toBe("local");
  expect(await outcome(exchangeWith({ "x-svc-page": one.pageToken }))).toBe("none");
  expect(await outcome(requestWith({ ...one, pageToken: "" }))).toBe("UNAUTHENTICATED");
  expect(await outcome(requestWith({ ...one, pageToken: other.pageToken }))).toBe(
    "UNAUTHENTICATED",
  );
  expect(await outcome(requestWith({ ...one, cookie: "guess" }))).toBe("UNAUTHENTICATED");
  // A page of another port may have set a cookie of the same name.
  const both = { cookie: `svc-session-0=theirs; __Host-svc-session-0=${one.cookie}` };
  expect(await outcome(requestWith(one, both))).toBe("local");
  expect(new Set([one.cookie, one.pageToken, other.cookie, other.pageToken]).size).toBe(4);
});

test("each use keeps a session for eight hours, for at most seven days", async () => {
  const { clock, sessions, outcome } = setUp();
  const one = sessions.open(accept);
  for (let hours = 7; hours < 7 * 24; hours += 7) {
    clock.now = hours * HOUR;
    // oxlint-disable-next-line no-await-in-loop -- time passes
    expect(await outcome(requestWith(one))).toBe("local");
  }
  clock.now = 7 * 24 * HOUR;
  expect(await outcome(requestWith(one))).toBe("UNAUTHENTICATED");
  const idle = sessions.open(accept);
  clock.now += 8 * HOUR;
  expect(await outcome(requestWith(idle))).toBe("UNAUTHENTICATED");
  expect(sessions.size).toBe(0);
});

test("a refused credential ends its session, a store that cannot be read does not", async () => {
  const { sessions, outcome } = setUp();
  let failure: SvcError | undefined = new SvcError("CREDENTIAL_STORE", "The store is away.");
  const one = sessions.open(async () => {
    if (failure !== undefined) throw failure;
    return pageOwner();
  });
  expect(await outcome(requestWith(one))).toBe("CREDENTIAL_STORE");
  failure = undefined;
  expect(await outcome(requestWith(one))).toBe("local");
  failure = new SvcError("CREDENTIAL_REVOKED", "It was revoked.");
  expect(await outcome(requestWith(one))).toBe("CREDENTIAL_REVOKED");
  failure = undefined;
  expect(await outcome(requestWith(one))).toBe("UNAUTHENTICATED");
});

test("signing out ends the session of the request only", async () => {
  const { sessions, outcome } = setUp();
  const [one, other] = [sessions.open(accept), sessions.open(accept)];
  sessions.end(requestWith({ cookie: one.cookie, pageToken: other.pageToken }));
  expect(await outcome(requestWith(one))).toBe("local");
  sessions.end(requestWith(one));
  expect(await outcome(requestWith(one))).toBe("UNAUTHENTICATED");
  expect(await outcome(requestWith(other))).toBe("local");
});

test("a session that ends while its credential is verified stays ended", async () => {
  const { sessions, outcome } = setUp();
  const { promise, resolve } = Promise.withResolvers<CredentialPrincipal>();
  const one = sessions.open(() => promise);
  const pending = outcome(requestWith(one));
  sessions.end(requestWith(one));
  resolve(pageOwner());
  await pending;
  expect(sessions.size).toBe(0);
});

test("of more than a thousand sessions the one that was not used for longest ends", async () => {
  const { sessions, outcome } = setUp();
  const [first, second] = [sessions.open(accept), sessions.open(accept)];
  for (let count = 0; count < 998; count += 1) sessions.open(accept);
  expect(await outcome(requestWith(first))).toBe("local");
  sessions.open(accept);
  expect(sessions.size).toBe(1000);
  expect(await outcome(requestWith(first))).toBe("local");
  expect(await outcome(requestWith(second))).toBe("UNAUTHENTICATED");
});

test("a one-time code works once and for two minutes", () => {
  const { clock, sessions } = setUp();
  const code = sessions.newCode();
  expect(code).toMatch(/^[\w-]{43}$/);
  sessions.useCode(code);
  expect(() => sessions.useCode(code)).toThrow("invalid or was already used");
  expect(() => sessions.useCode("guess")).toThrow("code is invalid");
  const late = sessions.newCode();
  clock.now += 2 * 60_000;
  expect(() => sessions.useCode(late)).toThrow("code is invalid");
});

test("the cookie is for this server only, and over TLS for this host only", () => {
  const plain = exchangeWith({ origin: "http://127.0.0.1:7420" });
  expect(cookieHeader(plain, "abc")).toBe("svc-session-0=abc; Path=/; HttpOnly; SameSite=Strict");
  const tls = exchangeWith({ origin: "https://code.example.org" });
  expect(cookieHeader(tls, "abc")).toBe(
    "__Host-svc-session-0=abc; Path=/; HttpOnly; SameSite=Strict; Secure",
  );
  expect(cookieHeader(tls, undefined)).toContain("=; Path=/");
  expect(cookieHeader(tls, undefined)).toContain("; Max-Age=0");
});

test("a request of another page is refused, with a valid session too", async () => {
  const { sessions, outcome } = setUp();
  const one = sessions.open(accept);
  for (const site of ["cross-site", "same-site", "none"]) {
    const headers = { "sec-fetch-site": site };
    expect(() => requireOwnPage(exchangeWith(headers))).toThrow("Only the page of this server");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcome(requestWith(one, headers))).toBe("FORBIDDEN");
  }
  expect(await outcome(requestWith(one, { "sec-fetch-site": "same-origin" }))).toBe("local");
});
