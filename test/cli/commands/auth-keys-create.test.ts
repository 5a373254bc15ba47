import { expect, test } from "vitest";

import { credentialMachine, memoryMachine } from "../credential-machine.ts";

const KEY = /^svk_[0-9A-Za-z]{38}$/;
const create = ["auth", "keys", "create"] as const;

test("standard output has only the key, standard error everything else", async () => {
  const { svc } = memoryMachine();
  const { code, out, err } = await svc(...create, "--name", "ci", "--namespace", "docs");
  expect(code).toBe(0);
  expect(out.endsWith("\n")).toBe(true);
  expect(out.trimEnd()).toMatch(KEY);
  expect(err).toMatch(
    /Key key_[0-9a-f]{16} "ci" can search namespace docs until it is revoked\. It is not shown again\.\n$/,
  );
  expect(err).not.toContain(out.trimEnd());
});

test("--json gives the whole record", async () => {
  const { json } = memoryMachine();
  expect(await json(...create, "--name", "ci", "--namespace", "docs")).toEqual({
    key_id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    key: expect.stringMatching(KEY),
    name: "ci",
    namespace: "docs",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

test("a namespace that does not exist yet is allowed, with a warning that names the closest one", async () => {
  const { svc, root } = memoryMachine({ "a.md": "one\n" });
  expect((await svc(...create, "--name", "one", "--namespace", "docs")).err).toContain(
    `svc: There is no namespace "docs" yet; the credential works once it is indexed.\n`,
  );
  await svc("index", root, "--namespace", "docs");
  expect((await svc(...create, "--name", "two", "--namespace", "docs")).err).not.toContain(
    "There is no namespace",
  );
  const { code, err } = await svc(...create, "--name", "three", "--namespace", "dosc");
  expect([code, err]).toEqual([0, expect.stringContaining(`Did you mean "docs"?\n`)]);
});

test.each([
  ["Docs", "is not a namespace name"],
  ["../docs", "is not a namespace name"],
  ["docs,API", "is not a namespace name"],
  ["", "needs a value"],
])("the namespace %j is refused, and no store is created", async (namespace, problem) => {
  const { svc, hasStore } = memoryMachine();
  const { code, out, err } = await svc(...create, "--name", "ci", `--namespace=${namespace}`);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining(problem)]);
  expect(hasStore()).toBe(false);
});

test.each(["   ", "two\nlines", "x".repeat(101)])("the name %j is refused", async (name) => {
  const { svc, hasStore } = memoryMachine();
  const { code, out, err } = await svc(...create, `--name=${name}`, "--namespace", "docs");
  expect([code, out, err]).toEqual([2, "", expect.stringContaining("1 to 100 characters")]);
  expect(hasStore()).toBe(false);
});

test("name and namespace are required", async () => {
  const { svc } = memoryMachine();
  expect((await svc(...create, "--namespace", "docs")).err).toContain("--name is required");
  expect((await svc(...create, "--name", "ci")).err).toContain("--namespace is required");
});

test("--require-keychain fails if another key source was chosen, and creates no credential", async () => {
  const { svc, json } = credentialMachine();
  const words = [...create, "--name", "ci", "--namespace", "docs", "--require-keychain"];
  const { code, out, err } = await svc(...words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("keychain");
  expect(await json("auth", "keys", "list", "--all")).toEqual([]);
});

test("a failure with --json is an object on standard error", async () => {
  const { svc } = memoryMachine();
  const { out, err } = await svc(...create, "--name", "ci", "--namespace", "X", "--json");
  expect([out, JSON.parse(err)]).toMatchObject(["", { error: { error_code: "USAGE" } }]);
});
