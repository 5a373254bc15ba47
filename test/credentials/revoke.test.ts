import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import type { CredentialKind } from "../../src/credentials/secret-format.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";
import type { CredentialStore } from "../../src/credentials/port.ts";
import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { auditedStore } from "./audited-store.ts";
import { codeOf } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const MINUTE = 60_000;

/** Returns code and detail of the refusal. */
async function refusal(
  store: CredentialStore | undefined,
  kind: CredentialKind,
  id: string,
): Promise<string> {
  try {
    await revokeCredential(store, { kind, id }, NOW);
    return "ok";
  } catch (error) {
    if (error instanceof SvcError) return `${error.code}: ${error.detail}`;
    throw error;
  }
}

test("a revoked key and a revoked token are refused from then on", async () => {
  const store = new MemoryCredentialStore();
  const key = await createKey(store, { name: "ci", namespaces: ["docs"] }, NOW);
  const token = await createToken(store, { name: "laptop" }, NOW);
  for (const [kind, { record, secret }] of [["key", key] as const, ["token", token] as const]) {
    expect(await codeOf(() => authenticate(store, secret, NOW, kind))).toBe("ok");
    expect(await revokeCredential(store, { kind, id: record.id }, NOW + MINUTE)).toEqual({
      record: { ...record, revokedAt: NOW + MINUTE },
      isNew: true,
      wasDefault: false,
    });
    expect(await codeOf(() => authenticate(store, secret, NOW, kind))).toBe("CREDENTIAL_REVOKED");
  }
});

test("a second revocation changes nothing and is not recorded", async () => {
  const { store, events } = auditedStore();
  const { record } = await createToken(store, { name: "laptop" }, NOW);
  const id = record.id;
  await revokeCredential(store, { kind: "token", id, reason: "lost" }, NOW);
  const { isNew, record: again } = await revokeCredential(
    store,
    { kind: "token", id },
    NOW + MINUTE,
  );
  expect([isNew, again.revokedAt]).toEqual([false, NOW]);
  expect(events.slice(1)).toEqual([
    { event: "token.revoke", credential: id, details: { reason: "lost" } },
  ]);
});

test("revoking the default token leaves the machine without one, another token does not", async () => {
  const store = new MemoryCredentialStore();
  const { defaultToken } = store;
  const kept = await createToken(store, { name: "kept" }, NOW);
  const other = await createToken(store, { name: "other" }, NOW);
  await saveDefaultToken(store, defaultToken, kept.secret);
  const revoke = async (id: string): Promise<boolean> =>
    (await revokeCredential(store, { kind: "token", id, defaultToken }, NOW)).wasDefault;
  expect([await revoke(other.record.id), await defaultToken.read()]).toEqual([false, kept.secret]);
  expect([await revoke(kept.record.id), await defaultToken.read()]).toEqual([true, undefined]);
  expect(await revoke(kept.record.id)).toBe(false);
});

test("an unknown id is refused with the closest existing one", async () => {
  const store = new MemoryCredentialStore();
  const { record } = await createKey(store, { name: "ci", namespaces: ["docs"] }, NOW);
  const near = `Did you mean ${record.id}?`;
  const last = record.id.endsWith("0") ? "1" : "0";
  const typo = record.id.slice(0, -1) + last;
  expect(await refusal(store, "key", typo)).toBe(`USAGE: There is no API key "${typo}". ${near}`);
  expect(await refusal(store, "key", "ci")).toBe(`USAGE: There is no API key "ci". ${near}`);
  const begun = record.id.slice(0, 8);
  expect(await refusal(store, "key", begun)).toBe(`USAGE: There is no API key "${begun}". ${near}`);
  const list = "Run `svc auth keys list` for the ids.";
  expect(await refusal(store, "key", "other")).toBe(`USAGE: There is no API key "other". ${list}`);
  expect(await refusal(undefined, "key", typo)).toBe(
    `USAGE: There is no API key "${typo}". ${list}`,
  );
  expect(await store.list()).toEqual([record]);
});

test("a name that several credentials share, as an older svc allowed, is refused with all their ids", async () => {
  const store = new MemoryCredentialStore();
  const one = await createToken(store, { name: "one" }, NOW);
  const two = await createToken(store, { name: "two" }, NOW);
  const made = [one.record, two.record];
  await store.write(({ put }) => made.forEach((record) => put({ ...record, name: "ci" })));
  const ids = made.map(({ id }) => id);
  expect(await refusal(store, "token", "ci")).toContain(
    `Did you mean ${ids.toSorted().join(" or ")}?`,
  );
});

test("an id of the other kind is refused with the command for it", async () => {
  const store = new MemoryCredentialStore();
  const { record } = await createToken(store, { name: "laptop" }, NOW);
  expect(await refusal(store, "key", record.id)).toBe(
    `USAGE: ${record.id} is an access token. Run \`svc auth token revoke ${record.id}\`.`,
  );
});

test("a secret in place of an id is refused with its id and never repeated", async () => {
  const store = new MemoryCredentialStore();
  const { record, secret } = await createKey(store, { name: "ci", namespaces: ["docs"] }, NOW);
  expect(await refusal(store, "token", secret)).toBe(
    `USAGE: That is a secret; \`revoke\` takes the id. Its id is ${record.id}: run \`svc auth keys revoke ${record.id}\`.`,
  );
  const unknown = "svt_000000000000000000000000000000000Byi4J";
  for (const place of [store, undefined]) {
    expect(await refusal(place, "token", unknown)).toBe(
      "USAGE: That is a secret; `revoke` takes the id. No credential of this machine has this secret.",
    );
  }
  expect(await store.list()).toEqual([record]);
});
