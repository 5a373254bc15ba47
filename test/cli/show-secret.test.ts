import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import { requireVisibleOutput, showSecret } from "../../src/cli/show-secret.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { auditedStore } from "../credentials/audited-store.ts";
import { codeOf } from "../credentials/home.ts";
import { credentialMachine } from "./credential-machine.ts";
import { runProgram } from "./process.ts";

test("a printed secret stays valid", async () => {
  const { store } = auditedStore();
  const { record, secret } = await createKey(store, { name: "ci", namespaces: ["docs"] });
  const io = createMemoryIo();
  const print = (): void => io.out(`${secret}\n`);
  expect(await showSecret(io, store, { record, print, isSaved: false })).toBe(true);
  expect([io.stdout(), io.stderr()]).toEqual([`${secret}\n`, ""]);
  expect(await codeOf(() => authenticate(store, secret, Date.now(), "key"))).toBe("ok");
});

test.each(["EPIPE", "ENOSPC", "EBADF"])(
  "a secret that standard output refuses with %s is revoked, with a message",
  async (code) => {
    const { store, events } = auditedStore();
    const { record, secret } = await createToken(store, { name: "ci" });
    const io = createMemoryIo();
    io.closeOutput(Object.assign(new Error(`write ${code}`), { code }));
    const print = (): void => io.out(secret);
    expect(await showSecret(io, store, { record, print, isSaved: false })).toBe(false);
    expect(io.stderr()).toBe(
      `svc: ${record.id} "ci" could not be printed: standard output is closed or full. It was revoked; create another one.\n`,
    );
    expect(await codeOf(() => authenticate(store, secret))).toBe("CREDENTIAL_REVOKED");
    expect(events.at(-1)).toEqual({
      event: "token.revoke",
      credential: record.id,
      details: { reason: "it could not be printed" },
    });
  },
);

test("if it cannot be revoked either, the message names the command that does", async () => {
  let isFull = false;
  const { store } = auditedStore(() => {
    if (isFull) throw new SvcError("STORAGE_FULL", "The disk is full.");
  });
  const { record } = await createKey(store, { name: "ci", namespaces: ["docs"] });
  isFull = true;
  const io = createMemoryIo();
  io.closeOutput();
  expect(await showSecret(io, store, { record, print: () => {}, isSaved: false })).toBe(false);
  expect(io.stderr()).toContain(
    `It could not be revoked either: The disk is full. Run \`svc auth keys revoke ${record.id}\`.\n`,
  );
});

test("a token that this machine keeps needs no eyes", async () => {
  const { store } = auditedStore();
  const { record, secret } = await createToken(store, { name: "laptop" });
  const io = createMemoryIo();
  io.closeOutput();
  expect(await showSecret(io, store, { record, print: () => {}, isSaved: true })).toBe(false);
  expect(io.stderr()).toContain("It stays this machine's default token.");
  expect(await codeOf(() => authenticate(store, secret))).toBe("ok");
});

test("a key that nobody reads does not stay valid", { timeout: 60_000 }, async () => {
  const machine = credentialMachine();
  const words = ["auth", "keys", "create", "--name", "ci", "--namespace", "docs"];
  const { err } = await runProgram(machine, words, { isUnread: true });
  expect(err).toMatch(/key_\w+ "ci" could not be printed: .* It was revoked/);
  expect(await machine.json("auth", "keys", "list")).toEqual([]);
  expect(await machine.json("auth", "keys", "list", "--all")).toHaveLength(1);
});

test("a token that cannot be written is revoked, with an error", { timeout: 60_000 }, async () => {
  const machine = credentialMachine();
  // Writing to this fails, because it is open for reading.
  const stdout = openSync(import.meta.filename, "r");
  const words = ["auth", "token", "create", "--name", "ci", "--json"];
  const { code, err } = await runProgram(machine, words, { stdout });
  closeSync(stdout);
  expect([code, err]).toEqual([2, expect.stringContaining("It was revoked")]);
  expect(await machine.json("auth", "token", "list")).toEqual([]);
});

test("if standard output is discarded no secret is created", { timeout: 60_000 }, async () => {
  const machine = credentialMachine();
  const stdout = openSync(devNull, "w");
  const create = (...words: readonly string[]) =>
    runProgram(machine, ["auth", ...words, "--name", "ci"], { stdout });
  for (const words of [
    ["keys", "create", "--namespace", "docs"],
    ["token", "create", "--json"],
  ]) {
    const { code, err } = await create(...words);
    expect([words, code, err]).toEqual([words, 2, expect.stringContaining("is discarded")]);
  }
  expect(await machine.json("auth", "store", "status")).toMatchObject({ exists: false });
  expect(await create("token", "create", "--save")).toMatchObject({ code: 0 });
  expect(await machine.json("auth", "token", "list")).toMatchObject([{ default: true }]);
  closeSync(stdout);
});

test("output to a file is accepted", () => {
  expect(() => requireVisibleOutput(createMemoryIo())).not.toThrow();
  expect(() => requireVisibleOutput(createMemoryIo({ outputIsLost: true }))).toThrow(
    "Standard output is discarded",
  );
});
