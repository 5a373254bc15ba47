import { expect, test } from "vitest";

import type { CliRun } from "../../helpers/cli.ts";
import { credentialMachine, memoryMachine } from "../credential-machine.ts";

function call(...words: readonly string[]): Promise<CliRun> {
  return memoryMachine().svc("auth", "token", "create", ...words);
}

const TOKEN = /^svt_[0-9A-Za-z]{38}$/;
const DAY_MS = 86_400_000;

test("standard output has only the secret, standard error everything else", async () => {
  const { code, out, err } = await call("--name", "laptop");
  expect(code).toBe(0);
  expect(out.endsWith("\n")).toBe(true);
  expect(out.trimEnd()).toMatch(TOKEN);
  expect(err).toMatch(/Token tok_[0-9a-f]{16} "laptop" expires .*Z\. It is not shown again\.\n$/);
  expect(err).not.toContain(out.trimEnd());
});

test("--json gives the whole record", async () => {
  const { code, out } = await call("--name", "ci", "--json", "--ttl", "1d", "--namespace", "a,b");
  expect(code).toBe(0);
  const record = JSON.parse(out);
  expect(record).toEqual({
    token_id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
    token: expect.stringMatching(TOKEN),
    name: "ci",
    namespaces: ["a", "b"],
    created_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(Date.parse(record.expires_at) - Date.parse(record.created_at)).toBe(DAY_MS);
});

test("by default a token lives 30 days and can access everything", async () => {
  const record = JSON.parse((await call("--name", "ci", "--json")).out);
  expect(record.namespaces).toBe("all");
  expect(Date.parse(record.expires_at) - Date.parse(record.created_at)).toBe(30 * DAY_MS);
});

test("--save reports that it is this machine's default", async () => {
  expect((await call("--name", "laptop", "--save")).err).toContain(
    "saved as this machine's default",
  );
});

test.each(["0m", "59s", "366d", "53w", "1x", "-1d", "", "forever", "1e9d"])(
  "the lifetime %j is refused, and no token is created",
  async (ttl) => {
    const { code, out, err } = await call("--name", "ci", `--ttl=${ttl}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/is not a duration|1 minute|365 days|needs a value/);
  },
);

test.each(["1m", "12h", "365d"])("the lifetime %j is taken", async (ttl) => {
  expect((await call("--name", "ci", "--ttl", ttl)).code).toBe(0);
});

test("a name is required", async () => {
  const { code, out, err } = await call();
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/--name/);
});

test("--read-only and --namespace limit the token", async () => {
  const { svc, json } = memoryMachine();
  const words = ["auth", "token", "create", "--name", "bot", "--read-only", "--namespace", "docs"];
  const { code, err } = await svc(...words);
  expect([code, err]).toEqual([0, expect.stringContaining(`There is no namespace "docs" yet`)]);
  expect(await json("auth", "token", "list")).toMatchObject([
    { name: "bot", read_only: true, namespaces: ["docs"] },
  ]);
});

test.each([
  ["--name=two\nlines", "1 to 100 characters"],
  ["--ttl=soon", "is not a duration"],
  ["--namespace=Docs", "is not a namespace name"],
])("with %j nothing is created, not even a store", async (flag, problem) => {
  const { svc, hasStore } = memoryMachine();
  const name = flag.startsWith("--name=") ? [] : ["--name", "ci"];
  const { code, out, err } = await svc("auth", "token", "create", ...name, flag);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining(problem)]);
  expect(hasStore()).toBe(false);
});

test("--admin is shown in the list, and is for a token of all namespaces only", async () => {
  const { svc, json } = memoryMachine();
  const create = ["auth", "token", "create", "--admin"];
  const refused = await svc(...create, "--name", "some", "--namespace", "docs");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining("covers all namespaces"),
  ]);
  expect((await svc(...create, "--name", "boss")).code).toBe(0);
  expect(await json("auth", "token", "list")).toMatchObject([{ name: "boss", admin: true }]);
  expect((await svc("auth", "token", "list")).out).toMatch(/ admin\n$/);
});

test("--require-keychain fails if another key source was chosen", async () => {
  const { svc, json } = credentialMachine();
  const words = ["auth", "token", "create", "--name", "ci", "--require-keychain"];
  const { code, out, err } = await svc(...words);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining("keychain")]);
  expect(await json("auth", "token", "list", "--all")).toEqual([]);
});
