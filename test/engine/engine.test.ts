import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { memoryBackend } from "../../src/backend/memory-backend.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { SearchRequest } from "../../src/engine/api/search.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { indexThreads } from "../helpers/index-threads.ts";
import { manyWords } from "../helpers/many-words.ts";
import { createProject, request, SEARCH, type Project } from "../helpers/project.ts";
import { plant, tree } from "../helpers/tree.ts";

/** A project that has been indexed once. */
async function indexedProject(files: Parameters<typeof createProject>[0]): Promise<Project> {
  const project = notIndexed(files);
  await project.engine.index(request());
  return project;
}

function notIndexed(...args: Parameters<typeof createProject>): Project {
  const project = createProject(args[0], { onDisk: true, ...args[1] });
  onTestFinished(project.dispose);
  return project;
}

function search({ engine }: Project, query: string, more: Partial<SearchRequest> = {}) {
  return engine.search({ query, ...SEARCH, ...request(), ...more });
}

async function namespaceOf({ engine }: Project): Promise<string> {
  const [status] = await engine.status({ ...request(), detail: "summary" });
  return status?.name ?? "";
}

function failure(code: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

test("the first query builds the index and is answered from it", async () => {
  const patient = { firstBuildWaitMs: 60_000 };
  const project = notIndexed({ "a.md": "The aardvark sleeps.\n" }, patient);
  const answer = await search(project, "aardvark");
  expect(answer).toMatchObject({ generation: 1, nextCursor: undefined });
  expect(answer.passages).toMatchObject([{ path: "a.md", startLine: 1, endLine: 1, kind: "docs" }]);
}, 60_000);

test("during the first build, a query reports the progress and is answered later", async () => {
  const project = notIndexed({ "a.md": "The aardvark sleeps.\n" });
  const layout = indexLayout(project.data, workspaceName(project));
  mkdirSync(layout.directory, { recursive: true });
  const release = takeExclusiveLock(layout.writerLock, 0);
  const ended = new AbortController();
  ended.abort();
  await expect(search(project, "aardvark", { signal: ended.signal })).rejects.toThrow(
    failure("INDEX_EMPTY", /first time/),
  );
  expect(await project.engine.status({ ...request(), detail: "summary" })).toMatchObject([
    { state: "indexing", generation: 0, files: 0 },
  ]);
  release?.();
  // The query waits only 3 s; this waits for the end of the run.
  await project.engine.index(request());
  expect((await search(project, "aardvark")).passages).toHaveLength(1);
}, 20_000);

/** The namespace that the registry gives to the workspace, before any query. */
function workspaceName({ root }: Project): string {
  return root.slice(root.lastIndexOf("/") + 1).toLowerCase();
}

test("a file changed after indexing is shown in its current state and marked", async () => {
  const project = await indexedProject({
    "a.ts": "export function aardvark() {\n  return 1;\n}\n",
  });
  const text = "// A new first line.\n\nexport function aardvark() {\n  return 42;\n}\n";
  plant(project.root, { "a.ts": text });
  expect((await search(project, "aardvark")).passages).toMatchObject([
    { path: "a.ts", changed: true, startLine: 1, endLine: 5, text: text.trimEnd() },
  ]);
});

test("a moved definition is found at its current position", async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `import "./module${at}.ts";`);
  const definition = ["export function aardvark() {", "  return 1;", "}"];
  const project = await indexedProject({ "a.ts": [...lines, ...definition].join("\n") });
  plant(project.root, { "a.ts": [...lines, ...lines, ...definition].join("\n") });
  const [passage] = (await search(project, "aardvark")).passages;
  expect(passage).toMatchObject({ changed: true, text: expect.stringContaining("aardvark() {") });
  expect(passage?.endLine).toBe(203);
});

test("files deleted or emptied after indexing are not in the answer", async () => {
  const project = await indexedProject({
    "a.md": "aardvark one\n",
    "b.md": "aardvark two\n",
    "c.md": "aardvark three\n",
  });
  rmSync(join(project.root, "a.md"));
  plant(project.root, { "c.md": "" });
  expect((await search(project, "aardvark")).passages.map(({ path }) => path)).toEqual(["b.md"]);
});

