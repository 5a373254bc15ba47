import { expect, test } from "vitest";

import { memoryMachine } from "../credential-machine.ts";

const renew = ["auth", "token", "renew"] as const;

async function withTokens() {
  const machine = memoryMachine();
  const create = async (...flags: readonly string[]): Promise<string> => {
    const { err } = await machine.svc("auth", "token", "create", ...flags);
    return /tok_[0-9a-f]{16}/.exec(err)?.[0] ?? "";
  };
  const saved = await create("--name", "laptop", "--ttl", "1h", "--save");
  return { ...machine, saved, other: await create("--name", "ci", "--ttl", "1h") };
}

function daysLeft(expires: unknown): number {
  return Math.round((Date.parse(String(expires)) - Date.now()) / 86_400_000);
}

test("without a name the saved token is renewed for 30 days", async () => {
  const { svc, json, saved } = await withTokens();
  const { code, out, err } = await svc(...renew);
  expect([code, err]).toEqual([0, ""]);
  const [, expires] = /^Token tok_\w{16} "laptop" now expires (\S+Z)\.\n$/.exec(out) ?? [];
  expect(out).toContain(saved);
  expect(daysLeft(expires)).toBe(30);
  const list = await json("auth", "token", "list");
  expect(list).toMatchObject([{ expires_at: expires }, { name: "ci" }]);
});

test("an id or a name selects another token, and --ttl the time", async () => {
  const { svc, json, other } = await withTokens();
  expect((await svc(...renew, other, "--ttl", "90d")).out).toContain(`Token ${other} "ci" now`);
  const shown: unknown = await json(...renew, "--name", "ci");
  expect(shown).toMatchObject({ token_id: other, name: "ci", default: false });
  expect((await svc(...renew, "--name", "ci")).out).toContain(
    `Token ${other} "ci" already expires`,
  );
  expect(await json("auth", "token", "list")).toMatchObject([{}, shown]);
});

test("wrong uses say what to do", async () => {
  const { svc, other } = await withTokens();
  expect(await svc(...renew, other, "--name", "ci")).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("ID cannot be used with --name."),
  });
  expect((await svc(...renew, "--ttl", "soon")).err).toContain('"soon" is not a duration.');
  expect((await svc(...renew, "--ttl", "400d")).err).toContain("at most 365 days");
  const bare = memoryMachine();
  expect((await bare.svc(...renew)).err).toContain("No access token is saved on this machine.");
  expect(bare.hasStore()).toBe(false);
});
