import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { newId, newSecret } from "../../src/credentials/secret-format.ts";
import { digestOf } from "../../src/credentials/seal.ts";
import type { CredentialStore } from "../../src/credentials/store.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { tempHome } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:30Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns the name of the principal, or code and detail of the refusal. */
function call(store: CredentialStore | undefined, secret: string, now = NOW): string {
  try {
    return authenticate(store, secret, now).name;
  } catch (error) {
    if (error instanceof SvcError) return `${error.code}: ${error.detail}`;
    throw error;
  }
}

test("a valid token gives its principal", async () => {
  const store = await tempHome().open();
  const { record, secret } = createToken(
    store,
    { name: "laptop", namespaces: ["docs"], readOnly: true, ttlMs: DAY },
    NOW,
  );
  const principal = authenticate(store, secret, NOW);
  expect(principal).toMatchObject({
    id: record.id,
    kind: "token",
    name: "laptop",
    readOnly: true,
    expiresAt: NOW + DAY,
  });
  expect(["docs", "api"].map((name) => principal.canAccess(name))).toEqual([true, false]);
});

test("each refusal has its code, and a hint for fixing it", async () => {
  const store = await tempHome().open();
  const { secret, record } = createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
  const create = "Run `svc auth token create --name NAME --save`.";
  const unknown = `UNAUTHENTICATED: The credential is not known on this machine. ${create}`;
  expect(call(store, newSecret("token"))).toBe(unknown);
  expect(call(undefined, secret)).toBe(unknown);
  expect(call(store, "sk-other")).toBe(
    `UNAUTHENTICATED: This is not a credential of svc. ${create}`,
  );
  expect(call(store, secret.slice(0, -1))).toBe(
    "CREDENTIAL_MALFORMED: The credential is mistyped or cut short. Copy it again as one word of 42 characters. " +
      `If it is lost, r${create.slice(1)}`,
  );
  expect(call(store, secret, NOW + DAY)).toBe(
    `TOKEN_EXPIRED: The access token "laptop" expired at 2030-01-02T00:00:30.000Z. ${create}`,
  );
  store.write(({ put }) => put({ ...record, revokedAt: NOW }));
  expect(call(store, secret)).toBe(
    `CREDENTIAL_REVOKED: The credential "laptop" was revoked. ${create}`,
  );
});

test("an API key is refused in place of a token, and vice versa", async () => {
  const store = await tempHome().open();
  const key = newSecret("key");
  const record = { id: newId("key"), kind: "key", name: "search", namespaces: ["docs"] } as const;
  const digest = digestOf(key).toString("hex");
  store.write(({ put }) => put({ ...record, readOnly: true, createdAt: NOW, digest }));
  expect(call(store, key)).toMatch(/^UNAUTHENTICATED: .* MCP takes an access token/);
  const principal = authenticate(store, key, NOW, "key");
  const { id, kind, name } = record;
  expect(principal).toMatchObject({ id, kind, name, readOnly: true, expiresAt: undefined });
  expect(principal.canAccess("docs")).toBe(true);
  const { secret } = createToken(store, { name: "laptop" }, NOW);
  expect(() => authenticate(store, secret, NOW, "key")).toThrow(
    expect.objectContaining({ code: "UNAUTHENTICATED" }),
  );
});

test("a token is valid until the millisecond it expires", async () => {
  const store = await tempHome().open();
  const { secret } = createToken(store, { name: "laptop", ttlMs: MINUTE }, NOW);
  expect(call(store, secret, NOW + MINUTE - 1)).toBe("laptop");
  expect(call(store, secret, NOW + MINUTE)).toMatch(/^TOKEN_EXPIRED/);
});

test("a clock set back revives no expired token, in this process or the next", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = createToken(store, { name: "laptop", ttlMs: 5 * MINUTE }, NOW);
  expect(call(store, secret, NOW + 6 * MINUTE)).toMatch(/^TOKEN_EXPIRED/);
  expect(call(store, secret, NOW)).toMatch(/^TOKEN_EXPIRED/);
  store.close();
  expect(call(await home.open(), secret, NOW)).toMatch(/^TOKEN_EXPIRED/);
});

test("a token created under a clock that was set back is valid for its whole lifetime", async () => {
  const store = await tempHome().open();
  createToken(store, { name: "before" }, NOW);
  const { secret } = createToken(store, { name: "after", ttlMs: DAY }, NOW - 7 * DAY);
  expect(call(store, secret, NOW + DAY - 1)).toBe("after");
  expect(call(store, secret, NOW + DAY)).toMatch(/^TOKEN_EXPIRED/);
});

test("a revocation by another opening is refused at the next call", async () => {
  const home = tempHome();
  const [server, shell] = [await home.open(), await home.open()];
  const { secret, record } = createToken(shell, { name: "laptop" }, NOW);
  expect(call(server, secret)).toBe("laptop");
  shell.write(({ put }) => put({ ...record, revokedAt: NOW }));
  expect(call(server, secret)).toMatch(/^CREDENTIAL_REVOKED/);
});

test("the last use is recorded to the minute, without a write for each call", async () => {
  const home = tempHome();
  const [store, watcher] = [await home.open(), await home.open()];
  const { secret } = createToken(store, { name: "laptop" }, NOW);
  for (let at = 0; at < 50; at++) call(store, secret, NOW + at * 1000);
  expect(watcher.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual([undefined]);
  store.close();
  expect(watcher.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual([NOW + MINUTE / 2]);
});

test("a use does not undo a revocation made meanwhile", async () => {
  const home = tempHome();
  const [server, shell] = [await home.open(), await home.open()];
  const { secret, record } = createToken(server, { name: "laptop" }, NOW);
  expect(call(server, secret)).toBe("laptop");
  shell.write(({ put }) => put({ ...record, revokedAt: NOW }));
  server.close();
  expect(call(shell, secret)).toMatch(/^CREDENTIAL_REVOKED/);
});
