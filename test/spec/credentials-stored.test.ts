import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, expect } from "vitest";

import { recordOf } from "../../src/credentials/find-credential.ts";
import { createKey } from "./commands-here.ts";
import { storeOf } from "./open-store.ts";
import { createPlace, svc } from "./program.ts";
import { verifies } from "./verifies.ts";

const place = createPlace();
afterAll(place.remove);

/** Every file that the program may have written: data, settings, keys, temporary files. */
function filesLeft(): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(dirname(place.home), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, bytes: readFileSync(path) };
    });
}

/** The forms in which a secret or its hash could occur. */
function tracesOf(key: string): readonly (string | Buffer)[] {
  const digest = createHash("sha256").update(key).digest();
  return [
    key,
    // Without the prefix and the check characters.
    key.slice(4, 36),
    Buffer.from(key).toString("base64").slice(0, 40),
    Buffer.from(key).toString("hex"),
    Buffer.from(key, "utf16le"),
    digest,
    digest.toString("hex"),
    digest.toString("hex").toUpperCase(),
    digest.toString("base64").slice(0, 40),
    digest.toString("base64url").slice(0, 40),
  ];
}

verifies(
  ["2.1/only-hash-stored", "5/stored-as-hashes"],
  "the store holds the SHA-256 of a key, and no other part of it",
  async () => {
    const { key, key_id } = await createKey(place);
    const store = await storeOf(place);
    const records = await store.list();
    const record = records.find(({ id }) => id === key_id);
    expect(record?.digest).toBe(createHash("sha256").update(key).digest("hex"));
    const texts = JSON.stringify([records, (await store.defaultToken.read()) ?? null]);
    expect(texts).not.toContain(key.slice(4, 36));
    // Only the same digest authenticates the key: a lookup of the digest itself does not.
    expect((await recordOf(store, key))?.id).toBe(key_id);
    expect(await recordOf(store, record?.digest ?? "")).toBeUndefined();
  },
);

verifies(
  ["2.1/only-hash-stored", "5/stored-as-hashes"],
  "no file holds a key in any form, nor its hash unencrypted",
  async () => {
    const created = await createKey(place);
    await svc(place, "auth", "keys", "list", "--all");
    const revoked = await createKey(place);
    await svc(place, "auth", "keys", "revoke", revoked.key_id);
    const files = filesLeft();
    expect(files.some(({ path }) => path.endsWith("credentials.db"))).toBe(true);
    const found = [created.key, revoked.key]
      .flatMap(tracesOf)
      .flatMap((trace) => files.filter(({ bytes }) => bytes.includes(trace)));
    expect(found.map(({ path }) => path)).toEqual([]);
  },
);
