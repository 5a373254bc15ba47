import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";
import type { CredentialStore } from "../../src/credentials/port.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import { newSecret } from "../../src/credentials/secret-format.ts";
import { codeOf } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:30Z");
const DAY = 24 * 60 * 60_000;

/** Returns the name of the principal, or code and detail of the refusal. */
async function call(
  store: CredentialStore | undefined,
  secret: string,
  now = NOW,
): Promise<string> {
  try {
    return (await authenticate(store, secret, now)).name;
  } catch (error) {
    if (error instanceof SvcError) return `${error.code}: ${error.detail}`;
    throw error;
  }
}

test("a valid token gives its principal", async () => {
  const store = new MemoryCredentialStore();
  const { record, secret } = await createToken(
    store,
    { name: "laptop", namespaces: ["docs"], readOnly: true, ttlMs: DAY },
    NOW,
  );
  const principal = await authenticate(store, secret, NOW);
  expect(principal).toMatchObject({
    id: record.id,
    kind: "token",
    name: "laptop",
    readOnly: true,
    expiresAt: NOW + DAY,
  });
  expect(["docs", "api"].map((name) => principal.canAccess(name))).toEqual([true, false]);
});

test("a credential gives the same principal until it changes", async () => {
  const store = new MemoryCredentialStore();
  const { record, secret } = await createToken(store, { name: "laptop" }, NOW);
  const principal = await authenticate(store, secret, NOW);
  expect(await authenticate(store, secret, NOW)).toBe(principal);
  await store.write(({ put }) => put({ ...record, readOnly: true }));
  const changed = await authenticate(store, secret, NOW);
  expect([principal.readOnly, changed.readOnly]).toEqual([false, true]);
});

test("each refusal has its code, and a hint for fixing it", async () => {
  const store = new MemoryCredentialStore();
  const { secret, record } = await createToken(store, { name: "laptop", ttlMs: DAY }, NOW);
  const create = "Run `svc auth token create --name NAME --save`.";
  const unknown = `UNAUTHENTICATED: The credential is not known on this machine. ${create}`;
  expect(await call(store, newSecret("token"))).toBe(unknown);
  expect(await call(undefined, secret)).toBe(unknown);
  expect(await call(store, "sk-other")).toBe(
    `UNAUTHENTICATED: This is not a credential of svc. ${create}`,
  );
  expect(await call(store, secret.slice(0, -1))).toBe(
    "CREDENTIAL_MALFORMED: The credential is mistyped or cut short. Copy it again as one word of 42 characters. " +
      `If it is lost, r${create.slice(1)}`,
  );
  // Where a key is expected, the command creates a key.
  for (const wrong of ["sk-other", `${newSecret("key")}x`]) {
    await expect(authenticate(store, wrong, NOW, "key")).rejects.toMatchObject({
      hint: expect.stringContaining("un `svc auth keys create --name NAME --namespace NAMESPACE`."),
    });
  }
  expect(await call(store, secret, NOW + DAY)).toBe(
    `TOKEN_EXPIRED: The access token "laptop" expired at 2030-01-02T00:00:30.000Z. Run \`svc auth token renew ${record.id}\`.`,
  );
  await revokeCredential(store, { kind: "token", id: record.id }, NOW);
  expect(await call(store, secret)).toBe(
    `CREDENTIAL_REVOKED: The credential "laptop" was revoked. ${create}`,
  );
});

test("an API key is refused in place of a token, and vice versa", async () => {
  const store = new MemoryCredentialStore();
  const key = await createKey(store, { name: "search", namespaces: ["docs"] }, NOW);
  expect(await call(store, key.secret)).toMatch(/^UNAUTHENTICATED: .* MCP takes an access token/);
  const principal = await authenticate(store, key.secret, NOW, "key");
  const { id, kind, name } = key.record;
  expect(principal).toMatchObject({ id, kind, name, readOnly: true, expiresAt: undefined });
  expect(principal.canAccess("docs")).toBe(true);
  const { secret } = await createToken(store, { name: "laptop" }, NOW);
  expect(await codeOf(() => authenticate(store, secret, NOW, "key"))).toBe("UNAUTHENTICATED");
});

test("a token created under a clock that was set back is valid for its whole lifetime", async () => {
  const store = new MemoryCredentialStore();
  await createToken(store, { name: "before" }, NOW);
  const { secret } = await createToken(store, { name: "after", ttlMs: DAY }, NOW - 7 * DAY);
  expect(await call(store, secret, NOW + DAY - 1)).toBe("after");
  expect(await call(store, secret, NOW + DAY)).toMatch(/^TOKEN_EXPIRED/);
});
