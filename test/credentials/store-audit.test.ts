import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import type { StoreOptions } from "../../src/credentials/open-store.ts";
import { deriveKeys } from "../../src/credentials/seal.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { listSink } from "./audited-home.ts";
import { codeOf, tempHome } from "./home.ts";
import { readFileSync } from "node:fs";

/** Records events until it is closed; after that it fails, like a log on a full disk. */
function recorder(): {
  readonly audit: NonNullable<StoreOptions["audit"]>;
  readonly events: CredentialEvent[];
  readonly keys: Buffer[];
  readonly close: () => void;
} {
  const events: CredentialEvent[] = [];
  const keys: Buffer[] = [];
  let isClosed = false;
  return {
    events,
    keys,
    close: () => void (isClosed = true),
    audit: ({ auditKey }) => {
      keys.push(auditKey);
      return listSink(events, () => {
        if (isClosed) throw new SvcError("STORAGE_FULL", "The disk is full.");
      });
    },
  };
}

test("the creation of a store is recorded once, and not when it is opened again", async () => {
  const home = tempHome();
  const { audit, events, keys } = recorder();
  (await home.open({ audit })).close();
  await home.open({ audit });
  expect(events).toEqual([{ event: "store.create", details: { key: "file" } }]);
  expect(keys).toHaveLength(2);
});

test("the key of the log is the audit sub-key of the data key", async () => {
  const home = tempHome();
  const { auditKey } = await home.open();
  const dataKey = Buffer.from(readFileSync(home.key, "utf8"), "base64");
  expect(auditKey.equals(deriveKeys(dataKey).audit)).toBe(true);
});

test("a store whose creation cannot be recorded is not created", async () => {
  const home = tempHome();
  const { audit, close } = recorder();
  close();
  expect(await codeOf(() => home.open({ audit }))).toBe("STORAGE_FULL");
  const store = await home.open();
  expect(store.header.generation).toBe(0);
});

test("the events of a change are recorded in order, after its callback has returned", async () => {
  const { audit, events } = recorder();
  const store = await tempHome().open({ audit });
  events.length = 0;
  const told: CredentialEvent[] = [
    { event: "key.create", credential: "key_1", details: { namespace: "docs" } },
    { event: "token.revoke", credential: "tok_2" },
  ];
  const during = store.write((change) => {
    for (const event of told) change.audit(event);
    return events.length;
  });
  expect([during, events]).toEqual([0, told]);
});

test("a change that throws is not recorded", async () => {
  const { audit, events } = recorder();
  const store = await tempHome().open({ audit });
  events.length = 0;
  expect(() =>
    store.write((change) => {
      change.audit({ event: "token.create" });
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(events).toEqual([]);
});

test("a change that cannot be recorded is undone, and the store stays usable", async () => {
  const home = tempHome();
  const { audit, close } = recorder();
  const [store, watcher] = [await home.open({ audit }), await home.open()];
  const { record } = createToken(store, { name: "one" });
  const { generation } = watcher.header;
  close();
  const revoke = (): void =>
    store.write((change) => {
      change.put({ ...record, revokedAt: 1 });
      change.audit({ event: "token.revoke", credential: record.id });
    });
  expect(await codeOf(revoke)).toBe("STORAGE_FULL");
  expect(store.list()).toEqual([record]);
  expect([watcher.list(), watcher.header.generation]).toEqual([[record], generation]);
  // A change without events needs no log.
  store.write(({ put }) => put({ ...record, name: "renamed" }));
  expect(watcher.list().map(({ name }) => name)).toEqual(["renamed"]);
});
