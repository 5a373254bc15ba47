import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createEngine } from "../../src/engine/create-engine.ts";
import type { SearchRequest } from "../../src/engine/engine.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { workspaceRoot } from "../../src/engine/workspace.ts";
import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { Principal } from "../../src/sources/principal.ts";
import { manyWords } from "../helpers/many-words.ts";
import { project, request, SEARCH, type Project } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { plant, tree } from "../helpers/tree.ts";

/** A project that has been indexed once. */
async function call(files: Parameters<typeof project>[0]): Promise<Project> {
  const made = notIndexed(files);
  await made.engine.index(request());
  return made;
}

function notIndexed(...args: Parameters<typeof project>): Project {
  const made = project(...args);
  onTestFinished(made.dispose);
  return made;
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
  const made = notIndexed({ "a.md": "The aardvark sleeps.\n" });
  const answer = await search(made, "aardvark");
  expect(answer).toMatchObject({ generation: 1, nextCursor: undefined });
  expect(answer.passages).toMatchObject([{ path: "a.md", startLine: 1, endLine: 1, kind: "docs" }]);
});

test("during the first build, a query reports the progress and is answered later", async () => {
  const made = notIndexed({ "a.md": "The aardvark sleeps.\n" });
  const layout = indexLayout(made.data, workspaceName(made));
  mkdirSync(layout.directory, { recursive: true });
  const release = takeExclusiveLock(layout.writerLock, 0);
  const ended = new AbortController();
  ended.abort();
  await expect(search(made, "aardvark", { signal: ended.signal })).rejects.toThrow(
    failure("INDEX_EMPTY", /first time/),
  );
  expect(await made.engine.status({ ...request(), detail: "summary" })).toMatchObject([
    { state: "indexing", generation: 0, files: 0 },
  ]);
  release?.();
  expect((await search(made, "aardvark")).passages).toHaveLength(1);
}, 20_000);

/** The namespace that the registry gives to the workspace, before any query. */
function workspaceName({ root }: Project): string {
  return root.slice(root.lastIndexOf("/") + 1).toLowerCase();
}

test("a file changed after indexing is shown in its current state and marked", async () => {
  const made = await call({ "a.ts": "export function aardvark() {\n  return 1;\n}\n" });
  const text = "// A new first line.\n\nexport function aardvark() {\n  return 42;\n}\n";
  plant(made.root, { "a.ts": text });
  expect((await search(made, "aardvark")).passages).toMatchObject([
    { path: "a.ts", changed: true, startLine: 1, endLine: 5, text: text.trimEnd() },
  ]);
});

test("a moved definition is found at its current position", async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `import "./module${at}.ts";`);
  const definition = ["export function aardvark() {", "  return 1;", "}"];
  const made = await call({ "a.ts": [...lines, ...definition].join("\n") });
  plant(made.root, { "a.ts": [...lines, ...lines, ...definition].join("\n") });
  const [passage] = (await search(made, "aardvark")).passages;
  expect(passage).toMatchObject({ changed: true, text: expect.stringContaining("aardvark() {") });
  expect(passage?.endLine).toBe(203);
});

test("files deleted or emptied after indexing are not in the answer", async () => {
  const made = await call({
    "a.md": "aardvark one\n",
    "b.md": "aardvark two\n",
    "c.md": "aardvark three\n",
  });
  rmSync(join(made.root, "a.md"));
  plant(made.root, { "c.md": "" });
  expect((await search(made, "aardvark")).passages.map(({ path }) => path)).toEqual(["b.md"]);
});

test("a file that became a link out of the source is refused, not read", async () => {
  const made = await call({ "a.md": "aardvark one\n", "b.md": "aardvark two\n" });
  const outside = tree({ "secret.md": "aardvark secret\n" });
  onTestFinished(outside.dispose);
  rmSync(join(made.root, "a.md"));
  symlinkSync(join(outside.path, "secret.md"), join(made.root, "a.md"));
  const answer = await search(made, "aardvark");
  expect(answer.passages.map(({ path }) => path)).toEqual(["b.md"]);
});

test("UTF-16 files are shown as text", async () => {
  const text = "\ufeffexport function aardvark() {}\n";
  const made = await call({
    "little.ts": Buffer.from(text, "utf16le"),
    "big.ts": Buffer.from(text, "utf16le").swap16(),
  });
  expect((await search(made, "aardvark")).passages.map((one) => one.text)).toEqual([
    "export function aardvark() {}",
    "export function aardvark() {}",
  ]);
});

