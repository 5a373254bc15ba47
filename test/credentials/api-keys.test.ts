import { assert, asyncProperty, stringMatching } from "fast-check";
import { expect, test } from "vitest";

import { authenticate } from "../../src/credentials/authenticate.ts";
import { createKey, namespacesOfKey } from "../../src/credentials/api-keys.ts";
import { secretDigest } from "../../src/credentials/secret-digest.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";
import { isNamespaceName } from "../../src/sources/namespace.ts";
import { auditedStore } from "./audited-store.ts";
import { codeOf } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const YEAR = 365 * 24 * 60 * 60_000;

test("a key is bound to its namespace, may read only, and does not expire", async () => {
  const store = new MemoryCredentialStore();
  const { record, secret } = await createKey(store, { name: "ci", namespaces: ["docs"] }, NOW);
  expect(record).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    kind: "key",
    name: "ci",
    namespaces: ["docs"],
    readOnly: true,
    createdAt: NOW,
    digest: secretDigest(secret),
  });
  expect(secret).toMatch(/^svk_[0-9A-Za-z]{38}$/);
  expect(namespacesOfKey(record)).toEqual({ namespace: "docs" });
  expect(await store.list()).toEqual([record]);
  const principal = await authenticate(store, secret, NOW + 50 * YEAR, "key");
  expect(["docs", "api"].map((name) => principal.canAccess(name))).toEqual([true, false]);
});

test("malformed names and namespaces are refused, and nothing is stored", async () => {
  const store = new MemoryCredentialStore();
  const bad = [
    { name: "", namespaces: ["docs"] },
    { name: "two\nlines", namespaces: ["docs"] },
    { name: "ci", namespaces: [] },
    { name: "ci", namespaces: [""] },
    { name: "ci", namespaces: ["docs", "Docs"] },
    { name: "ci", namespaces: ["docs,api"] },
    { name: "ci", namespaces: ["../docs"] },
  ];
  for (const request of bad) {
    expect([request, await codeOf(() => createKey(store, request, NOW))]).toEqual([
      request,
      "USAGE",
    ]);
  }
  expect(await store.list()).toEqual([]);
});

test("a key can access its namespace and no other", async () => {
  const store = new MemoryCredentialStore();
  const namespace = stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/).filter(isNamespaceName);
  let made = 0;
  await assert(
    asyncProperty(namespace, namespace, async (own, other) => {
      made += 1;
      const { secret } = await createKey(store, { name: `ci ${made}`, namespaces: [own] }, NOW);
      const principal = await authenticate(store, secret, NOW, "key");
      expect(principal.canAccess(own)).toBe(true);
      expect(principal.canAccess(other)).toBe(own === other);
    }),
    { numRuns: 20 },
  );
});

test("the audit log records the creation, without name or secret", async () => {
  const { store, events } = auditedStore();
  const { record } = await createKey(store, { name: "ci", namespaces: ["docs"] }, NOW);
  expect(events).toEqual([
    { event: "key.create", credential: record.id, details: { namespace: "docs" } },
  ]);
});

test("a key can be for several namespaces, or for all that there are and will be", async () => {
  const { store, events } = auditedStore();
  const several = await createKey(
    store,
    { name: "portal", namespaces: ["web", "api", "web"] },
    NOW,
  );
  const all = await createKey(store, { name: "admin", namespaces: "all" }, NOW);
  const access = async (secret: string): Promise<readonly boolean[]> => {
    const principal = await authenticate(store, secret, NOW, "key");
    return ["web", "api", "docs"].map((name) => principal.canAccess(name));
  };
  expect(await access(several.secret)).toEqual([true, true, false]);
  expect(await access(all.secret)).toEqual([true, true, true]);
  expect([several, all].map(({ record }) => namespacesOfKey(record))).toEqual([
    { namespaces: ["web", "api"] },
    { namespaces: "all" },
  ]);
  expect(events.map(({ details }) => details)).toEqual([
    { namespaces: ["web", "api"] },
    { namespaces: "all" },
  ]);
});