test("a file that became a link out of the source is refused, not read", async () => {
  const project = await indexedProject({ "a.md": "aardvark one\n", "b.md": "aardvark two\n" });
  const outside = tree({ "secret.md": "aardvark secret\n" });
  onTestFinished(outside.dispose);
  rmSync(join(project.root, "a.md"));
  symlinkSync(join(outside.path, "secret.md"), join(project.root, "a.md"));
  const answer = await search(project, "aardvark");
  expect(answer.passages.map(({ path }) => path)).toEqual(["b.md"]);
});

test("UTF-16 files are shown as text", async () => {
  const [little, big] = ["Little", "Big"].map((order) =>
    Buffer.from(`\ufeffexport function aardvark${order}() {}\n`, "utf16le"),
  );
  const project = await indexedProject({
    "little.ts": little ?? "",
    "big.ts": big?.swap16() ?? "",
  });
  const { passages } = await search(project, "aardvark");
  expect(passages.map(({ text }) => text).toSorted()).toEqual([
    "export function aardvarkBig() {}",
    "export function aardvarkLittle() {}",
  ]);
});

test("a query that is too short or too long in code points is INVALID_QUERY", async () => {
  const project = await indexedProject({ "a.md": "aardvark\n" });
  for (const query of ["", "ab", "😀😀", "x".repeat(10_001)]) {
    await expect(search(project, query)).rejects.toThrow(failure("INVALID_QUERY", /3 to 10,000/));
  }
  expect((await search(project, "😀😀😀")).passages).toEqual([]);
});

test("a short query is answered where a person asks", async () => {
  const project = await indexedProject({ "a.md": "The db is here.\n" });
  const allowed = { allowsShortQuery: true };
  expect((await search(project, "db", allowed)).passages).toHaveLength(1);
  await expect(search(project, "", allowed)).rejects.toThrow(failure("INVALID_QUERY"));
});

test("pages contain each result once, in the order of one long page", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 23 }, (_, at) => [`f${at}.md`, `${"aardvark ".repeat(at + 1)}\n`]),
  );
  const project = await indexedProject(files);
  const whole = (await search(project, "aardvark", { limit: 50, maxTokens: 20_000 })).passages;
  for (const [limit, maxTokens] of [
    [5, 2000],
    [10, 100],
    [50, 130],
  ] as const) {
    const paths: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(project, "aardvark", { limit, maxTokens, cursor });
      expect(page.passages.length).toBeLessThanOrEqual(limit);
      paths.push(...page.passages.map(({ path }) => path));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(paths).toEqual(whole.map(({ path }) => path));
  }
});

test("a cursor that was altered, or belongs to another query, is INVALID_CURSOR", async () => {
  const project = await indexedProject({
    "a.md": "aardvark badger\n",
    "b.md": "aardvark badger\n",
    "c.md": "aardvark\n",
  });
  const cursor = (await search(project, "aardvark", { limit: 1 })).nextCursor ?? "";
  expect((await search(project, "aardvark", { limit: 1, cursor })).passages).toHaveLength(1);
  const refused = failure("INVALID_CURSOR");
  await expect(search(project, "badger", { limit: 1, cursor })).rejects.toThrow(refused);
  await expect(search(project, "aardvark", { cursor, path: "*.md" })).rejects.toThrow(refused);
  const decoded = Buffer.from(cursor, "base64url").toString();
  const further = Buffer.from(decoded.replace(/\d+$/, "2")).toString("base64url");
  for (const altered of [further, `${cursor}!`, cursor.slice(1), "", "AAAA", `${cursor}.`]) {
    await expect(search(project, "aardvark", { cursor: altered })).rejects.toThrow(refused);
  }
});

test("the same query has the same answer on the same generation", async () => {
  const project = await indexedProject({
    "a.md": "aardvark badger\n",
    "b.ts": "export const badger = aardvark;\n",
  });
  const [one, other] = [
    await search(project, "aardvark badger"),
    await search(project, "aardvark badger"),
  ];
  // svc does not cache an answer from a file that was written less than 50 ms before.
  const { isCacheable } = other;
  expect({ ...other, tookMs: 0 }).toEqual({ ...one, tookMs: 0, isCacheable });
});

