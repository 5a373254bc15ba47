import { expect, test } from "vitest";

import { createKey } from "../../src/credentials/api-keys.ts";
import { matchesSecret, listCredentials } from "../../src/credentials/list-credentials.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { tempHome } from "./home.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const MINUTE = 60_000;

test("without a store there is nothing to list", () => {
  expect(listCredentials(undefined, { kind: "key", all: true }, NOW)).toEqual([]);
});

test("each kind is listed by itself, oldest first", async () => {
  const store = await tempHome().open();
  const keys = ["one", "two", "three"].map(
    (name, at) => createKey(store, { name, namespace: "docs" }, NOW + at).record,
  );
  const { record } = createToken(store, { name: "laptop" }, NOW);
  expect(listCredentials(store, { kind: "key" }, NOW)).toEqual(
    keys.map((key) => ({ record: key, state: "active", isDefault: false })),
  );
  expect(listCredentials(store, { kind: "token" }, NOW)).toMatchObject([{ record }]);
});

test("expired and revoked credentials are listed only on request", async () => {
  const store = await tempHome().open();
  const [short, long, gone] = [
    createToken(store, { name: "short", ttlMs: MINUTE }, NOW),
    createToken(store, { name: "long" }, NOW + 1),
    createToken(store, { name: "gone", ttlMs: MINUTE }, NOW + 2),
  ];
  revokeCredential(store, { kind: "token", id: gone.record.id }, NOW);
  const states = (all: boolean, now: number): string[] =>
    listCredentials(store, { kind: "token", all }, now).map(
      ({ record, state }) => `${record.name} ${state}`,
    );
  expect(states(false, NOW + MINUTE - 1)).toEqual(["short active", "long active"]);
  expect(states(false, NOW + MINUTE)).toEqual(["long active"]);
  expect(states(true, NOW + MINUTE)).toEqual(["short expired", "long active", "gone revoked"]);
  // An expired token stays expired when the clock is set back.
  expect(states(false, NOW)).toEqual(["long active"]);
  expect(matchesSecret(long.record, long.secret)).toBe(true);
  expect(matchesSecret(short.record, long.secret)).toBe(false);
});

test("the default token is marked", async () => {
  const store = await tempHome().open();
  const [first, second] = ["first", "second"].map((name) => createToken(store, { name }, NOW));
  saveDefaultToken(store, second?.secret ?? "");
  const defaults = listCredentials(store, { kind: "token" }, NOW)
    .filter(({ isDefault }) => isDefault)
    .map(({ record }) => record.id);
  expect(defaults).toEqual([second?.record.id]);
  expect(first?.record.id).not.toBe(second?.record.id);
});