test("a query that is too short or too long in code points is INVALID_QUERY", async () => {
  const made = await call({ "a.md": "aardvark\n" });
  for (const query of ["", "ab", "😀😀", "x".repeat(10_001)]) {
    await expect(search(made, query)).rejects.toThrow(failure("INVALID_QUERY", /3 to 10,000/));
  }
  expect((await search(made, "😀😀😀")).passages).toEqual([]);
});

test("pages contain each result once, in the order of one long page", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 23 }, (_, at) => [`f${at}.md`, `${"aardvark ".repeat(at + 1)}\n`]),
  );
  const made = await call(files);
  const whole = (await search(made, "aardvark", { limit: 50, maxTokens: 20_000 })).passages;
  for (const [limit, maxTokens] of [
    [5, 2000],
    [10, 100],
    [50, 130],
  ] as const) {
    const paths: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(made, "aardvark", { limit, maxTokens, cursor });
      expect(page.passages.length).toBeLessThanOrEqual(limit);
      paths.push(...page.passages.map(({ path }) => path));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(paths).toEqual(whole.map(({ path }) => path));
  }
});

test("a cursor that was altered, or belongs to another query, is INVALID_CURSOR", async () => {
  const made = await call({
    "a.md": "aardvark badger\n",
    "b.md": "aardvark badger\n",
    "c.md": "aardvark\n",
  });
  const cursor = (await search(made, "aardvark", { limit: 1 })).nextCursor ?? "";
  expect((await search(made, "aardvark", { limit: 1, cursor })).passages).toHaveLength(1);
  const refused = failure("INVALID_CURSOR");
  await expect(search(made, "badger", { limit: 1, cursor })).rejects.toThrow(refused);
  await expect(search(made, "aardvark", { cursor, path: "*.md" })).rejects.toThrow(refused);
  const decoded = Buffer.from(cursor, "base64url").toString();
  const further = Buffer.from(decoded.replace(/\d+$/, "2")).toString("base64url");
  for (const altered of [further, `${cursor}!`, cursor.slice(1), "", "AAAA", `${cursor}.`]) {
    await expect(search(made, "aardvark", { cursor: altered })).rejects.toThrow(refused);
  }
});

test("the same query has the same answer on the same generation", async () => {
  const made = await call({
    "a.md": "aardvark badger\n",
    "b.ts": "export const badger = aardvark;\n",
  });
  const { tookMs: _first, ...one } = await search(made, "aardvark badger");
  const { tookMs: _second, ...other } = await search(made, "aardvark badger");
  expect(other).toEqual(one);
});

const STRANGER = new Principal({ id: "tok_1", namespaces: ["other"], readOnly: false });

test("a missing and an inaccessible namespace give the same error", async () => {
  const made = await call({ "a.md": "aardvark\n" });
  const name = await namespaceOf(made);
  const answers: string[] = [];
  for (const [namespace, caller] of [
    ["nothing", LOCAL],
    [name, STRANGER],
    ["other", STRANGER],
  ] as const) {
    const common = { ...request(caller), namespace };
    const calls = [
      () => search(made, "aardvark", common),
      () => made.engine.read({ ...common, targets: ["a.md"], maxTokens: 100 }),
      () => made.engine.status({ ...common, detail: "summary" }),
    ];
    for (const run of calls) {
      const thrown: unknown = await run().catch((error: unknown) => error);
      expect(thrown).toEqual(failure("NAMESPACE_NOT_FOUND"));
      answers.push(String(thrown).replace(namespace, "X"));
    }
  }
  expect(new Set(answers).size).toBe(1);
  await expect(search(made, "aardvark", { principal: STRANGER })).rejects.toThrow(
    failure("NAMESPACE_NOT_FOUND"),
  );
  expect(await made.engine.status({ ...request(STRANGER), detail: "summary" })).toEqual([]);
});