test("further sources of a namespace have their folder's name as prefix", async () => {
  const project = await indexedProject({ "a.md": "aardvark one\n" });
  const parents = [
    tree({ "lib/b.md": "aardvark two\n" }),
    tree({ "lib/b.md": "aardvark three\n" }),
  ];
  for (const { dispose } of parents) onTestFinished(dispose);
  const namespace = await namespaceOf(project);
  for (const { path } of parents) {
    await project.engine.index({ ...request(), namespace, source: join(path, "lib") });
  }
  const paths = async (more: Partial<SearchRequest> = {}): Promise<string[]> =>
    (await search(project, "aardvark", more)).passages.map(({ path }) => path).toSorted();
  expect(await paths()).toEqual(["a.md", "lib-2/b.md", "lib/b.md"]);
  expect(await paths({ path: "lib-2/" })).toEqual(["lib-2/b.md"]);
  const read = await project.engine.read({
    ...request(),
    targets: ["lib-2/b.md", "lib/b.md"],
    maxTokens: 500,
  });
  expect(read.parts.map(({ lines }) => lines)).toEqual([["aardvark three"], ["aardvark two"]]);
  for (const target of ["lib/../../a.md", "lib-2/../lib/b.md"]) {
    const asked = project.engine.read({ ...request(), targets: [target], maxTokens: 500 });
    await expect(asked).rejects.toThrow(failure("PATH_OUTSIDE_SOURCE"));
  }
  const status = await project.engine.status({ ...request(), detail: "summary" });
  expect(status[0]?.sources.map(({ prefix, available }) => [prefix, available])).toEqual([
    ["", true],
    ["lib/", true],
    ["lib-2/", true],
  ]);
}, 20_000);

test("an unavailable source keeps its files and is reported as unavailable", async () => {
  const project = await indexedProject({ "a.md": "aardvark one\n" });
  const away = tree({ "b.md": "aardvark two\n" });
  const namespace = await namespaceOf(project);
  await project.engine.index({ ...request(), namespace, source: away.path });
  away.dispose();
  await project.engine.index({ ...request(), namespace });
  const [status] = await project.engine.status({ ...request(), namespace, detail: "summary" });
  expect(status).toMatchObject({ state: "ready", files: 2 });
  expect(status?.sources.map(({ available }) => available)).toEqual([true, false]);
  expect((await search(project, "aardvark")).passages.map(({ path }) => path)).toEqual(["a.md"]);
}, 20_000);

test("include and exclude of a source apply to later runs", async () => {
  const project = notIndexed({
    "a.md": "aardvark\n",
    "b.ts": "// aardvark\n",
    "c/d.md": "aardvark\n",
  });
  await project.engine.index({ ...request(), include: ["*.md"], exclude: ["c/"] });
  expect((await search(project, "aardvark")).passages.map(({ path }) => path)).toEqual(["a.md"]);
  await project.engine.index(request());
  expect((await search(project, "aardvark")).passages).toHaveLength(1);
});

test("a run continues in the background after wait_ms", async () => {
  const project = notIndexed({ "a.md": "aardvark\n" });
  const layout = indexLayout(project.data, "held");
  mkdirSync(layout.segments, { recursive: true });
  // The run cannot end before the answer.
  const release = takeExclusiveLock(layout.writerLock, 0);
  const background = { ...request(), namespace: "held" };
  const answer = await project.engine.index({ ...background, waitMs: 0 });
  release?.();
  expect(answer).toMatchObject({ report: undefined, status: { generation: 0 } });
  expect(await project.engine.index(background)).toMatchObject({
    report: { outcome: "done", generation: 1 },
    status: { state: "ready", files: 1 },
  });
});

