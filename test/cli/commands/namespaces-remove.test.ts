import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";
import { gitRepository } from "../../helpers/git-repository.ts";
import { tree } from "../../helpers/tree.ts";
import { createMachine, type Machine } from "../../helpers/cli.ts";

async function indexedMachine(): Promise<Machine> {
  const here = createMachine({ "a.md": "The aardvark sleeps.\n" });
  onTestFinished(here.dispose);
  await here.svc("index", here.root);
  return here;
}

test("without a terminal nothing is removed without --yes", async () => {
  const here = await indexedMachine();
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

test("--gone removes the namespaces of deleted folders, and no others", async () => {
  const here = await indexedMachine();
  const [one, other] = [tree({ "b.md": "b\n" }), tree({ "c.md": "c\n" })];
  onTestFinished(other.dispose);
  await here.svc("index", one.path, "--namespace", "one");
  await here.svc("index", other.path, "--namespace", "both");
  await here.svc("index", one.path, "--namespace", "both");
  const none = await here.svc("namespaces", "remove", "--gone");
  expect(none).toMatchObject({ code: 0, err: expect.stringContaining("nothing was removed") });
  one.dispose();
  const { out } = await here.svc("namespaces", "list");
  expect(out).toContain(`one  1 file  ${one.path} (not available)\n`);
  expect((await here.svc("namespaces", "remove", "--gone")).err).toContain("Add --yes.");
  const removed = await here.svc("namespaces", "remove", "--gone", "--yes");
  expect(removed).toEqual({ code: 0, out: 'Removed "one".\n', err: "" });
  // The other folder of the namespace still exists.
  const left = (await here.svc("namespaces", "list")).out.split("\n");
  expect(left.map((line) => line.split(" ")[0])).toEqual(["both", "project", ""]);
  expect(existsSync(join(here.data, "namespaces/one"))).toBe(false);
});

test("a name and --gone cannot be used together, and neither is for a shared database", async () => {
  const here = await indexedMachine();
  for (const words of [["project", "--gone"], []]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    expect((await here.svc("namespaces", "remove", ...words, "--yes")).code).toBe(2);
  }
  const shared = await here.svc("namespaces", "remove", "--gone", "--backend", "postgres://h/d");
  expect([shared.code, shared.err]).toEqual([2, expect.stringContaining("on other machines")]);
});

test("a key for a removed namespace stays valid, and finds nothing", async () => {
  const here = await indexedMachine();
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
  const here = await indexedMachine();
  const origin = gitRepository();
  onTestFinished(origin.dispose);
  const commit = origin.commit({ "b.md": "The badger digs.\n" });
  const url = `file://${origin.path}`;
  const { out } = await here.svc("index", url, "--ref", "main", "--namespace", "zoo");
  expect(out).toContain(`Indexed ${url} as "zoo"`);
  const { out: status } = await here.svc("status", "--namespace", "zoo");
  expect(status).toContain(`  ${url}#main\n    commit ${commit.slice(0, 12)}, fetched 2`);
  expect((await here.svc("search", "badger", "--namespace", "zoo")).out).toContain("b.md");
  expect((await here.svc("index", "--remove", url)).out).toBe(`Removed ${url} from "zoo".\n`);
  expect((await here.svc("search", "badger", "--namespace", "zoo")).code).toBe(1);
  const secret = await here.svc("index", "https://me:hunter2@example.org/a.git");
  expect(secret).toMatchObject({ code: 2, err: expect.stringContaining("credential helper") });
  expect(secret.err).not.toContain("hunter2");
}, 60_000);
