import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { credentialMachine, type CredentialMachine } from "../credential-machine.ts";

const status = ["auth", "store", "status"] as const;

async function withCredentials(): Promise<CredentialMachine> {
  const machine = credentialMachine();
  await machine.svc("auth", "keys", "create", "--name", "ci", "--namespace", "docs");
  const { err } = await machine.svc("auth", "token", "create", "--name", "gone");
  await machine.svc("auth", "token", "revoke", /tok_[0-9a-f]{16}/.exec(err)?.[0] ?? "");
  return machine;
}

test("before the first credential it reports that there is none", async () => {
  const { svc, json, data } = credentialMachine();
  expect(await svc(...status)).toEqual({
    code: 0,
    out: "No credential was created on this machine yet.\n",
    err: "",
  });
  expect(await json(...status)).toEqual({
    directory: join(data, "credentials"),
    exists: false,
    key_source: null,
    key_place: null,
    generation: null,
    credentials: null,
    read_only: null,
    clock: null,
    problem: null,
    unused_key_file: null,
  });
});

test("an intact store is shown with its key, its counts and its clock", async () => {
  const { svc, data, keyFile } = await withCredentials();
  const { code, out, err } = await svc(...status);
  expect([code, err]).toEqual([0, ""]);
  expect(out.replace(data, "DATA").replace(keyFile, "KEY")).toMatchInlineSnapshot(`
    "Store        DATA/credentials
    Data key     a key file (KEY)
    Credentials  1 active, 0 expired, 1 revoked
    Generation   3
    Clock        not ahead of this machine's clock
    "
  `);
});

test("--json has every fact", async () => {
  const { json, data, keyFile } = await withCredentials();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await json(...status)).toEqual({
    directory: join(data, "credentials"),
    exists: true,
    key_source: "file",
    key_place: keyFile,
    generation: 3,
    credentials: { active: 1, expired: 0, revoked: 1 },
    read_only: false,
    clock: { known: time, now: time, ahead: false },
    problem: null,
    unused_key_file: null,
  });
});

test("a store with a missing key is reported with the fix, and the exit code is 2", async () => {
  const { svc, keyFile } = await withCredentials();
  rmSync(keyFile);
  const { code, out } = await svc(...status);
  expect(code).toBe(2);
  expect(out).toMatch(
    /\nProblem +The data key file of the credential store no longer exists\.\n +Put /,
  );
  const { problem } = JSON.parse((await svc(...status, "--json")).out);
  expect(problem).toMatchObject({ detail: expect.stringContaining("no longer exists") });
});

test("every command reports a damaged store and does not change it", async () => {
  const { svc, data } = await withCredentials();
  const file = join(data, "credentials", "credentials.db");
  for (const name of ["-wal", "-shm"]) rmSync(file + name, { force: true });
  writeFileSync(file, "no database".repeat(1000));
  expect(await svc(...status)).toMatchObject({ code: 2, out: expect.stringMatching(/\nProblem/) });
  for (const words of [
    ["auth", "keys", "list"],
    ["auth", "keys", "create", "--name", "ci", "--namespace", "docs"],
    ["auth", "token", "revoke", "tok_0123456789abcdef"],
    ["auth", "store", "migrate", "--to", "file"],
    ["auth", "store", "reset-clock"],
  ]) {
    const { code, out, err } = await svc(...words);
    expect([words, code, out]).toEqual([words, 2, ""]);
    expect(err).toMatch(/credential store/);
  }
});