test("a rebuild repairs an index with damaged segments and catalog", async () => {
  const project = await indexedProject({
    "a.md": "aardvark\n",
    "b.md": "badger\n",
    ...manyWords(),
  });
  const name = await namespaceOf(project);
  const layout = indexLayout(project.data, name);
  await project.engine.close();
  const [segment = "none"] = readdirSync(layout.segments);
  writeFileSync(join(layout.segments, segment), "damaged");
  const reopened = createEngine({
    dataDirectory: project.data,
    home: project.home,
    logger: { debug() {}, info() {}, warn() {} },
    workspace: () => project.root,
    jobRunner: indexThreads(),
  });
  onTestFinished(() => reopened.close());
  const ask = { query: "aardvark", ...SEARCH, ...request() };
  expect(await reopened.status({ ...request(), detail: "health" })).toMatchObject([
    { state: "degraded", problem: expect.stringContaining("--rebuild") },
  ]);
  await expect(reopened.search(ask)).rejects.toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("being rebuilt"),
    }),
  );
  await reopened.index({ ...request(), rebuild: true });
  expect((await reopened.search(ask)).passages[0]).toMatchObject({
    path: "a.md",
    text: "aardvark",
  });
  await reopened.close();
  writeFileSync(layout.catalog, Buffer.alloc(20_000, 7));
  for (const end of ["-wal", "-shm"]) rmSync(layout.catalog + end, { force: true });
  await expect(reopened.search(ask)).rejects.toThrow(failure("INDEX_UNAVAILABLE"));
  await reopened.index({ ...request(), rebuild: true });
  expect((await reopened.search(ask)).passages[0]).toMatchObject({
    path: "a.md",
    text: "aardvark",
  });
}, 120_000);

test("a closed engine does not open the registry again to check the files", async () => {
  const place = tree({ "data/": "", "home/": "", "project/a.md": "The aardvark sleeps.\n" });
  onTestFinished(place.dispose);
  const backend = memoryBackend();
  const registry = vi.fn<typeof backend.registry>(backend.registry);
  const open = () =>
    createEngine({
      dataDirectory: join(place.path, "data"),
      home: join(place.path, "home"),
      logger: { debug() {}, info() {}, warn() {} },
      workspace: () => join(place.path, "project"),
      backend: { ...backend, registry, close() {} },
    });
  const builder = open();
  await builder.index(request());
  await builder.close();
  const engine = open();
  // svc checks the files shortly after the answer, because no check has run before.
  await engine.search({ query: "aardvark", ...SEARCH, ...request() });
  await engine.close();
  const { length } = registry.mock.calls;
  await delay(250);
  expect(registry.mock.calls).toHaveLength(length);
});

test("closing ends a run at once, also one that waits for another process, without an error", async () => {
  const project = notIndexed({ "a.md": "aardvark\n" });
  await project.engine.index(request());
  const name = await namespaceOf(project);
  const release = takeExclusiveLock(indexLayout(project.data, name).writerLock, 0);
  const waiting = project.engine.index(request());
  waiting.catch(() => {});
  await project.engine.status({ ...request(), detail: "summary" });
  // The other process holds the lock, so only the end of this engine ends the wait.
  await project.engine.close();
  await expect(waiting).rejects.toThrow(failure("INDEX_UNAVAILABLE", /cancelled/));
  const lines = project.log.map(({ level, message }) => `${level} ${message}`);
  expect(lines).toContain("debug indexing cancelled");
  expect(lines.filter((line) => line.startsWith("warn"))).toEqual([]);
  release?.();
}, 20_000);

test("an interrupted run leaves an index that the next run completes", async () => {
  const files = Array.from({ length: 150 }, (_, at) => [
    `f${at}.ts`,
    `export const aardvark${at} = 1;\n`,
  ]);
  const project = notIndexed(Object.fromEntries(files));
  for (const stage of ["list", "words"]) {
    const reached = Promise.withResolvers<void>();
    const run = project.engine.index({
      ...request(),
      onProgress: (progress) => progress.stage === stage && reached.resolve(),
    });
    run.catch(() => {});
    await Promise.race([reached.promise, run]);
    await project.engine.close();
  }
  expect(await project.engine.index(request())).toMatchObject({
    report: { outcome: "done" },
    status: { state: "ready", files: 150, symbols: 150 },
  });
  expect(project.log.filter(({ level }) => level === "warn")).toEqual([]);
}, 120_000);

test("everything in the data directory is private to its owner", async () => {
  const project = await indexedProject({ "a.md": "aardvark\n" });
  for (const name of readdirSync(project.data, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(join(project.data, name));
    expect([name, (stat.mode & 0o777).toString(8)]).toEqual([
      name,
      stat.isDirectory() ? "700" : "600",
    ]);
  }
});
