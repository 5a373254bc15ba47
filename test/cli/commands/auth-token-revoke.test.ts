import { expect, test } from "vitest";

import { memoryMachine, type MemoryMachine } from "../credential-machine.ts";

const revoke = ["auth", "token", "revoke"] as const;

async function withToken(
  ...flags: readonly string[]
): Promise<MemoryMachine & { readonly id: string }> {
  const machine = memoryMachine();
  const { err } = await machine.svc("auth", "token", "create", "--name", "ci", ...flags);
  return { ...machine, id: /tok_[0-9a-f]{16}/.exec(err)?.[0] ?? "" };
}

test("a token is revoked; a second time reports when, and is not an error", async () => {
  const { svc, id } = await withToken();
  expect(await svc(...revoke, id)).toEqual({ code: 0, out: `Revoked ${id} "ci".\n`, err: "" });
  const again = await svc(...revoke, id);
  expect(again).toMatchObject({ code: 0, out: "" });
  expect(again.err).toMatch(/^tok_\w+ "ci" was already revoked at \S+Z\.\n$/);
});

test("revoking the default token reports that there is none now", async () => {
  const { svc, json, id } = await withToken("--save");
  expect(await json("auth", "token", "list")).toMatchObject([{ token_id: id, default: true }]);
  const { code, err } = await svc(...revoke, id);
  expect([code, err]).toEqual([
    0,
    "This was the default token of this machine. Create another one: `svc auth token create --name NAME --save`.\n",
  ]);
  expect(await json("auth", "token", "list", "--all")).toMatchObject([{ default: false }]);
});

test("--json prints the record, and standard error what the record lacks", async () => {
  const { svc, json, id } = await withToken("--save", "--read-only");
  const { out, err } = await svc(...revoke, id, "--json");
  expect(JSON.parse(out)).toMatchObject({
    token_id: id,
    read_only: true,
    default: false,
    revoked_at: expect.stringMatching(/Z$/),
  });
  expect(err).toContain("default token");
  expect(await json("auth", "token", "list", "--all")).toEqual([JSON.parse(out)]);
});

test("the id of a key is refused with the command for keys", async () => {
  const { svc } = memoryMachine();
  const { err } = await svc("auth", "keys", "create", "--name", "ci", "--namespace", "docs");
  const id = /key_[0-9a-f]{16}/.exec(err)?.[0] ?? "";
  const refused = await svc(...revoke, id);
  expect(refused).toMatchObject({ code: 2, out: "" });
  expect(refused.err).toContain(`${id} is an API key.\nRun \`svc auth keys revoke ${id}\`.`);
});
