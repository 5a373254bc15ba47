import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { PbfWriter } from "pbf";
import { expect, onTestFinished, test } from "vitest";

import type { IndexResult } from "../../../src/engine/api/index-source.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { filesOf, scipOf, type FixtureName } from "../../scip/fixture-projects.ts";

function projectOf(name: FixtureName, options: Parameters<typeof createProject>[1] = {}): Project {
  const project = createProject(filesOf(name), options);
  onTestFinished(() => project.dispose());
  return project;
}

/** The folder of the facts, which also holds the texts of documents. */
function documentsOf({ data, root }: Project): string {
  return indexLayout(data, basename(root).toLowerCase()).documents;
}

function index(
  { engine, root }: Project,
  more: { scip?: readonly string[]; rebuild?: boolean; forgetsScip?: boolean } = {},
): Promise<IndexResult> {
  return engine.index({ ...request(), source: root, ...more });
}

/** The places of the references of a definition, with their marks. */
async function references({ engine }: Project, symbol: string): Promise<readonly string[]> {
  const { references: found } = await engine.references({
    ...request(),
    symbol,
    relation: "references",
    depth: 1,
    limit: 100,
  });
  return found.map(({ path, line, certainty }) => `${path}:${line} ${certainty}`).toSorted();
}

const STORES = [
  ["in memory", {}],
  ["in files", { onDisk: true }],
] as const;

test.each(STORES)("references are those of the compiler: %s", async (_, options) => {
  const project = projectOf("shapes", options);
  const { status, refused } = await index(project, { scip: [scipOf("shapes")] });
  expect(refused).toEqual([]);
  expect(status.scip).toEqual({ tools: ["scip-typescript 0.4.0"], files: 3, current: 3 });
  // The receivers are parameters of callbacks, whose types svc cannot know by itself.
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual([
    "src/main.ts:6 exact",
    "src/registry.ts:15 exact",
  ]);
  expect(await references(project, "src/shape.ts#Square")).toEqual([
    "src/registry.ts:1 exact",
    "src/registry.ts:6 exact",
  ]);
  expect(await references(project, "src/registry.ts#create")).toEqual([
    "src/main.ts:1 exact",
    "src/main.ts:3 exact",
    "src/main.ts:5 exact",
  ]);
});

test("without the index of the compiler, one of them is known by name", async () => {
  const project = projectOf("shapes");
  await index(project);
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual([
    "src/main.ts:6 name",
    "src/registry.ts:15 exact",
  ]);
});

test("references of Python are those of the compiler", async () => {
  const project = projectOf("app");
  await index(project, { scip: [scipOf("app")] });
  expect(await references(project, "app/store.py#open_store")).toEqual([
    "app/main.py:1 exact",
    "app/main.py:8 exact",
  ]);
  expect(await references(project, "app/store.py#Store.default")).toEqual([
    "app/main.py:5 exact",
    "app/store.py:10 exact",
  ]);
  const { references: found } = await project.engine.references({
    ...request(),
    symbol: "app/store.py#Store.default",
    relation: "implementations",
    depth: 1,
    limit: 100,
  });
  expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual(["app/store.py:17"]);
});

test("a changed file has svc's own references until the next import", async () => {
  const project = projectOf("shapes", { onDisk: true });
  await index(project, { scip: [scipOf("shapes")] });
  const { "src/registry.ts": registry = "" } = filesOf("shapes");
  plant(project.root, { "src/registry.ts": `// One line more.\n${registry}` });
  expect((await index(project)).status.scip).toMatchObject({ files: 3, current: 2 });
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual([
    "src/main.ts:6 exact",
    "src/registry.ts:16 exact",
  ]);
  // The definition has moved; main.ts still refers to it.
  expect(await references(project, "src/registry.ts#create")).toEqual([
    "src/main.ts:1 exact",
    "src/main.ts:3 exact",
    "src/main.ts:5 exact",
  ]);
  plant(project.root, { "src/registry.ts": registry });
  expect((await index(project)).status.scip).toMatchObject({ files: 3, current: 3 });
  expect(await references(project, "src/shape.ts#Shape.area")).toContain(
    "src/registry.ts:15 exact",
  );
});

