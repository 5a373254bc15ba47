import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import type { CredentialKind } from "../../src/credentials/secret-format.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import type { CredentialStore } from "../../src/credentials/store.ts";
import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { auditedHome } from "./audited-home.ts";
import { listSink } from "./audited-home.ts";
import { codeOf, tempHome } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const MINUTE = 60_000;

/** Returns code and detail of the refusal. */
function refusal(store: CredentialStore | undefined, kind: CredentialKind, id: string): string {
  try {
    revokeCredential(store, { kind, id }, NOW);
    return "ok";
  } catch (error) {
    if (error instanceof SvcError) return `${error.code}: ${error.detail}`;
    throw error;
  }
}

test("a revoked key and a revoked token are refused from then on", async () => {
  const store = await tempHome().open();
  const key = createKey(store, { name: "ci", namespace: "docs" }, NOW);
  const token = createToken(store, { name: "laptop" }, NOW);
  for (const [kind, { record, secret }] of [["key", key] as const, ["token", token] as const]) {
    expect(await codeOf(() => authenticate(store, secret, NOW, kind))).toBe("ok");
    expect(revokeCredential(store, { kind, id: record.id }, NOW + MINUTE)).toEqual({
      record: { ...record, revokedAt: NOW + MINUTE },
      isNew: true,
      wasDefault: false,
    });
    expect(await codeOf(() => authenticate(store, secret, NOW, kind))).toBe("CREDENTIAL_REVOKED");
  }
});

test("a second revocation changes nothing and is not recorded", async () => {
  const { store, events } = await auditedHome();
  const { record } = createToken(store, { name: "laptop" }, NOW);
  const id = record.id;
  revokeCredential(store, { kind: "token", id, reason: "lost" }, NOW);
  const { isNew, record: again } = revokeCredential(store, { kind: "token", id }, NOW + MINUTE);
  expect([isNew, again.revokedAt]).toEqual([false, NOW]);
  expect(events.slice(1)).toEqual([
    { event: "token.revoke", credential: id, details: { reason: "lost" } },
  ]);
});

test("a revocation made meanwhile through another connection is not repeated", async () => {
  const home = tempHome();
  const [one, other] = [await home.open(), await home.open()];
  const { record } = createKey(one, { name: "ci", namespace: "docs" }, NOW);
  revokeCredential(other, { kind: "key", id: record.id }, NOW);
  const { isNew, record: again } = revokeCredential(
    one,
    { kind: "key", id: record.id },
    NOW + MINUTE,
  );
  expect([isNew, again.revokedAt]).toEqual([false, NOW]);
});

test("revoking the default token leaves the machine without one, another token does not", async () => {
  const store = await tempHome().open();
  const [kept, other] = ["kept", "other"].map((name) => createToken(store, { name }, NOW));
  saveDefaultToken(store, kept?.secret ?? "");
  const revoke = (id = ""): boolean =>
    revokeCredential(store, { kind: "token", id }, NOW).wasDefault;
  expect([revoke(other?.record.id), store.defaultToken()]).toEqual([false, kept?.secret]);
  expect([revoke(kept?.record.id), store.defaultToken()]).toEqual([true, undefined]);
  expect(revoke(kept?.record.id)).toBe(false);
});

test("an unknown id is refused with the closest existing one", async () => {
  const store = await tempHome().open();
  const { record } = createKey(store, { name: "ci", namespace: "docs" }, NOW);
  const near = `Did you mean ${record.id}?`;
  const last = record.id.endsWith("0") ? "1" : "0";
  const slip = record.id.slice(0, -1) + last;
  expect(refusal(store, "key", slip)).toBe(`USAGE: There is no API key "${slip}". ${near}`);
  expect(refusal(store, "key", "ci")).toBe(`USAGE: There is no API key "ci". ${near}`);
  const begun = record.id.slice(0, 8);
  expect(refusal(store, "key", begun)).toBe(`USAGE: There is no API key "${begun}". ${near}`);
  const list = "Run `svc auth keys list` for the ids.";
  expect(refusal(store, "key", "other")).toBe(`USAGE: There is no API key "other". ${list}`);
  expect(refusal(undefined, "key", slip)).toBe(`USAGE: There is no API key "${slip}". ${list}`);
  expect(store.list()).toEqual([record]);
});

test("a name that several credentials share, as an older svc allowed, is refused with all their ids", async () => {
  const store = await tempHome().open();
  const made = ["one", "two"].map((name) => createToken(store, { name }, NOW).record);
  store.write(({ put }) => made.forEach((record) => put({ ...record, name: "ci" })));
  const ids = made.map(({ id }) => id);
  expect(refusal(store, "token", "ci")).toContain(`Did you mean ${ids.toSorted().join(" or ")}?`);
});

test("an id of the other kind is refused with the command for it", async () => {
  const store = await tempHome().open();
  const { record } = createToken(store, { name: "laptop" }, NOW);
  expect(refusal(store, "key", record.id)).toBe(
    `USAGE: ${record.id} is an access token. Run \`svc auth token revoke ${record.id}\`.`,
  );
});

test("a secret in place of an id is refused with its id and never repeated", async () => {
  const store = await tempHome().open();
  const { record, secret } = createKey(store, { name: "ci", namespace: "docs" }, NOW);
  expect(refusal(store, "token", secret)).toBe(
    `USAGE: That is a secret; a revocation takes the id. Its id is ${record.id}: run \`svc auth keys revoke ${record.id}\`.`,
  );
  const unknown = "svt_000000000000000000000000000000000Byi4J";
  for (const place of [store, undefined]) {
    expect(refusal(place, "token", unknown)).toBe(
      "USAGE: That is a secret; a revocation takes the id. No credential of this machine has this secret.",
    );
  }
  expect(store.list()).toEqual([record]);
});

test("a revocation that the audit log cannot record is not made", async () => {
  const home = tempHome();
  let isFull = false;
  const store = await home.open({
    audit: () =>
      listSink([], () => {
        if (isFull) throw new SvcError("STORAGE_FULL", "The disk is full.");
      }),
  });
  const { record, secret } = createKey(store, { name: "ci", namespace: "docs" }, NOW);
  isFull = true;
  expect(refusal(store, "key", record.id)).toBe("STORAGE_FULL: The disk is full.");
  expect(await codeOf(() => authenticate(store, secret, NOW, "key"))).toBe("ok");
});
