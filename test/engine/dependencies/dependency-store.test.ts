import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { DependencyStore } from "../../../src/engine/dependencies/dependency-store.ts";
import { packagesDirectory } from "../../../src/sources/dependency-folders.ts";
import { plant, tree } from "../../helpers/tree.ts";

function stored() {
  const { path, dispose } = tree({ "data/": "", "one/a.js": "1;\n", "two/a.js": "1;\n" });
  onTestFinished(dispose);
  const data = join(path, "data");
  const installed = (folder: string, version = "1.0.0") =>
    ({ ecosystem: "npm", name: "@s/a", version, folder: join(path, folder), stamp: "" }) as const;
  return { path, data, store: new DependencyStore(data), installed };
}

test("the same files are copied once, and another content gets another name", () => {
  const { path, data, store, installed } = stored();
  const first = store.keep(installed("one"), store.copies(), () => false);
  expect(first).toMatchObject({ namespace: "npm-s__a-1.0.0", isNew: true });
  expect(first.root).toBe(join(packagesDirectory(data, first.namespace), "a@1.0.0"));
  expect(existsSync(join(first.root, "a.js"))).toBe(true);
  const second = store.keep(installed("two"), store.copies(), () => true);
  expect(second).toMatchObject({ namespace: "npm-s__a-1.0.0", isNew: false, root: first.root });
  plant(path, { "two/a.js": "2;\n" });
  const patched = store.keep(installed("two"), store.copies(), () => false);
  expect(patched.namespace).toMatch(/^npm-s__a-1\.0\.0-[0-9a-f]{8}$/);
  store.sweep((namespace) => namespace === patched.namespace);
  expect([...store.copies().values()].map(({ namespace }) => namespace)).toEqual([
    patched.namespace,
  ]);
});

test("a namespace of the user keeps its name, and what a killed process left is no copy", () => {
  const { data, store, installed } = stored();
  mkdirSync(join(packagesDirectory(data), ".new/a@1.0.0"), { recursive: true });
  expect(store.copies().size).toBe(0);
  const copy = store.keep(installed("one"), store.copies(), (name) => name === "npm-s__a-1.0.0");
  expect(copy.namespace).toMatch(/^npm-s__a-1\.0\.0-[0-9a-f]{8}$/);
});

test("one process at a time changes them", async () => {
  const { store } = stored();
  const order: string[] = [];
  await store.locked(async () => void order.push("first"));
  await store.locked(async () => void order.push("second"));
  expect(order).toEqual(["first", "second"]);
  await expect(
    store.locked(async () => {
      throw new Error("no space");
    }),
  ).rejects.toThrow("no space");
  await store.locked(async () => void order.push("third"));
  expect(order).toHaveLength(3);
});
