// Removal of namespaces and sources, also while other processes use them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { createEngine } from "../../src/engine/create-engine.ts";
import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { createProject, request, SEARCH, type Project } from "../helpers/project.ts";
import { recordingLogger } from "../helpers/rpc.ts";
import { openRegistry } from "../helpers/open-registry.ts";
import { PADDING } from "../helpers/staged-tree.ts";
import { plant, tree } from "../helpers/tree.ts";

function projectWith(
  files: Parameters<typeof createProject>[0],
  options: Parameters<typeof createProject>[1] = {},
): Project {
  const project = createProject(files, { onDisk: true, ...options });
  onTestFinished(project.dispose);
  return project;
}

/** A second engine on the same data, which simulates another process. */
function another({ data, home, root }: Project): Project["engine"] {
  const { logger } = recordingLogger();
  const engine = createEngine({ dataDirectory: data, home, logger, workspace: () => root });
  onTestFinished(() => engine.close());
  return engine;
}

const NOT_FOUND = expect.objectContaining({ code: "NAMESPACE_NOT_FOUND" });

async function found(engine: Project["engine"], query: string, namespace: string) {
  const { passages } = await engine.search({ query, ...SEARCH, ...request(), namespace });
  return passages.map(({ path }) => path);
}

test("a removed namespace is deleted from the disk, and unknown to other processes from their next call on", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  const { namespace } = await project.engine.index(request());
  const other = another(project);
  expect(await found(other, "aardvark", namespace)).toEqual(["a.md"]);
  await project.engine.removeNamespace({ ...request(), namespace });
  expect(existsSync(indexLayout(project.data, namespace).directory)).toBe(false);
  expect(readdirSync(join(project.data, "removed"))).toEqual([]);
  await expect(found(other, "aardvark", namespace)).rejects.toThrow(NOT_FOUND);
  await expect(project.engine.removeNamespace({ ...request(), namespace: "nope" })).rejects.toThrow(
    NOT_FOUND,
  );
}, 60_000);

test("a session does not recreate its removed namespace", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  const { namespace } = await project.engine.index(request());
  const other = another(project);
  other.startBackground();
  await other.search({ query: "aardvark", ...SEARCH, ...request() });
  await project.engine.removeNamespace({ ...request(), namespace });
  other.startBackground();
  await expect(other.search({ query: "aardvark", ...SEARCH, ...request() })).rejects.toThrow(
    NOT_FOUND,
  );
  expect(await other.status({ ...request(), detail: "summary" })).toEqual([]);
  expect(existsSync(indexLayout(project.data, namespace).directory)).toBe(false);
}, 60_000);

test("a new namespace of the same name never uses the old index", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), namespace: "zoo" });
  const other = another(project);
  expect(await found(other, "aardvark", "zoo")).toEqual(["a.md"]);
  await project.engine.removeNamespace({ ...request(), namespace: "zoo" });
  const second = tree({ "b.md": "The badger digs.\n" });
  onTestFinished(second.dispose);
  await project.engine.index({ ...request(), source: second.path, namespace: "zoo" });
  expect(await found(other, "badger", "zoo")).toEqual(["b.md"]);
  expect(await found(other, "aardvark", "zoo")).toEqual([]);
}, 60_000);

test("a running run ends when its namespace is removed, and leaves nothing", async () => {
  const pages = Array.from(
    { length: 1500 },
    (_, at) => [`${at}.md`, `# Page ${at}\n\n${"word ".repeat(300)}`] as const,
  );
  const project = projectWith(Object.fromEntries(pages));
  const other = another(project);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const run = other.index({ ...request(), namespace: "zoo", onProgress: () => resolve() });
  const ended = run.catch((thrown: unknown) => thrown);
  await begun;
  await project.engine.removeNamespace({ ...request(), namespace: "zoo" });
  expect(await ended).toEqual(NOT_FOUND);
  await vi.waitFor(() =>
    expect(existsSync(indexLayout(project.data, "zoo").directory)).toBe(false),
  );
}, 120_000);

