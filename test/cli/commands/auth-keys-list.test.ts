import { expect, test } from "vitest";

import { memoryMachine, type MemoryMachine } from "../credential-machine.ts";

async function withKeys(): Promise<MemoryMachine & { readonly gone: string }> {
  const machine = memoryMachine();
  const create = (name: string, namespace: string) =>
    machine.svc("auth", "keys", "create", "--name", name, "--namespace", namespace);
  await create("dashboard", "docs");
  const { err } = await create("nightly build", "api");
  const gone = /key_[0-9a-f]{16}/.exec(err)?.[0] ?? "";
  await machine.svc("auth", "keys", "revoke", gone);
  return { ...machine, gone };
}

test("without credentials the list is empty, and that is not an error", async () => {
  const { svc, json } = memoryMachine();
  for (const flags of [[], ["--all"]]) {
    expect(await svc("auth", "keys", "list", ...flags)).toEqual({
      code: 0,
      out: "",
      err: "There are no API keys. Run `svc auth keys create --name NAME --namespace NS`.\n",
    });
    expect(await json("auth", "keys", "list", ...flags)).toEqual([]);
  }
});

function plain(out: string): string {
  return out
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, "YYYY-MM-DD HH:MMZ")
    .replace(/key_[0-9a-f]{16}/g, "key_0123456789abcdef");
}

test("valid keys are listed in aligned columns, revoked ones with --all", async () => {
  const { svc } = await withKeys();
  expect(plain((await svc("auth", "keys", "list")).out)).toMatchInlineSnapshot(`
    "ID                    NAME       NAMESPACES  CREATED            LAST USED
    key_0123456789abcdef  dashboard  docs        YYYY-MM-DD HH:MMZ  -
    "
  `);
  expect(plain((await svc("auth", "keys", "list", "--all")).out)).toMatchInlineSnapshot(`
    "ID                    NAME           NAMESPACES  CREATED            LAST USED  NOTES
    key_0123456789abcdef  dashboard      docs        YYYY-MM-DD HH:MMZ  -
    key_0123456789abcdef  nightly build  api         YYYY-MM-DD HH:MMZ  -          revoked YYYY-MM-DD HH:MMZ
    "
  `);
});

test("--json has the documented shape; --all adds when each was revoked", async () => {
  const { json, gone } = await withKeys();
  const key = {
    key_id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    name: "dashboard",
    namespace: "docs",
    created_at: expect.stringMatching(/Z$/),
    last_used_at: null,
  };
  expect(await json("auth", "keys", "list")).toEqual([key]);
  const revoked = { key_id: gone, name: "nightly build", namespace: "api" };
  expect(await json("auth", "keys", "list", "--all")).toEqual([
    { ...key, revoked_at: null },
    { ...key, ...revoked, revoked_at: expect.stringMatching(/Z$/) },
  ]);
});
