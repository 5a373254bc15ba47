import { expect, test } from "vitest";

import { memoryMachine, type MemoryMachine } from "../credential-machine.ts";

const ID = /key_[0-9a-f]{16}/;
const revoke = ["auth", "keys", "revoke"] as const;

async function withKey(): Promise<MemoryMachine & { readonly id: string; readonly key: string }> {
  const machine = memoryMachine();
  const words = ["auth", "keys", "create", "--name", "ci", "--namespace", "docs"];
  const { out, err } = await machine.svc(...words);
  return { ...machine, key: out.trim(), id: ID.exec(err)?.[0] ?? "" };
}

test("a key is revoked; a second time reports when, and is not an error", async () => {
  const { svc, id, json } = await withKey();
  expect(await svc(...revoke, id)).toEqual({ code: 0, out: `Revoked ${id} "ci".\n`, err: "" });
  expect(await json("auth", "keys", "list")).toEqual([]);
  expect(await svc(...revoke, id)).toEqual({
    code: 0,
    out: "",
    err: expect.stringMatching(/^key_\w+ "ci" was already revoked at \d{4}-\d\d-\d\dT\S+Z\.\n$/),
  });
});

test("--json gives the record as `list --all` has it, also the second time", async () => {
  const { json, id } = await withKey();
  const revoked = await json(...revoke, id);
  expect(revoked).toEqual({
    key_id: id,
    name: "ci",
    namespace: "docs",
    created_at: expect.stringMatching(/Z$/),
    last_used_at: null,
    revoked_at: expect.stringMatching(/Z$/),
  });
  expect(await json("auth", "keys", "list", "--all")).toEqual([revoked]);
  expect(await json(...revoke, id)).toEqual(revoked);
});

test("an unknown id is refused with the closest one, and nothing is revoked", async () => {
  const { svc, id, json } = await withKey();
  for (const wrong of [id.slice(0, -2), "ci"]) {
    const { code, out, err } = await svc(...revoke, wrong);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`There is no API key "${wrong}".\nDid you mean ${id}?`);
  }
  expect((await svc(...revoke, "nonsense")).err).toContain("Run `svc auth keys list`");
  expect(await json("auth", "keys", "list")).toHaveLength(1);
});

test("on a machine without a store the id does not exist", async () => {
  const { svc } = memoryMachine();
  const { code, err } = await svc(...revoke, "key_0123456789abcdef");
  expect([code, err]).toEqual([2, expect.stringContaining("There is no API key")]);
});

test("a key given instead of its id is not repeated", async () => {
  const { svc, id, key, json } = await withKey();
  const { code, out, err } = await svc(...revoke, key);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining(`Its id is ${id}`)]);
  expect(err).not.toContain(key.slice(4, 36));
  expect(await json("auth", "keys", "list")).toHaveLength(1);
});

test("the id is required, and one only", async () => {
  const { svc } = memoryMachine();
  expect((await svc(...revoke)).err).toContain("KEY_ID is missing");
  expect((await svc(...revoke, "key_1", "key_2")).err).toContain("Unexpected argument");
});
