// References across namespaces, through packages: in one answer, with versions, and within the rights of the caller.
import { afterAll, beforeAll, expect, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { indexNamespaces } from "../../helpers/index-namespaces.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const LOCK = (version: string): string =>
  JSON.stringify({
    packages: { "": {}, "node_modules/compose": { version } },
  });
const MANIFEST = '{ "name": "app", "dependencies": { "compose": "^4.0.0" } }';
const USER =
  'const compose = require("compose");\n\nfunction run() {\n  return compose([]);\n}\n\nmodule.exports = run;\n';

const NAMESPACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compose: {
    "package.json": '{ "name": "compose", "version": "4.1.0" }',
    "index.js":
      "module.exports = compose;\n\nfunction compose(list) {\n  return check(list);\n}\n\nfunction check(list) {\n  return list;\n}\n",
    "test/test.js": 'const compose = require("..");\n\ncompose([1]);\n',
  },
  same: { "package.json": MANIFEST, "package-lock.json": LOCK("4.1.0"), "lib/a.js": USER },
  other: { "package.json": MANIFEST, "package-lock.json": LOCK("4.2.0"), "lib/b.js": USER },
  open: { "package.json": MANIFEST, "c.js": USER },
  secret: { "package.json": MANIFEST, "package-lock.json": LOCK("4.1.0"), "hidden.js": USER },
  stranger: { "package.json": '{ "name": "stranger" }', "d.js": USER },
};

let project: Project;
let removeFolders: () => void;

beforeAll(async () => {
  project = createProject({ "main.ts": "export {};\n" });
  removeFolders = await indexNamespaces(project, NAMESPACES);
});

afterAll(async () => {
  await project.dispose();
  removeFolders();
});

const ASKED = { symbol: "compose", relation: "references", depth: 1, limit: 50 } as const;

function references(namespace: string, more: object = {}) {
  return project.engine.references({ ...request(), ...ASKED, ...more, namespace });
}

async function places(namespace: string, more: object = {}): Promise<readonly string[]> {
  const found = await references(namespace, more);
  return found.references.map(
    ({ namespace: at, path, line, certainty, version = "" }) =>
      `${at}/${path}:${line} ${certainty}${version === "" ? "" : ` (${version})`}`,
  );
}

test("users of a package's function are found in each namespace that depends on it", async () => {
  expect(await places("compose,same,stranger")).toEqual([
    "compose/index.js:1 exact",
    "same/lib/a.js:4 exact",
    "compose/test/test.js:3 exact",
  ]);
  const found = await references("compose,same");
  expect(found).toMatchObject({
    namespace: "compose,same",
    target: { namespace: "compose", path: "index.js", symbol: "compose" },
    exact: 3,
    byName: 0,
    missing: [],
  });
});

test("a user of another version, or of one that is not locked, is no exact one", async () => {
  const found = await places("compose,same,other,open");
  expect(found).toContain("same/lib/a.js:4 exact");
  expect(found).toContain("other/lib/b.js:4 name (other version 4.1.0, not 4.2.0)");
  expect(found).toContain("open/c.js:4 name (version 4.1.0, not locked (^4.0.0))");
});

test("a definition is found through its use, and callees and imports lead to other namespaces", async () => {
  const used = await references("same,compose", { symbol: "lib/a.js#compose" });
  expect(used.target).toMatchObject({ namespace: "compose", path: "index.js", symbol: "compose" });
  expect(await places("same,compose", { symbol: "lib/a.js#run", relation: "callees" })).toEqual([
    "compose/index.js:3 exact",
  ]);
  expect((await references("same,open,compose")).target.namespace).toBe("compose");
  const imports = await references("same,compose", { symbol: "lib/a.js", relation: "imports" });
  expect(imports.references).toMatchObject([
    { namespace: "compose", path: "index.js", from: "lib/a.js", fromNamespace: "same", line: 1 },
  ]);
  expect(
    await places("same,compose", { symbol: "compose/index.js", relation: "importers" }),
  ).toEqual(["same/lib/a.js:1 exact", "compose/test/test.js:1 exact"]);
});

test("the users of a package are the files that import it", async () => {
  const files = await places("compose,same,other,stranger", {
    symbol: "package.json",
    relation: "importers",
  });
  expect(files).toEqual([
    "same/lib/a.js:1 exact",
    "other/lib/b.js:1 name (other version 4.1.0, not 4.2.0)",
  ]);
  const byName = await places("same,app-not-there", { symbol: "app" }).catch(
    (error: unknown) => error,
  );
  expect(byName).toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
  expect(await places("same,other,compose", { symbol: "app" })).toEqual([]);
});

test("deeper levels go on from one namespace to the next", async () => {
  const found = await references("compose,same", {
    symbol: "check",
    relation: "callers",
    depth: 2,
  });
  expect(
    found.references.map(({ namespace, symbol, depth }) => [namespace, symbol, depth]),
  ).toEqual([
    ["compose", "compose", 1],
    ["same", "run", 2],
    ["compose", "", 2],
  ]);
});

test("pages go on where the page before ended, and not in other namespaces", async () => {
  const first = await references("compose,same", { limit: 1 });
  const second = await references("compose,same", { limit: 5, cursor: first.nextCursor });
  expect([...first.references, ...second.references]).toHaveLength(3);
  await expect(
    references("compose,same,other", { limit: 1, cursor: first.nextCursor }),
  ).rejects.toThrow(expect.objectContaining({ code: "INVALID_CURSOR" }));
});

test("paths limit the users in each namespace", async () => {
  expect(await places("compose,same,other", { path: "lib/**" })).toHaveLength(2);
});

test("a namespace that the caller may not use leaves no trace in any answer", async () => {
  const caller = new Principal({
    id: "key_1",
    namespaces: ["compose", "same", "other", "open", "stranger"],
    readOnly: true,
  });
  const all = await references("*", { principal: caller });
  const owner = await references("*");
  expect(owner.references.some(({ namespace }) => namespace === "secret")).toBe(true);
  expect(JSON.stringify(all)).not.toContain("secret");
  expect(JSON.stringify(all)).not.toContain("hidden");
  const withoutSecret = await references("compose,open,other,same,stranger");
  expect({ ...all, namespace: "" }).toEqual({ ...withoutSecret, namespace: "" });
  const asked = { principal: caller };
  const unknown = await references("compose,nothing", asked).catch((error: unknown) => error);
  const hidden = await references("compose,secret", asked).catch((error: unknown) => error);
  expect(JSON.stringify(hidden).replaceAll("secret", "nothing")).toBe(JSON.stringify(unknown));
  for (const symbol of ["hidden.js", "secret/hidden.js", "secret/hidden.js#run"]) {
    const ofOther = symbol.replace("secret", "nothing").replace("hidden", "nobody");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [one, other] = await Promise.all(
      [symbol, ofOther].map((name) =>
        references("*", { ...asked, symbol: name, relation: "importers" }).catch(
          (error: unknown) => error,
        ),
      ),
    );
    expect(one).toMatchObject({ code: expect.stringMatching(/_NOT_FOUND$/) });
    expect(Object(one).code).toBe(Object(other).code);
    expect(String(Object(one).hint)).not.toContain("hidden");
  }
  // A caller who may use only one namespace gets the answer of that one.
  const single = new Principal({ id: "key_2", namespaces: ["same"], readOnly: true });
  const own = await references("*", { principal: single });
  expect(own.target).toMatchObject({ namespace: "same", symbol: "dependencies.compose" });
  expect(own.references).toEqual([]);
});
