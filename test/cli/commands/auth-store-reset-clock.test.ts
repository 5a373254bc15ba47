import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openStore } from "../../../src/credentials/sealed/open-store.ts";
import { credentialMachine, type CredentialMachine } from "../credential-machine.ts";

const reset = ["auth", "store", "reset-clock"] as const;
const DAY_MS = 86_400_000;

/** Lets the store see a time so many days ahead. */
async function moveClock(
  { data, config, keyFile }: CredentialMachine,
  days: number,
): Promise<void> {
  const keys = readdirSync(config).find((name) => name.startsWith("keys-")) ?? "none";
  const places = { directory: join(data, "credentials"), keyDirectory: join(config, keys) };
  const store = await openStore({ ...places, keyFile });
  await store?.time(Date.now() + days * DAY_MS);
  await store?.write(() => undefined);
  await store?.close();
}

async function withToken(): Promise<CredentialMachine & { readonly id: string }> {
  const machine = credentialMachine();
  const { err } = await machine.svc("auth", "token", "create", "--name", "ci");
  return { ...machine, id: /tok_[0-9a-f]{16}/.exec(err)?.[0] ?? "" };
}

test("without a store there is no clock to reset", async () => {
  const { svc } = credentialMachine();
  const { code, out, err } = await svc(...reset);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("no credential store on this machine yet");
});

test("a clock that is not ahead is not changed", async () => {
  const { svc } = await withToken();
  expect(await svc(...reset)).toEqual({
    code: 0,
    out: "The clock of the store is not ahead of this machine's; nothing was changed.\n",
    err: "",
  });
});

test("a clock that was once in the future is set back, and revived tokens are named", async () => {
  const machine = await withToken();
  const { svc, json, id } = machine;
  await moveClock(machine, 300);
  expect(await json("auth", "token", "list")).toEqual([]);
  expect((await svc("auth", "store", "status")).out).toMatch(/\nClock .*tokens expire early/);
  const { code, out, err } = await svc(...reset);
  expect([code, err]).toEqual([0, `Valid again: ${id}.\n`]);
  expect(out).toMatch(/^The clock of the store was set back from \S+Z to \S+Z\.\n$/);
  expect(await json("auth", "token", "list")).toMatchObject([{ token_id: id }]);
  expect(await json("auth", "store", "status")).toMatchObject({ clock: { ahead: false } });
});

test("revoked credentials stay revoked", async () => {
  const machine = await withToken();
  await machine.svc("auth", "token", "revoke", machine.id);
  await moveClock(machine, 300);
  expect((await machine.svc(...reset)).err).toBe("");
  expect(await machine.json("auth", "token", "list")).toEqual([]);
});