test("files left by a killed removal are deleted at the next start", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), namespace: "zoo" });
  const layout = indexLayout(project.data, "zoo");
  const helper = new URL("../helpers/open-registry.ts", import.meta.url);
  const program = `const { openRegistry } = await import(${JSON.stringify(helper)});
    await openRegistry(${JSON.stringify(project.data)}).removeNamespace("zoo");
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: "inherit",
  });
  await once(child, "close");
  mkdirSync(join(project.data, "removed/0123"), { recursive: true });
  writeFileSync(join(project.data, "removed/0123/catalog.db"), "half");
  expect(existsSync(layout.catalog)).toBe(true);
  await expect(found(project.engine, "aardvark", "zoo")).rejects.toThrow(NOT_FOUND);
  expect(await another(project).status({ ...request(), detail: "summary" })).toEqual([]);
  expect(existsSync(layout.directory)).toBe(false);
  expect(readdirSync(join(project.data, "removed"))).toEqual([]);
}, 60_000);

test("a pending deletion whose name is in use again is kept", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), namespace: "zoo" });
  const registry = openRegistry(project.data);
  onTestFinished(() => registry.close());
  await registry.removeNamespace("zoo");
  await registry.addSource("zoo", { root: project.root });
  expect(await found(another(project), "aardvark", "zoo")).toEqual(["a.md"]);
  expect((await registry.state()).pendingDeletions()).toEqual([]);
}, 60_000);

test("nothing of a removed source is found; other sources stay", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
  const second = tree({ "b.md": "The badger digs.\n" });
  onTestFinished(second.dispose);
  await project.engine.index({ ...request(), namespace: "zoo" });
  await project.engine.index({ ...request(), source: second.path, namespace: "zoo" });
  // Also if its folder no longer exists.
  second.dispose();
  expect(await project.engine.removeSource({ ...request(), source: second.path })).toBe("zoo");
  expect(await found(project.engine, "badger", "zoo")).toEqual([]);
  expect(await found(project.engine, "aardvark", "zoo")).toEqual(["a.md"]);
  const [status] = await project.engine.status({
    ...request(),
    namespace: "zoo",
    detail: "summary",
  });
  expect(status).toMatchObject({ files: 1, sources: [{ root: project.root }] });
  await expect(project.engine.removeSource({ ...request(), source: second.path })).rejects.toThrow(
    expect.objectContaining({ code: "PATH_NOT_FOUND" }),
  );
}, 60_000);

test("removal does not wait forever for a process that uses the index", async () => {
  const project = projectWith({ "a.md": "The aardvark sleeps.\n" }, { writerWaitMs: 200 });
  await project.engine.index({ ...request(), namespace: "zoo" });
  const release = takeExclusiveLock(indexLayout(project.data, "zoo").writerLock, 0);
  onTestFinished(() => release?.());
  await project.engine.removeNamespace({ ...request(), namespace: "zoo" });
  expect(existsSync(indexLayout(project.data, "zoo").directory)).toBe(false);
}, 60_000);

test("a folder inside a source is part of it, and a folder around sources replaces them", async () => {
  const project = projectWith({
    "a.md": "aardvark\n",
    "src/b.md": "badger\n",
    "src/deep/c.md": "camel\n",
  });
  await project.engine.index({ ...request(), namespace: "zoo" });
  plant(project.root, { "src/d.md": "donkey\n" });
  const inner = await project.engine.index({
    ...request(),
    source: join(project.root, "src"),
    namespace: "zoo",
  });
  expect(inner).toMatchObject({ source: project.root, report: { added: 1 }, status: { files: 4 } });
  expect(await found(project.engine, "badger", "zoo")).toEqual(["src/b.md"]);
  await expect(
    project.engine.index({
      ...request(),
      source: join(project.root, "src"),
      namespace: "zoo",
      include: ["*.md"],
    }),
  ).rejects.toThrow(expect.objectContaining({ code: "INVALID_PARAMS" }));

  for (const path of ["src/deep", "src"]) {
    // eslint-disable-next-line no-await-in-loop -- sequential
    await project.engine.index({
      ...request(),
      source: join(project.root, path),
      namespace: "two",
    });
  }
  const { status } = await project.engine.index({
    ...request(),
    source: project.root,
    namespace: "two",
  });
  expect(status).toMatchObject({ files: 4, sources: [{ root: project.root, prefix: "" }] });
  expect(await found(project.engine, "camel", "two")).toEqual(["src/deep/c.md"]);
}, 60_000);

test("a folder that its enclosing source ignores becomes a separate source", async () => {
  const project = projectWith({
    "a.md": "aardvark\n",
    ".svcignore": "vendor/\n",
    "vendor/b.md": "badger\n",
  });
  await project.engine.index({ ...request(), namespace: "zoo" });
  const { status } = await project.engine.index({
    ...request(),
    source: join(project.root, "vendor"),
    namespace: "zoo",
  });
  expect(status).toMatchObject({ files: 3, sources: [{}, { prefix: "vendor-2/" }] });
  const again = await project.engine.index({ ...request(), namespace: "zoo" });
  expect(again.status.sources).toHaveLength(2);
  expect(readFileSync(join(project.root, ".svcignore"), "utf8")).toBe("vendor/\n");
}, 60_000);

test("later changes of globs are applied and shown", async () => {
  const project = projectWith({ "a.md": "aardvark\n", "b.txt": "badger\n", "c.txt": "camel\n" });
  const indexRequest = { ...request(), source: project.root, namespace: "zoo" };
  expect((await project.engine.index({ ...indexRequest, include: ["*.txt"] })).status.files).toBe(
    2,
  );
  const { status } = await project.engine.index({ ...indexRequest, exclude: ["c.*"] });
  expect(status).toMatchObject({ files: 1, sources: [{ include: ["*.txt"], exclude: ["c.*"] }] });
  const all = await project.engine.index({ ...indexRequest, include: [], exclude: [] });
  expect(all.status).toMatchObject({ files: 3 });
  expect(all.status.sources[0]).not.toHaveProperty("include");
}, 60_000);

test.each(["list", "words", "syntax"] as const)(
  "a call that is cancelled in the stage %s ends its run, and the old generation serves",
  async (stage) => {
    const project = projectWith({ "a.md": "The aardvark sleeps.\n" });
    await project.engine.index({ ...request(), namespace: "zoo" });
    // Enough files that the run lists them first and, with the padding, parses them in a separate stage.
    const text = "export function badger() {}\n";
    const files = Array.from({ length: 300 }, (_, at) => [`${at}.ts`, text] as const);
    plant(project.root, { ...Object.fromEntries(files), ...PADDING });
    const ended = new AbortController();
    const { report } = await project.engine.index({
      ...request(),
      namespace: "zoo",
      // With a limit, so that the run publishes words before syntax.
      waitMs: 60_000,
      signal: ended.signal,
      onProgress: (progress) => {
        if (progress.stage === stage) ended.abort();
      },
    });
    expect(report).toBeUndefined();
    expect(await found(project.engine, "aardvark", "zoo")).toContain("a.md");
    expect(project.log.filter(({ message }) => message === "indexing failed")).toEqual([]);
    const { status } = await project.engine.index({ ...request(), namespace: "zoo" });
    expect(status).toMatchObject({ files: 301, state: "ready" });
  },
  120_000,
);
