import { expect, test } from "vitest";

import { createToken } from "../../../src/credentials/access-tokens.ts";
import { PostgresAuditLog } from "../../../src/credentials/audit/postgres/postgres-audit-log.ts";
import { authenticate } from "../../../src/credentials/authenticate.ts";
import { MemoryCredentialStore } from "../../../src/credentials/memory/memory-credential-store.ts";
import { machineToken } from "../../../src/credentials/postgres/machine-token.ts";
import { PostgresCredentialStore } from "../../../src/credentials/postgres/postgres-credential-store.ts";
import { revokeCredential } from "../../../src/credentials/revoke.ts";
import { credentialsContract } from "../../contract/credentials.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { codeOf } from "../home.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  // Each store has its own connections, like a node.
  credentialsContract(() => {
    const url = server.freshUrl();
    const saved = new MemoryCredentialStore().defaultToken;
    return {
      open: async ({ onAppend, isReadOnly } = {}) => {
        const database = server.open(url);
        const log = new PostgresAuditLog(database);
        const audit = {
          append: async (events: Parameters<typeof log.append>[0]): Promise<void> => {
            await onAppend?.();
            await log.append(events);
          },
          committed: log.committed,
        };
        const store = new PostgresCredentialStore(database, {
          audit,
          isReadOnly: isReadOnly === true,
        });
        const { close: closeStore } = store;
        const close = async (): Promise<void> => {
          await closeStore();
          await log.close();
        };
        return Object.assign(store, { close, defaultToken: machineToken(saved, store, log) });
      },
      audited: async () => {
        const tail = await new PostgresAuditLog(server.open(url)).tail(Infinity);
        return (tail?.lines ?? []).map((line): Record<string, unknown> => JSON.parse(line));
      },
    };
  });

  function node(url: string, maxAgeMs: number): PostgresCredentialStore {
    const database = server.open(url);
    return new PostgresCredentialStore(database, {
      audit: new PostgresAuditLog(database),
      maxAgeMs,
    });
  }

  test("a revocation counts at once where it was made, and elsewhere after the maximum age", async () => {
    const url = server.freshUrl();
    const [one, other] = [node(url, 300), node(url, 300)];
    const { secret, record } = await createToken(one, { name: "laptop" });
    const use = (store: PostgresCredentialStore): Promise<string> =>
      codeOf(() => authenticate(store, secret));
    expect([await use(one), await use(other)]).toEqual(["ok", "ok"]);
    await revokeCredential(one, { kind: "token", id: record.id });
    expect(await use(one)).toBe("CREDENTIAL_REVOKED");
    await expect.poll(() => use(other)).toBe("CREDENTIAL_REVOKED");
  });

  test("a kill of the server during writes of four nodes loses no acknowledged change", async () => {
    const url = server.freshUrl();
    const made: string[] = [];
    const writing = Array.from({ length: 4 }, async (_, lane) => {
      const store = node(url, 0);
      for (let at = 0; at < 25; at += 1) {
        const name = `t${lane}-${at}`;
        // oxlint-disable-next-line no-await-in-loop -- one change after the other
        const outcome = await codeOf(() => createToken(store, { name }));
        if (outcome === "ok") made.push(name);
      }
    });
    await expect.poll(() => made.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(20);
    await server.kill();
    await server.start();
    await Promise.all(writing);
    const store = node(url, 0);
    const records = await store.list();
    const names = new Set(records.map(({ name }) => name));
    expect(made.filter((name) => !names.has(name))).toEqual([]);
    const [row] = await server.open(url).query("SELECT revision FROM credential_store");
    expect(row?.["revision"]).toBe(records.length);
    const verified = await new PostgresAuditLog(server.open(url)).verify();
    expect(verified?.damage).toBeUndefined();
  }, 60_000);
});