test("a rebuild keeps the facts, and what no file needs is deleted", async () => {
  const project = projectOf("shapes", { onDisk: true });
  await index(project, { scip: [scipOf("shapes")] });
  const before = await references(project, "src/shape.ts#Shape.area");
  expect((await index(project, { rebuild: true })).status.scip).toMatchObject({ current: 3 });
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual(before);
  const kept = (): number => readdirSync(documentsOf(project)).length;
  // The facts of three files, and their list.
  expect(kept()).toBe(4);
  rmSync(join(project.root, "src/main.ts"));
  expect((await index(project)).status.scip).toMatchObject({ files: 3, current: 2 });
  await index(project, { forgetsScip: true });
  expect(kept()).toBe(0);
});

test("a second import replaces the first", async () => {
  const project = projectOf("shapes");
  await index(project, { scip: [scipOf("shapes")] });
  const before = await references(project, "src/shape.ts#Shape.area");
  const symbols = (await project.engine.status({ ...request(), detail: "summary" }))[0]?.symbols;
  const { status } = await index(project, { scip: [scipOf("shapes")] });
  expect(status.scip).toEqual({ tools: ["scip-typescript 0.4.0"], files: 3, current: 3 });
  expect(status.symbols).toBe(symbols);
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual(before);
});

test("the facts can be forgotten", async () => {
  const project = projectOf("shapes", { onDisk: true });
  await index(project, { scip: [scipOf("shapes")] });
  const { status } = await index(project, { forgetsScip: true });
  expect(status.scip).toBeUndefined();
  expect(await references(project, "src/shape.ts#Shape.area")).toEqual([
    "src/main.ts:6 name",
    "src/registry.ts:15 exact",
  ]);
});

test("an index of other files is refused", async () => {
  const project = createProject({ "src/shape.ts": "export const shape = 1;\n" });
  onTestFinished(() => project.dispose());
  await expect(index(project, { scip: [scipOf("shapes")] })).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    detail: expect.stringMatching(/does not describe the current content of any indexed file/),
  });
});

test("a file that has changed since the compiler read it is refused, and the others are used", async () => {
  const files = filesOf("shapes");
  const project = createProject({ ...files, "src/main.ts": `\n\n${files["src/main.ts"] ?? ""}` });
  onTestFinished(() => project.dispose());
  const { status, refused } = await index(project, { scip: [scipOf("shapes")] });
  expect(status.scip).toMatchObject({ files: 2, current: 2 });
  expect(refused).toEqual([
    { reason: expect.stringMatching(/ranges outside|other names/), documents: ["src/main.ts"] },
  ]);
});

test("a project in a folder of the source is found", async () => {
  const files = Object.entries(filesOf("shapes")).map(([path, text]) => [
    `packages/a/${path}`,
    text,
  ]);
  const bytes = readFileSync(scipOf("shapes"));
  const project = createProject({ ...Object.fromEntries(files), "packages/a/index.scip": bytes });
  onTestFinished(() => project.dispose());
  const scip = [join(project.root, "packages/a/index.scip")];
  expect((await index(project, { scip })).status.scip).toMatchObject({ files: 3, current: 3 });
  expect(await references(project, "packages/a/src/registry.ts#create")).toHaveLength(3);
});

/** An index with one document that has this path and no occurrence. */
function emptyDocument(path: string): Uint8Array {
  const to = new PbfWriter();
  to.writeMessage(1, (root, inner) => inner.writeStringField(3, root), "file:///srv/shapes");
  to.writeMessage(2, (name, inner) => inner.writeStringField(1, name), path);
  return to.finish();
}

test.each([
  "/etc/passwd",
  "../other.ts",
  "src/../../x.ts",
  "src\\a.ts",
  "",
  "..",
  "./src/shape.ts",
])("a document with the path %j is refused", async (path) => {
  const project = projectOf("shapes");
  const { path: folder, dispose } = tree({ "bad.scip": emptyDocument(path) });
  onTestFinished(dispose);
  const scip = [join(folder, "bad.scip"), scipOf("shapes")];
  const { refused, status } = await index(project, { scip });
  expect(refused).toEqual([{ reason: "path outside the project", documents: [path] }]);
  expect(status.scip).toMatchObject({ files: 3 });
});
