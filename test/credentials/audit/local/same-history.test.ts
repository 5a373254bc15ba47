// The store and the audit log record each other's state: which of them may lag behind, and which may not.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { silentLogger } from "../../../../src/base/log.ts";
import { LocalAuditLog } from "../../../../src/credentials/audit/local/local-audit-log.ts";
import { ChainKey } from "../../../../src/credentials/audit/chain.ts";
import { readLogEnd } from "../../../../src/credentials/audit/local/log-end.ts";
import { verifyAuditLog } from "../../../../src/credentials/audit/local/verify.ts";
import {
  openOrCreateStore,
  openStore,
  type StoreOptions,
} from "../../../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../../../src/credentials/access-tokens.ts";
import { promise } from "../../../trust/promise.ts";
import { call } from "./temp-log.ts";
import { auditedHome, logDamage, openAudited } from "../../faults/audited.ts";
import { codeOf, tempHome } from "../../home.ts";

const opens = (home: StoreOptions): Promise<string> =>
  codeOf(async () => (await openStore(home))?.close());

/** Writes the rows of a copy into a store that is in use. */
function putBack(database: string, copy: string): void {
  const db = new DatabaseSync(database);
  db.exec(`ATTACH '${copy}' AS copy; BEGIN;
    DELETE FROM header; INSERT INTO header SELECT * FROM copy.header;
    DELETE FROM sealed; INSERT INTO sealed SELECT * FROM copy.sealed; COMMIT`);
  db.close();
}

test("each change leaves the line of the log and the generation that the other one knows", async () => {
  const { root } = tempHome();
  const { store, close } = await openAudited(root);
  for (const name of ["one", "two"]) await createToken(store, { name });
  const end = readLogEnd(auditedHome(root).auditPlaces, new ChainKey(store.auditKey));
  const { line, generation } = store.history();
  expect([end?.generation, generation]).toEqual([2, 2]);
  // The commit line of the change comes after the last line that the store records.
  expect(end?.seq).toBe((line?.seq ?? 0) + 1);
  await close();
});

test("a store of an older svc, which records no log, opens and records it with its next change", async () => {
  const { root } = tempHome();
  const home = auditedHome(root);
  const old = await openOrCreateStore({
    directory: home.directory,
    keyDirectory: home.keyDirectory,
  });
  await createToken(old, { name: "one" });
  expect(old.history().line).toBeUndefined();
  await old.close();
  expect(await opens(home)).toBe("ok");
  const { store, close } = await openAudited(root);
  await createToken(store, { name: "two" });
  expect(store.history().line).toMatchObject({ seq: 2 });
  expect(logDamage(root, store)).toBeUndefined();
  await close();
  expect(await opens(home)).toBe("ok");
});

test("the line that the store records may be in a file dropped since", async () => {
  const { root } = tempHome();
  const { store, close } = await openAudited(root);
  await createToken(store, { name: "one" });
  const key = store.auditKey;
  await close();
  const home = auditedHome(root);
  const log = new LocalAuditLog({
    ...home.auditPlaces,
    key,
    withQueries: false,
    log: silentLogger,
    fileBytes: 2000,
    files: 2,
  });
  for (let at = 0; at < 50; at += 1) {
    log.recordCall(call({ request: at }));
    log.flush();
  }
  await log.close();
  const again = await openAudited(root);
  expect(again.store.history().line?.seq).toBeLessThan(10);
  expect(logDamage(root, again.store)).toBeUndefined();
  await createToken(again.store, { name: "two" });
  await again.close();
  expect(await opens(home)).toBe("ok");
});

test("a log deleted under a running process continues after the line that the store records", async () => {
  const { root } = tempHome();
  const { store, close } = await openAudited(root);
  await createToken(store, { name: "one" });
  const { auditPlaces } = auditedHome(root);
  rmSync(auditPlaces.directory, { recursive: true });
  rmSync(join(auditPlaces.keyDirectory, "audit.head"));
  await createToken(store, { name: "two" });
  const result = verifyAuditLog(auditPlaces, new ChainKey(store.auditKey));
  expect(result?.first).toBe(5);
  expect(result?.damage?.detail).toContain("the log was gone; its last known line was 4");
  await close();
  // The committed generation is not lost with the log.
  const again = await openAudited(root);
  expect(again.store.history().generation).toBe(2);
  await again.close();
});