test("a restricted caller can neither index into another namespace nor create one", async () => {
  const made = await call({ "a.md": "aardvark\n" });
  const folder = tree({ "b.md": "badger\n" });
  onTestFinished(folder.dispose);
  const before = await made.engine.status({ ...request(), detail: "summary" });
  const name = await namespaceOf(made);
  for (const namespace of [undefined, name, "third"]) {
    const asked = { ...request(STRANGER), namespace, source: folder.path };
    await expect(made.engine.index(asked)).rejects.toThrow(failure("NAMESPACE_NOT_FOUND"));
  }
  expect(await made.engine.status({ ...request(), detail: "summary" })).toEqual(before);
});

test("an invalid namespace name is refused", async () => {
  const made = notIndexed({ "a.md": "a\n" });
  for (const namespace of ["", "A", "a/b", "..", "x".repeat(65)]) {
    await expect(made.engine.index({ ...request(), namespace })).rejects.toThrow(failure("USAGE"));
  }
});

test("the root of the file system and the home directory cannot be a workspace", async () => {
  const home = tree({ "work/a.md": "aardvark\n" });
  onTestFinished(home.dispose);
  const work = join(home.path, "work");
  const rootOf = (root: string | undefined, workingDirectory = work): string =>
    workspaceRoot({ root, workingDirectory, home: home.path });
  expect(rootOf(undefined)).toBe(work);
  expect(rootOf(work, "/")).toBe(work);
  for (const [root, directory] of [
    ["/", work],
    [home.path, work],
    [undefined, "/"],
    [undefined, home.path],
  ] as const) {
    expect(() => rootOf(root, directory)).toThrow(failure("NO_WORKSPACE", /too wide/));
  }
  expect(() => rootOf(join(home.path, "nothing"))).toThrow(failure("PATH_NOT_FOUND"));
});

test("neither is indexed when a call names it, also by another path", async () => {
  const made = notIndexed({ "a.md": "a\n" });
  const alias = join(made.data, "alias");
  symlinkSync(made.home, alias);
  for (const source of ["/", made.home, alias, `${made.home}/../home/`]) {
    await expect(made.engine.index({ ...request(), source })).rejects.toThrow(
      failure("NO_WORKSPACE"),
    );
  }
});

test("without a workspace, every query reports how to name one", async () => {
  const made = notIndexed(
    {},
    { workspace: () => workspaceRoot({ root: "/", workingDirectory: "/", home: "/" }) },
  );
  await expect(search(made, "aardvark")).rejects.toThrow(failure("NO_WORKSPACE"));
  made.engine.startBackground();
  expect(made.log.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "warn no workspace",
  ]);
  expect(await made.engine.status({ ...request(), detail: "summary" })).toEqual([]);
});

test("further sources of a namespace have their folder's name as prefix", async () => {
  const made = await call({ "a.md": "aardvark one\n" });
  const parents = [
    tree({ "lib/b.md": "aardvark two\n" }),
    tree({ "lib/b.md": "aardvark three\n" }),
  ];
  for (const { dispose } of parents) onTestFinished(dispose);
  const namespace = await namespaceOf(made);
  for (const { path } of parents) {
    await made.engine.index({ ...request(), namespace, source: join(path, "lib") });
  }
  const paths = async (more: Partial<SearchRequest> = {}): Promise<string[]> =>
    (await search(made, "aardvark", more)).passages.map(({ path }) => path).toSorted();
  expect(await paths()).toEqual(["a.md", "lib-2/b.md", "lib/b.md"]);
  expect(await paths({ path: "lib-2/" })).toEqual(["lib-2/b.md"]);
  const read = await made.engine.read({
    ...request(),
    targets: ["lib-2/b.md", "lib/b.md"],
    maxTokens: 500,
  });
  expect(read.parts.map(({ lines }) => lines)).toEqual([["aardvark three"], ["aardvark two"]]);
  for (const target of ["lib/../../a.md", "lib-2/../lib/b.md"]) {
    const asked = made.engine.read({ ...request(), targets: [target], maxTokens: 500 });
    await expect(asked).rejects.toThrow(failure("PATH_OUTSIDE_SOURCE"));
  }
  const status = await made.engine.status({ ...request(), detail: "summary" });
  expect(status[0]?.sources.map(({ prefix, available }) => [prefix, available])).toEqual([
    ["", true],
    ["lib/", true],
    ["lib-2/", true],
  ]);
}, 20_000);

