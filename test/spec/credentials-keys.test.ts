import { afterAll, expect } from "vitest";

import { authenticate } from "../../src/credentials/authenticate.ts";
import { createKey, listKeys } from "./commands-here.ts";
import { output } from "./credential-commands.ts";
import { moveClock, storeOf } from "./open-store.ts";
import { createPlace, createToken, svc } from "./program.ts";
import { verifies } from "./verifies.ts";

const place = createPlace();
afterAll(place.remove);

const KEY_LINE = /^svk_[0-9A-Za-z]{38}\n$/;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** The result for a key at `time`: its id, or the error code. */
async function present(key: string, time = Date.now()): Promise<string> {
  const store = await storeOf(place);
  try {
    return (await authenticate(store, key, time, "key")).id;
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}

verifies(
  ["4.5/auth-keys-create", "2.1/key-value", "3/key-created"],
  "auth keys create prints only an opaque key on standard output, and the key works",
  async () => {
    const words = ["auth", "keys", "create", "--name", "dashboard", "--namespace", "docs"];
    const run = await svc(place, ...words);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringMatching(KEY_LINE) });
    const key = run.stdout.trim();
    expect(run.stderr).not.toContain(key);
    expect(run.stderr).toContain(await present(key));
  },
);

verifies("4.5/auth-keys-create", "a key for all namespaces is for no single one too", async () => {
  const create = ["auth", "keys", "create", "--name", "both", "--namespace", "a"];
  const run = await svc(place, ...create, "--all-namespaces");
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain("--namespace cannot be used with --all-namespaces");
});

verifies("4.5/auth-keys-create", "a key needs a name and a namespace", async () => {
  for (const [flag, value, missing] of [
    ["--name", "dashboard", "--namespace"],
    ["--namespace", "docs", "--name"],
  ]) {
    const run = await svc(place, "auth", "keys", "create", flag ?? "", value ?? "");
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    expect(run.stderr).toContain(`${missing} is required`);
  }
});

verifies(
  ["2.1/key-id", "2.1/name", "2.1/namespace", "4.5/auth-keys-list", "3/key-created"],
  "auth keys list shows each active key with id, name and namespace, and no key value",
  async () => {
    const { key, ...created } = await createKey(place, { name: "wiki", namespace: "wiki-pages" });
    expect(created).toMatchObject({ name: "wiki", namespace: "wiki-pages" });
    const listed = await listKeys(place);
    expect(listed).toContainEqual({ ...created, last_used_at: null });
    const table = await output(place, "auth", "keys", "list");
    expect(table).toMatch(new RegExp(`${created.key_id} .*wiki .*wiki-pages`));
    expect(JSON.stringify(listed) + table).not.toContain(key.slice(4, 36));
  },
);

verifies(
  ["2.1/key-id", "4.5/auth-keys-revoke", "3/key-revoked", "4.5/auth-keys-list"],
  "auth keys revoke takes the id, and the key is refused and no longer listed",
  async () => {
    const kept = await createKey(place);
    const gone = await createKey(place);
    expect(await present(gone.key)).toBe(gone.key_id);
    await output(place, "auth", "keys", "revoke", gone.key_id);
    const ids = (await listKeys(place)).map(({ key_id }) => key_id);
    expect([ids.includes(kept.key_id), ids.includes(gone.key_id)]).toEqual([true, false]);
    expect(await present(gone.key)).toBe("CREDENTIAL_REVOKED");
    expect(await present(kept.key)).toBe(kept.key_id);
    expect(await listKeys(place, "--all")).toContainEqual(
      expect.objectContaining({ key_id: gone.key_id, revoked_at: expect.stringMatching(/Z$/) }),
    );
  },
);

verifies("4.5/auth-keys-revoke", "an id that is not there is wrong use", async () => {
  const run = await svc(place, "auth", "keys", "revoke", "key_0000000000000000");
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain(`no API key "key_0000000000000000"`);
});

verifies("3/key-does-not-expire", "after 50 years a key is valid, and a token is not", async () => {
  const future = createPlace();
  const created = await createKey(future);
  await createToken(future);
  const later = Date.now() + 50 * YEAR_MS;
  await moveClock(future, later);
  expect((await listKeys(future)).map(({ key_id }) => key_id)).toEqual([created.key_id]);
  expect(JSON.parse(await output(future, "auth", "token", "list", "--json"))).toEqual([]);
  const { id } = await authenticate(await storeOf(future), created.key, later, "key");
  expect(id).toBe(created.key_id);
  future.remove();
});
