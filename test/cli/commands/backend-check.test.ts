import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMachine, type Machine } from "../../helpers/cli.ts";

const FILES = { "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" };

function machine(): Machine {
  const made = createMachine(FILES);
  onTestFinished(made.dispose);
  return made;
}

test("every index is read, and what is intact is said", async () => {
  const { svc, root } = machine();
  const empty = await svc("backend", "check");
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining("Nothing is indexed yet")]);
  await svc("index", root, "--namespace", "zoo");
  await svc("index", root, "--namespace", "farm");
  expect(await svc("backend", "check")).toMatchObject({
    code: 0,
    out: "farm: intact (2 files).\nzoo: intact (2 files).\n",
  });
  const one = await svc("backend", "check", "--namespace", "zoo", "--json");
  expect(JSON.parse(one.out)).toEqual([{ namespace: "zoo", files: 2, damage: [] }]);
});

test("damage is reported with its remedy, and the exit code is 2", async () => {
  const { svc, root, data } = machine();
  await svc("index", root, "--namespace", "zoo");
  // Such a small segment is a row of the catalogue. The free space of a page would belong to no record.
  const file = join(data, "namespaces/zoo/catalog.db");
  const bytes = readFileSync(file);
  const word = bytes.indexOf("aardvark");
  expect(word).toBeGreaterThan(0);
  bytes.fill(0xff, word, word + 4);
  writeFileSync(file, bytes);
  const { code, out } = await svc("backend", "check");
  expect(code).toBe(2);
  expect(out).toMatch(/^zoo: damaged\.\n {2}\S[^]*svc index --rebuild/);
});
