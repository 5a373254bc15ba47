import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { CredentialEvent } from "../../../src/credentials/audit-event.ts";
import type { StoreOptions } from "../../../src/credentials/sealed/open-store.ts";
import { deriveKeys } from "../../../src/credentials/sealed/seal.ts";
import { listSink } from "../audited-store.ts";
import { codeOf, tempHome } from "../home.ts";
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
  await (await home.open({ audit })).close();
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
