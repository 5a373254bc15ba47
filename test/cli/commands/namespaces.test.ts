import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { expect, onTestFinished, test } from "vitest";

import { confirm } from "../../../src/cli/confirm.ts";
import { createMemoryIo } from "../../../src/cli/io.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { machine, type Machine } from "../../helpers/cli.ts";

async function call(): Promise<Machine> {
  const here = machine({ "a.md": "The aardvark sleeps.\n" });
  onTestFinished(here.dispose);
  await here.svc("index", here.root);
  return here;
}

test("the list has every namespace with its sources", async () => {
  const here = await call();
  const { code, out } = await here.svc("namespaces", "list");
  expect([code, out]).toEqual([0, `project  1 files  ${here.root}\n`]);
  expect(JSON.parse((await here.svc("namespaces", "list", "--json")).out)).toEqual([
    { name: "project", state: "ready", files: 1, sources: [here.root] },
  ]);
});

test("without a terminal nothing is removed without --yes", async () => {
  const here = await call();
  const refused = await here.svc("namespaces", "remove", "project");
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Add --yes.") });
  expect((await here.svc("namespaces", "list")).out).toContain("project");
  const removed = await here.svc("namespaces", "remove", "project", "--yes");
  expect(removed).toEqual({ code: 0, out: 'Removed "project".\n', err: "" });
  expect((await here.svc("namespaces", "list")).out).toBe("");
  expect(existsSync(join(here.data, "namespaces/project"))).toBe(false);
  expect(await here.svc("namespaces", "remove", "project", "--yes")).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no namespace "project"'),
  });
});

test.each([
  ["y\n", true],
  ["YES\n", true],
  ["\n", false],
  ["no\n", false],
  ["yesterday\n", false],
  ["", false],
])("at a terminal %j means %s", async (typed, isYes) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const io = createMemoryIo();
  input.end(typed);
  const { signal } = new AbortController();
  expect(await confirm("Delete it?", { io, signal, input })).toBe(isYes);
  expect(io.stderr()).toBe("Delete it? [y/N] ");
});

test("a key for a removed namespace stays valid, and finds nothing", async () => {
  const here = await call();
  await here.svc("auth", "keys", "create", "--name", "ci", "--namespace", "project");
  await here.svc("namespaces", "remove", "project", "--yes");
  const keys: unknown = JSON.parse((await here.svc("auth", "keys", "list", "--json")).out);
  expect(keys).toMatchObject([{ name: "ci", namespace: "project" }]);
  expect(await here.svc("search", "aardvark", "--namespace", "project")).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no namespace "project"'),
  });
}, 60_000);

test("a repository is indexed, shown and removed by its URL", async () => {
  const here = await call();
  const origin = gitRepository();
  onTestFinished(origin.dispose);
  const commit = origin.commit({ "b.md": "The badger digs.\n" });
  const url = `file://${origin.path}`;
  const { out } = await here.svc("index", url, "--ref", "main", "--namespace", "zoo");
  expect(out).toContain(`Indexed ${url} as "zoo"`);
  const { out: status } = await here.svc("status", "--namespace", "zoo");
  expect(status).toContain(`  ${url}#main\n    commit ${commit.slice(0, 12)}, fetched 2`);
  expect((await here.svc("search", "badger", "--namespace", "zoo")).out).toContain("b.md");
  expect((await here.svc("index", "--remove", url)).out).toBe('Removed it from "zoo".\n');
  expect((await here.svc("search", "badger", "--namespace", "zoo")).code).toBe(1);
  const secret = await here.svc("index", "https://me:hunter2@example.org/a.git");
  expect(secret).toMatchObject({ code: 2, err: expect.stringContaining("credential helper") });
  expect(secret.err).not.toContain("hunter2");
}, 60_000);
