import { expect, test } from "vitest";

import { createToken } from "../../../src/credentials/access-tokens.ts";
import { MemoryAuditLog } from "../../../src/credentials/audit/memory/memory-audit-log.ts";
import { MemoryCredentialStore } from "../../../src/credentials/memory/memory-credential-store.ts";
import { machineToken } from "../../../src/credentials/postgres/machine-token.ts";
import { revokeCredential } from "../../../src/credentials/revoke.ts";

test("the token of a machine is gone when its credential is revoked in the shared store", async () => {
  const [shared, machine, audit] = [
    new MemoryCredentialStore(),
    new MemoryCredentialStore(),
    new MemoryAuditLog(),
  ];
  const token = machineToken(machine.defaultToken, shared, audit);
  expect(await token.read()).toBeUndefined();
  const { secret, record } = await createToken(shared, { name: "laptop" });
  await token.save(secret, record.id);
  expect(await token.read()).toBe(secret);
  const [line = ""] = (await audit.tail(1))?.lines ?? [];
  expect(JSON.parse(line)).toMatchObject({ event: "token.save", credential: record.id });
  await revokeCredential(shared, { kind: "token", id: record.id });
  expect(await token.read()).toBeUndefined();
});
