import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  isRootMissing,
  requireRoot,
  RootChanged,
  rootIdentity,
  rootProblem,
} from "../../src/sources/source-root.ts";
import { openRegistry } from "../helpers/open-registry.ts";
import { tree } from "../helpers/tree.ts";

/** A folder recorded as the root of a source. */
function recorded(): { base: string; root: string; identity: string } {
  const { path: base, dispose } = tree({ "up/root/a.ts": "A", "other/root/a.ts": "B" });
  onTestFinished(dispose);
  const root = join(base, "up/root");
  return { base, root, identity: rootIdentity(root) ?? "" };
}

test("the recorded folder is the root", () => {
  const { root, identity } = recorded();
  expect(requireRoot({ root, identity, namespace: "ns" })).toBe(root);
});

test("a link in place of a root, or of a folder above it, is refused, wherever it leads", () => {
  const { base, root, identity } = recorded();
  renameSync(root, join(base, "kept"));
  symlinkSync(join(base, "kept"), root);
  const source = { root, identity, namespace: "ns" };
  expect(() => requireRoot(source)).toThrow(RootChanged);
  expect(rootProblem(source)).toContain(`svc index --remove ${root} --namespace ns`);
  rmSync(root);
  renameSync(join(base, "kept"), root);
  expect(rootProblem(source)).toBeUndefined();
  renameSync(join(base, "up"), join(base, "kept"));
  symlinkSync(join(base, "kept"), join(base, "up"));
  expect(rootProblem(source)).toContain("symbolic link");
  rmSync(join(base, "up"));
  symlinkSync(join(base, "other"), join(base, "up"));
  expect(rootProblem({ ...source, identity: undefined })).toContain("symbolic link");
});

test("another folder of the same name is refused, and the message has the command to confirm it", () => {
  const { base, root, identity } = recorded();
  renameSync(root, join(base, "kept"));
  mkdirSync(root);
  expect(rootProblem({ root, identity, namespace: "ns" })).toBe(
    `${root} is a different folder from the one that was indexed. If this is intended, its owner can confirm it with ` +
      `\`svc index ${root} --namespace ns\`.`,
  );
});

test("a missing root is reported as missing, not as changed", () => {
  const { root, identity } = recorded();
  rmSync(root, { recursive: true });
  expect(() => requireRoot({ root, identity, namespace: "ns" })).not.toThrow(RootChanged);
  expect(rootProblem({ root, identity, namespace: "ns" })).toContain("does not exist");
});

test("the device number may change if the creation time shows that the folder is the same", () => {
  const { root, identity } = recorded();
  const [device = "", inode = "", born = ""] = identity.split(" ");
  const problemOf = (...words: readonly string[]): string | undefined =>
    rootProblem({ root, identity: words.join(" "), namespace: "ns" });
  expect(born).not.toBe("0");
  expect(problemOf(`${device}1`, inode, born)).toBeUndefined();
  expect(problemOf(`${device}1`, inode, "0")).toContain("a different folder");
  expect(problemOf(device, inode, "0")).toBeUndefined();
  expect(problemOf(device, `${inode}1`, born)).toContain("a different folder");
});

test("a clone has no identity, because svc itself recreates it", () => {
  const { root } = recorded();
  expect(requireRoot({ root, identity: "1 2 3", url: "https://x/y", namespace: "ns" })).toBe(root);
});

test("a session in a folder confirms it; adding it again does not", async () => {
  const { base, root } = recorded();
  const registry = openRegistry(join(base, "data"));
  onTestFinished(() => registry.close());
  const namespace = await registry.ensureWorkspace(root);
  const problem = async (): Promise<string | undefined> =>
    (await registry.state()).sources(namespace).map((source) => rootProblem(source))[0];
  renameSync(root, join(base, "kept"));
  mkdirSync(root);
  await registry.addSource(namespace, { root });
  expect(await problem()).toContain("a different folder");
  expect(await registry.ensureWorkspace(root)).toBe(namespace);
  expect(await problem()).toBeUndefined();
});

test("a root is missing only if nothing is there, not even a broken link", () => {
  const { base, root } = recorded();
  expect([isRootMissing(root), isRootMissing(join(base, "none/root"))]).toEqual([false, true]);
  symlinkSync(join(base, "none"), join(base, "link"));
  expect(isRootMissing(join(base, "link"))).toBe(false);
  // A path below a file cannot be checked, so svc reports nothing about it.
  expect(isRootMissing(join(root, "a.ts", "below"))).toBe(false);
});
