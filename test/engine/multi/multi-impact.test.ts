// The impact of a change on other namespaces, through packages.
import { afterAll, beforeAll, expect, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { indexNamespaces } from "../../helpers/index-namespaces.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";

const MANIFEST = '{ "dependencies": { "store": "1.0.0" } }';

let project: Project;
let store: GitRepository;
let removeFolders: () => void;

beforeAll(async () => {
  project = createProject({ "main.ts": "export {};\n" });
  store = gitRepository();
  store.commit({
    "package.json": '{ "name": "store", "version": "1.0.0", "main": "index.ts" }',
    "index.ts":
      "export function open(): void {\n  close();\n}\n\nexport function close(): void {}\n",
  });
  const users: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    shop: {
      "package.json": MANIFEST,
      "src/shop.ts":
        'import { open } from "store";\n\nexport function sell(): void {\n  open();\n}\n\nexport function trade(): void {\n  sell();\n}\n',
      "test/shop.test.ts": 'import { open } from "store";\n\nopen();\n',
    },
    old: {
      "package.json": '{ "dependencies": { "store": "0.9.0" } }',
      "src/old.ts": 'import { open } from "store";\n\nopen();\n',
    },
    secret: { "package.json": MANIFEST, "hidden.ts": 'import { open } from "store";\nopen();\n' },
  };
  await project.engine.index({ ...request(), namespace: "store", source: store.path });
  removeFolders = await indexNamespaces(project, users);
});

afterAll(async () => {
  await project.dispose();
  store.dispose();
  removeFolders();
});

function impact(namespace: string, more: object = {}) {
  return project.engine.impact({ ...request(), target: "open", depth: 3, ...more, namespace });
}

test("users, tests and versions in other namespaces follow those of the package's own", async () => {
  const found = await impact("store,shop,old");
  expect(found.description).toBe("open (index.ts:1-3)");
  expect(
    found.files.map(({ namespace, path, version, users }) => [
      `${namespace}/${path}`,
      version,
      users.map(({ symbol, certainty, depth }) => `${symbol} ${certainty} ${depth}`),
    ]),
  ).toEqual([
    ["shop/src/shop.ts", undefined, ["sell exact 1", "trade exact 2"]],
    ["old/src/old.ts", "other version 1.0.0, not 0.9.0", [" name 1"]],
  ]);
  expect(found.tests).toMatchObject([
    { namespace: "shop", path: "test/shop.test.ts", why: ["uses open"] },
  ]);
  expect(found.isComplete).toBe(true);
});

test("a git change of the first namespace reaches the others", async () => {
  store.commit({
    "index.ts":
      "export function open(): void {\n  close();\n  close();\n}\n\nexport function close(): void {}\n",
  });
  await project.engine.index({ ...request(), namespace: "store", source: store.path });
  const found = await impact("store,shop", { target: "HEAD^!" });
  expect(found.changedFiles).toMatchObject([{ namespace: "store", symbols: ["open"] }]);
  expect(found.files.map(({ namespace, path }) => `${namespace}/${path}`)).toEqual([
    "shop/src/shop.ts",
  ]);
  const named = await impact("shop,store", { target: "store/HEAD^!" });
  expect(named.files).toEqual(found.files);
});

test("the tool names the namespace of each file", async () => {
  const { text } = await project.tool("analyze_impact", {
    target: "open",
    namespace: "store,shop",
  });
  expect(text).toContain("src/shop.ts  [shop]  ");
  expect(text).toContain("test/shop.test.ts  [shop]  uses open");
});

test("a namespace that the caller may not use is not affected", async () => {
  const caller = new Principal({ id: "key_1", namespaces: ["store", "shop"], readOnly: true });
  const found = await impact("*", { principal: caller });
  expect(JSON.stringify(found)).not.toMatch(/hidden|secret|old/);
  expect(JSON.stringify(await impact("*"))).toContain("hidden.ts");
  await expect(impact("store,secret", { principal: caller })).rejects.toThrow(
    expect.objectContaining({ code: "NAMESPACE_NOT_FOUND" }),
  );
});
