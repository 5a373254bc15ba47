import { expect, test } from "vitest";

import { memoryMachine, type MemoryMachine } from "../credential-machine.ts";

const list = ["auth", "token", "list"] as const;

async function withTokens(): Promise<MemoryMachine> {
  const machine = memoryMachine();
  const create = (...flags: readonly string[]) => machine.svc("auth", "token", "create", ...flags);
  await create("--name", "laptop", "--save");
  await create("--name", "review bot", "--namespace", "docs,api", "--read-only", "--ttl", "1d");
  const { err } = await create("--name", "gone");
  await machine.svc("auth", "token", "revoke", /tok_[0-9a-f]{16}/.exec(err)?.[0] ?? "");
  return machine;
}

function plain(out: string): string {
  return out
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, "YYYY-MM-DD HH:MMZ")
    .replace(/tok_[0-9a-f]{16}/g, "tok_0123456789abcdef");
}

test("without credentials the list is empty, and that is not an error", async () => {
  const { svc, json } = memoryMachine();
  expect(await svc(...list)).toEqual({
    code: 0,
    out: "",
    err: "There are no access tokens. Run `svc auth token create --name NAME --save`.\n",
  });
  expect(await json(...list, "--all")).toEqual([]);
});

test("valid tokens are listed in aligned columns, revoked ones with --all", async () => {
  const { svc } = await withTokens();
  expect(plain((await svc(...list)).out)).toMatchInlineSnapshot(`
    "ID                    NAME        NAMESPACES  EXPIRES            LAST USED  NOTES
    tok_0123456789abcdef  laptop      all         YYYY-MM-DD HH:MMZ  -          default
    tok_0123456789abcdef  review bot  docs,api    YYYY-MM-DD HH:MMZ  -          read-only
    "
  `);
  expect(plain((await svc(...list, "--all")).out)).toMatchInlineSnapshot(`
    "ID                    NAME        NAMESPACES  EXPIRES            LAST USED  NOTES
    tok_0123456789abcdef  laptop      all         YYYY-MM-DD HH:MMZ  -          default
    tok_0123456789abcdef  review bot  docs,api    YYYY-MM-DD HH:MMZ  -          read-only
    tok_0123456789abcdef  gone        all         YYYY-MM-DD HH:MMZ  -          revoked YYYY-MM-DD HH:MMZ
    "
  `);
});

test("--json has the documented shape; --all adds when each was revoked", async () => {
  const { json } = await withTokens();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const laptop = {
    token_id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
    name: "laptop",
    namespaces: "all",
    read_only: false,
    created_at: time,
    expires_at: time,
    last_used_at: null,
    default: true,
  };
  const bot = { ...laptop, name: "review bot", namespaces: ["docs", "api"] };
  const others = { read_only: true, default: false };
  expect(await json(...list)).toEqual([laptop, { ...bot, ...others }]);
  expect(await json(...list, "--all")).toEqual([
    { ...laptop, revoked_at: null },
    { ...bot, ...others, revoked_at: null },
    { ...laptop, name: "gone", default: false, revoked_at: time },
  ]);
});

test("no list holds a secret", async () => {
  const { svc } = await withTokens();
  const texts = [await svc(...list, "--all"), await svc(...list, "--all", "--json")];
  expect(JSON.stringify(texts)).not.toMatch(/sv[kt]_/);
});