test("an unavailable source keeps its files and is reported as unavailable", async () => {
  const made = await call({ "a.md": "aardvark one\n" });
  const away = tree({ "b.md": "aardvark two\n" });
  const namespace = await namespaceOf(made);
  await made.engine.index({ ...request(), namespace, source: away.path });
  away.dispose();
  await made.engine.index({ ...request(), namespace });
  const [status] = await made.engine.status({ ...request(), namespace, detail: "summary" });
  expect(status).toMatchObject({ state: "ready", files: 2 });
  expect(status?.sources.map(({ available }) => available)).toEqual([true, false]);
  expect((await search(made, "aardvark")).passages.map(({ path }) => path)).toEqual(["a.md"]);
}, 20_000);

test("include and exclude of a source apply to later runs", async () => {
  const made = notIndexed({
    "a.md": "aardvark\n",
    "b.ts": "// aardvark\n",
    "c/d.md": "aardvark\n",
  });
  await made.engine.index({ ...request(), include: ["*.md"], exclude: ["c/"] });
  expect((await search(made, "aardvark")).passages.map(({ path }) => path)).toEqual(["a.md"]);
  await made.engine.index(request());
  expect((await search(made, "aardvark")).passages).toHaveLength(1);
});

test("a run continues in the background after wait_ms", async () => {
  const made = notIndexed({ "a.md": "aardvark\n" });
  const answer = await made.engine.index({ ...request(), waitMs: 0 });
  expect(answer).toMatchObject({ report: undefined, status: { generation: 0 } });
  expect(await made.engine.index(request())).toMatchObject({
    report: { outcome: "done", generation: 1 },
    status: { state: "ready", files: 1 },
  });
});

test("a rebuild repairs an index with damaged segments and catalog", async () => {
  const made = await call({ "a.md": "aardvark\n", "b.md": "badger\n", ...manyWords() });
  const name = await namespaceOf(made);
  const layout = indexLayout(made.data, name);
  await made.engine.close();
  const [segment = "none"] = readdirSync(layout.segments);
  writeFileSync(join(layout.segments, segment), "damaged");
  const reopened = createEngine({
    dataDirectory: made.data,
    home: made.home,
    logger: { debug() {}, info() {}, warn() {} },
    workspace: () => made.root,
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
}, 30_000);

test("closing ends a run at once, also one that waits for another process, without an error", async () => {
  const made = notIndexed({ "a.md": "aardvark\n" });
  await made.engine.index(request());
  const name = await namespaceOf(made);
  const release = takeExclusiveLock(indexLayout(made.data, name).writerLock, 0);
  const waiting = made.engine.index(request());
  waiting.catch(() => {});
  await made.engine.status({ ...request(), detail: "summary" });
  const started = performance.now();
  await made.engine.close();
  expect(performance.now() - started).toBeLessThan(5000);
  release?.();
  await expect(waiting).rejects.toThrow(failure("INDEX_UNAVAILABLE", /cancelled/));
  const told = made.log.map(({ level, message }) => `${level} ${message}`);
  expect(told).toContain("debug indexing cancelled");
  expect(told.filter((line) => line.startsWith("warn"))).toEqual([]);
}, 20_000);

test("an interrupted run leaves an index that the next run completes", async () => {
  const files = Array.from({ length: 150 }, (_, at) => [
    `f${at}.ts`,
    `export const aardvark${at} = 1;\n`,
  ]);
  const made = notIndexed(Object.fromEntries(files));
  for (const stage of ["list", "words"]) {
    const reached = Promise.withResolvers<void>();
    const run = made.engine.index({
      ...request(),
      onProgress: (progress) => progress.stage === stage && reached.resolve(),
    });
    run.catch(() => {});
    await Promise.race([reached.promise, run]);
    await made.engine.close();
  }
  expect(await made.engine.index(request())).toMatchObject({
    report: { outcome: "done" },
    status: { state: "ready", files: 150, symbols: 150 },
  });
  expect(made.log.filter(({ level }) => level === "warn")).toEqual([]);
}, 30_000);

test("everything in the data directory is private to its owner", async () => {
  const made = await call({ "a.md": "aardvark\n" });
  for (const name of readdirSync(made.data, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(join(made.data, name));
    expect([name, (stat.mode & 0o777).toString(8)]).toEqual([
      name,
      stat.isDirectory() ? "700" : "600",
    ]);
  }
});
