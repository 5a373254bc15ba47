import { expect, test } from "vitest";

import { credentialMachine, memoryMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

const TOKEN = ["auth", "token", "create", "--name"];
const KEY = ["auth", "keys", "create", "--namespace", "docs", "--name"];

test.each([
  ["token", TOKEN, /an access token "ci" already: tok_\w+\.\n.*svc auth token revoke tok_/],
  ["keys", KEY, /an API key "ci" already: key_\w+\.\n.*svc auth keys revoke key_/],
])("auth %s create refuses a name in use, and accepts it when it is free", async (...row) => {
  const [group, create, refusal] = row;
  const { svc, json } = memoryMachine();
  expect((await svc(...create, "ci")).code).toBe(0);
  for (const name of ["ci", " ci "]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await svc(...create, name)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/svc auth (?:token|keys) revoke/),
    });
  }
  expect((await svc(...create, "ci")).err).toMatch(refusal);
  expect((await svc(...create, "CI")).code).toBe(0);
  const list = JSON.stringify(await json("auth", group, "list"));
  const id = /(?:tok|key)_[0-9a-f]{16}/.exec((await svc(...create, "ci")).err)?.[0] ?? "";
  expect(list).toContain(id);
  expect((await svc("auth", group, "revoke", id)).code).toBe(0);
  expect((await svc(...create, "ci")).code).toBe(0);
});

test("a token and a key may share a name", async () => {
  const { svc } = memoryMachine();
  expect((await svc(...TOKEN, "ci")).code).toBe(0);
  expect((await svc(...KEY, "ci")).code).toBe(0);
});

test("of processes that create the same name at once, one succeeds", async () => {
  const place = credentialMachine();
  expect((await place.svc(...TOKEN, "first")).code).toBe(0);
  const runs = await Promise.all([1, 2, 3, 4].map(() => runProgram(place, [...TOKEN, "ci"])));
  expect(runs.filter(({ code }) => code === 0)).toHaveLength(1);
  const losers = runs.filter(({ code }) => code === 2);
  expect(losers).toHaveLength(3);
  for (const { err } of losers) expect(err).toContain('There is an access token "ci" already');
}, 60_000);

test("a key is for the namespaces that it was given, each once", async () => {
  const { svc, json } = memoryMachine();
  const many = ["b", "a", "b,c"].flatMap((name) => ["--namespace", name]);
  expect((await svc("auth", "keys", "create", "--name", "ci", ...many)).code).toBe(0);
  expect(await json("auth", "keys", "list")).toEqual([
    expect.objectContaining({ name: "ci", namespaces: ["b", "a", "c"] }),
  ]);
});