test("a running process does not accept an older copy of the store and its anchor as the newest", async () => {
  const home = tempHome();
  const store = await home.open();
  await createToken(store, { name: "one" });
  const anchor = readFileSync(home.anchor);
  await store.close();
  const copy = join(home.root, "copy");
  copyFileSync(home.database, copy);
  const running = await home.open();
  await createToken(running, { name: "two" });
  putBack(home.database, copy);
  writeFileSync(home.anchor, anchor);
  expect(await codeOf(() => running.list())).toBe("CREDENTIAL_STORE");
});

test("nor does a process that has not read the newest state: the log records it", async () => {
  const { root } = tempHome();
  const { directory, keyDirectory } = auditedHome(root);
  const [database, anchor] = [
    join(directory, "credentials.db"),
    join(keyDirectory, "credentials.anchor"),
  ];
  const first = await openAudited(root);
  await createToken(first.store, { name: "one" });
  await first.close();
  const [copy, before] = [join(root, "copy"), readFileSync(anchor)];
  copyFileSync(database, copy);
  const [slow, other] = [await openAudited(root), await openAudited(root)];
  await createToken(other.store, { name: "two" });
  putBack(database, copy);
  writeFileSync(anchor, before);
  expect(await codeOf(() => createToken(slow.store, { name: "three" }))).toBe("CREDENTIAL_STORE");
  await slow.close();
  await other.close();
});

promise(
  [47],
  "an older copy of the store, of the audit log or of its head, or none of the latter two, is refused or named",
  async () => {
    const { root } = tempHome();
    const home = auditedHome(root);
    const head = join(root, "keys", "audit.head");
    const parts = {
      store: [home.directory, join(root, "keys", "credentials.anchor")],
      log: [home.auditPlaces.directory],
      head: [head],
    };
    const copyOf = (path: string, at: number): string => join(root, `copy-${at}`, path);
    const changes = 3;
    for (let at = 1; at <= changes; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      const { store, close } = await openAudited(root);
      await createToken(store, { name: `change ${at}` });
      await close();
      for (const path of Object.values(parts).flat()) {
        mkdirSync(join(copyOf(path, at), ".."), { recursive: true });
        cpSync(path, copyOf(path, at), { recursive: true });
      }
    }
    /** Restores a part to its state after that change; 0 removes it. */
    const put = (part: keyof typeof parts, at: number): void => {
      for (const path of parts[part]) {
        rmSync(path, { recursive: true, force: true });
        if (at > 0) cpSync(copyOf(path, at), path, { recursive: true });
      }
    };
    let cases = 0;
    for (let store = 1; store <= changes; store += 1) {
      for (let log = 0; log <= changes; log += 1) {
        for (let newest = 0; newest <= changes; newest += 1) {
          put("store", store);
          put("log", log);
          put("head", newest);
          /* oxlint-disable no-await-in-loop -- one case after the other in one place */
          const isRefused = (await opens(home)) !== "ok";
          const { auditPlaces: _, ...alone } = home;
          const opened = await openStore(alone);
          /* oxlint-enable no-await-in-loop */
          const damage = opened && logDamage(root, opened);
          await opened?.close();
          // A lagging head is what a killed process leaves. Copies from the same moment cannot be distinguished
          // from the originals.
          const isConsistent = store === log && newest > 0 && newest <= log;
          expect([{ store, log, newest }, damage === undefined]).toEqual([
            { store, log, newest },
            isConsistent,
          ]);
          if (isConsistent) expect(isRefused).toBe(false);
          if (store < log || newest === 0 || store < newest) expect(isRefused).toBe(true);
          cases += 1;
        }
      }
    }
    return cases;
  },
);
