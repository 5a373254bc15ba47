import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { renewToken, type TokenChoice } from "../../src/credentials/renew.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import type { CredentialStore } from "../../src/credentials/port.ts";
import { auditedStore } from "./audited-store.ts";
import { codeOf } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const DAY = 24 * 60 * 60_000;

/** Returns code and detail of the refusal. */
async function refusal(
  store: CredentialStore | undefined,
  choice: TokenChoice,
  now = NOW,
): Promise<string> {
  try {
    await renewToken(store, choice, { now });
    return "ok";
  } catch (error) {
    if (error instanceof SvcError) return `${error.code}: ${error.detail}`;
    throw error;
  }
}

test("an expired token works again with its old value and its limits", async () => {
  const { store, events } = auditedStore();
  const { record, secret } = await createToken(
    store,
    { name: "ci", ttlMs: DAY, namespaces: ["docs"], readOnly: true },
    NOW,
  );
  const later = NOW + 2 * DAY;
  expect(await codeOf(() => authenticate(store, secret, later))).toBe("TOKEN_EXPIRED");
  const renewed = await renewToken(store, { id: record.id }, { ttlMs: 3 * DAY, now: later });
  expect(renewed).toEqual({ record: { ...record, expiresAt: later + 3 * DAY }, isNew: true });
  const { id, namespaces, readOnly } = await authenticate(store, secret, later);
  expect({ id, namespaces, readOnly }).toEqual({
    id: record.id,
    namespaces: ["docs"],
    readOnly: true,
  });
  expect(await codeOf(() => authenticate(store, secret, later + 3 * DAY))).toBe("TOKEN_EXPIRED");
  expect(events.slice(1)).toEqual([
    { event: "token.renew", credential: record.id, details: { ttl_ms: 3 * DAY } },
  ]);
});

test("without a lifetime a token gets 30 days and never loses time; with one it may", async () => {
  const { store, events } = auditedStore();
  const { record } = await createToken(store, { name: "long", ttlMs: 90 * DAY }, NOW);
  const id = record.id;
  expect(await renewToken(store, { id }, { now: NOW })).toEqual({ record, isNew: false });
  expect(events).toHaveLength(1);
  const { record: shorter } = await renewToken(store, { id }, { ttlMs: DAY, now: NOW });
  expect(shorter.expiresAt).toBe(NOW + DAY);
  const { record: usual } = await renewToken(store, { name: "long" }, { now: NOW });
  expect(usual.expiresAt).toBe(NOW + 30 * DAY);
  for (const ttlMs of [59_999, 366 * DAY]) {
    expect(await codeOf(() => renewToken(store, { id }, { ttlMs, now: NOW }))).toBe("USAGE");
  }
});

test("the saved token is the default; without one the error names the remedy", async () => {
  const { store } = auditedStore();
  const choice = { saved: store.defaultToken };
  expect(await refusal(store, choice)).toContain(
    "USAGE: No access token is saved on this machine.",
  );
  expect(await refusal(undefined, choice)).toContain("svc auth token create --name NAME --save");
  const { record, secret } = await createToken(store, { name: "mine" }, NOW);
  await saveDefaultToken(store, store.defaultToken, secret);
  const { record: renewed } = await renewToken(store, choice, { now: NOW + 31 * DAY });
  expect(renewed).toEqual({ ...record, expiresAt: NOW + 61 * DAY });
});

test("a name means the token in force, though earlier ones had it", async () => {
  const { store } = auditedStore();
  const old = await createToken(store, { name: "ci", ttlMs: DAY }, NOW);
  const current = await createToken(store, { name: "ci", ttlMs: DAY }, NOW + 2 * DAY);
  const { record } = await renewToken(store, { name: "ci" }, { now: NOW + 2 * DAY });
  expect(record.id).toBe(current.record.id);
  // Nobody could distinguish two valid tokens with one name.
  expect(await refusal(store, { id: old.record.id }, NOW + 2 * DAY)).toContain(
    `USAGE: There is an access token "ci" already: ${current.record.id}.`,
  );
});

test("what cannot be renewed says why", async () => {
  const { store } = auditedStore();
  const { record, secret } = await createToken(store, { name: "ci" }, NOW);
  const key = await createKey(store, { name: "page", namespaces: "all" }, NOW);
  expect(await refusal(store, { id: key.record.id })).toContain("API keys do not expire.");
  const ofSecret = await refusal(store, { id: secret });
  expect(ofSecret).toContain(`svc auth token renew ${record.id}`);
  expect(ofSecret).not.toContain(secret);
  expect(await refusal(store, { id: "ci" })).toContain(`Did you mean ${record.id}?`);
  expect(await refusal(store, { name: "CI" })).toContain('no access token with the name "CI"');
  expect(await refusal(undefined, { id: record.id })).toContain("There is no access token");
  await revokeCredential(store, { kind: "token", id: record.id }, NOW);
  expect(await refusal(store, { id: record.id })).toContain('The access token "ci" (tok_');
  expect(await refusal(store, { name: "ci" })).toContain("A revoked token cannot be renewed.");
});
