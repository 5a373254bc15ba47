// The indexes of a project's dependencies are created, shared, updated and removed, and never appear in unrelated
// answers.
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { request, SEARCH, type Project } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { bakery, update } from "./bakery.ts";
import { BAKERY, ovenFiles } from "./installed-files.ts";

vi.setConfig({ testTimeout: 60_000 });

const OVEN = "npm-oven-1.2.0";
const FLOUR = "npm-mill__flour-2.0.0";

function copiesIn({ data }: Project): readonly string[] {
  const folder = join(data, "dependencies/packages");
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

test("each direct dependency that is installed gets an index of its own, with what its author wrote", async () => {
  const project = bakery();
  const report = await update(project, "all");
  expect(report).toMatchObject({
    namespaces: [OVEN, FLOUR],
    added: 2,
    removed: 0,
    leftOut: [{ name: "missing", reason: "not installed" }],
  });
  const { items } = await project.tool("outline", { namespace: OVEN, depth: 3 });
  const text = items.map((item) => item.text).join("\n");
  expect(text).toContain("heat.d.ts");
  for (const left of ["oven.min.js", "oven.umd.js", "inner", ".npmrc", ".gitignore"])
    expect(text).not.toContain(left);
});

test("answers about the project, and about all namespaces, have nothing of its dependencies", async () => {
  const project = bakery();
  await update(project, "all");
  const { engine } = project;
  for (const namespace of ["bakery", "*"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { passages } = await engine.search({
      ...request(),
      ...SEARCH,
      namespace,
      query: "heats the stones before the dough",
    });
    expect(passages.filter(({ text }) => text.includes("stones"))).toEqual([]);
  }
  expect(await engine.namespaces(request())).toEqual(["bakery"]);
  const asked = await engine.search({
    ...request(),
    ...SEARCH,
    namespace: `bakery,${OVEN}`,
    query: "heats the stones before the dough",
  });
  expect(asked.passages[0]).toMatchObject({ namespace: OVEN, path: "README.md" });
});

test("a second project with the same package shares its index, and the last one takes it away", async () => {
  const project = bakery();
  await update(project, "all");
  const other = tree(BAKERY);
  onTestFinished(other.dispose);
  const { engine } = project;
  const second = { engine, root: other.path };
  expect(await update(second, "all", "second")).toMatchObject({
    added: 0,
    namespaces: [OVEN, FLOUR],
  });
  expect(copiesIn(project)).toEqual([FLOUR, OVEN]);
  expect(await update(project, "forget")).toMatchObject({ removed: 0, isForgotten: true });
  expect(copiesIn(project)).toEqual([FLOUR, OVEN]);
  await engine.removeNamespace({ ...request(), namespace: "second" });
  expect(copiesIn(project)).toEqual([]);
  await expect(engine.dependencies({ ...request(), namespace: "second" })).rejects.toThrow(
    "second",
  );
  await expect(
    engine.search({ ...request(), ...SEARCH, namespace: OVEN, query: "oven stones" }),
  ).rejects.toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});

test("a package with other content at the same version is not shared", async () => {
  const project = bakery();
  await update(project, "all");
  const other = tree({
    ...BAKERY,
    "node_modules/oven/dist/heat.js": "export const patched = true;\n",
  });
  onTestFinished(other.dispose);
  const report = await update({ engine: project.engine, root: other.path }, "all", "second");
  expect(report).toMatchObject({ added: 1 });
  expect(report?.namespaces[0]).toMatch(/^npm-oven-1\.2\.0-[0-9a-f]{8}$/);
  expect(await project.engine.dependencies({ ...request(), namespace: "bakery" })).toContain(OVEN);
});

test("later runs follow what is installed, and remove what is not used any more", async () => {
  const project = bakery();
  expect(await update(project, "keep")).toBeUndefined();
  await update(project, { only: ["oven"] });
  expect(copiesIn(project)).toEqual([OVEN]);
  expect(await update(project, "keep")).toMatchObject({ namespaces: [OVEN], added: 0, removed: 0 });
  plant(project.root, ovenFiles("1.3.0"));
  expect(await update(project, "keep")).toMatchObject({
    namespaces: ["npm-oven-1.3.0"],
    added: 1,
    removed: 1,
  });
  expect(copiesIn(project)).toEqual(["npm-oven-1.3.0"]);
  expect(await update(project, { only: ["oven", "nothing"] })).toMatchObject({
    leftOut: [{ name: "nothing", reason: "no manifest of the project names it" }],
  });
});

test("a link that leads out of the project is not followed, unless the owner has indexed what is there", async () => {
  const outside = tree(ovenFiles("1.2.0", "lib/node_modules/oven"));
  onTestFinished(outside.dispose);
  const { "node_modules/oven/package.json": _, ...rest } = BAKERY;
  const files = Object.fromEntries(
    Object.entries(rest).filter(([path]) => !path.startsWith("node_modules/oven/")),
  );
  const project = bakery(files);
  symlinkSync(join(outside.path, "lib/node_modules/oven"), join(project.root, "node_modules/oven"));
  expect(await update(project, "all")).toMatchObject({
    namespaces: [FLOUR],
    leftOut: expect.arrayContaining([
      { name: "oven", reason: "its link leads out of the project" },
    ]),
  });
  await project.engine.index({ ...request(), source: outside.path, namespace: "outside" });
  expect(await update(project, "all")).toMatchObject({ namespaces: [OVEN, FLOUR] });
});

test("an index that is gone, or was never finished, is made by the next run", async () => {
  const project = bakery();
  await update(project, "all");
  const { engine } = project;
  await engine.removeNamespace({ ...request(), namespace: OVEN });
  expect(await engine.dependencies({ ...request(), namespace: "bakery" })).toEqual([FLOUR]);
  expect(await update(project, "keep")).toMatchObject({ namespaces: [OVEN, FLOUR], added: 0 });
  const { passages } = await engine.search({
    ...request(),
    ...SEARCH,
    namespace: OVEN,
    query: "heats the stones",
  });
  expect(passages.map(({ path }) => path)).toContain("README.md");
});

test("a package that cannot be read is left out with the reason, and the others are indexed", async () => {
  const project = bakery({ ...BAKERY, "node_modules/oven/package.json": "{" });
  expect(await update(project, "all")).toMatchObject({
    namespaces: [FLOUR],
    leftOut: expect.arrayContaining([{ name: "oven", reason: "without a usable package.json" }]),
  });
});
