// Interrupted fetches and runs: failures, cancelled calls, kills.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer as createHttpServer } from "node:http";

import { expect, onTestFinished, test, vi } from "vitest";

import { fetchRepository } from "../../../src/providers/git-fetch.ts";
import { cloneAt, markUnfinished } from "../../../src/sources/clones.ts";
import {
  fetchingProject,
  failure,
  found,
  silentServer,
  sourceOf,
  upstream,
} from "../../helpers/git-sources.ts";
import { request } from "../../helpers/project.ts";

test.each<[string, (url: string) => string, RegExp]>([
  ["a ref that is not there", (url) => `${url}#nope`, /no "nope": no such branch, tag or commit/],
  ["a repository that is not there", (url) => `${url}-not-there`, /repository does not exist/],
  ["a port that nobody listens at", () => "http://127.0.0.1:1/a.git", /cannot be reached/],
])(
  "%s is reported with a fix, and leaves nothing behind",
  async (_, source, message) => {
    const project = fetchingProject();
    const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
    const indexRequest = { ...request(), source: source(origin.url), namespace: "zoo" };
    await expect(project.engine.index(indexRequest)).rejects.toThrow(
      failure("FETCH_FAILED", message),
    );
    expect(await project.engine.status({ ...request(), detail: "summary" })).toEqual([]);
    expect(readdirSync(join(project.data, "clones"))).toEqual([]);
  },
  60_000,
);

test("a server that requires a login is reported, and svc does not prompt for one", async () => {
  const project = fetchingProject();
  const server = createHttpServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const source = `http://127.0.0.1:${port}/a.git`;
  await expect(project.engine.index({ ...request(), source })).rejects.toThrow(
    failure("FETCH_FAILED", /requires a login.*credential helper/),
  );
}, 60_000);

test("a cancelled fetch ends git, and the old index continues to serve", async () => {
  const project = fetchingProject();
  const { port, connected, left } = await silentServer();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const ended = new AbortController();
  const source = `git://127.0.0.1:${port}/slow.git`;
  const indexRequest = { ...request(), signal: ended.signal, source, namespace: "zoo" };
  const cancelled = project.engine.index(indexRequest);
  await connected;
  const [during] = await project.engine.status({
    ...request(),
    namespace: "zoo",
    detail: "summary",
  });
  expect(during).toMatchObject({ state: "indexing", stages: [{ name: "fetch" }, {}, {}, {}] });
  ended.abort();
  expect(await cancelled).toMatchObject({ report: undefined });
  await left;
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
  const [after] = await project.engine.status({
    ...request(),
    namespace: "zoo",
    detail: "summary",
  });
  expect(after).toMatchObject({ state: "ready", sources: [{ url: origin.url }] });
}, 120_000);

test("after a cancellation between fetch and checkout, the work tree is that of the old commit", async () => {
  const ended = new AbortController();
  let isSecond = false;
  const project = fetchingProject({
    fetchRepository: async (wanted) => {
      await fetchRepository(wanted);
      if (isSecond) ended.abort();
      // The signal of the run is aborted after that of the call.
      if (isSecond) await vi.waitUntil(() => wanted.signal.aborted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const indexRequest = { ...request(), source: origin.url, namespace: "zoo" };
  await project.engine.index(indexRequest);
  const before = await sourceOf(project, "zoo");
  origin.commit({ "a.md": "The badger digs.\n" });
  isSecond = true;
  await project.engine.index({ ...indexRequest, signal: ended.signal });
  expect(await sourceOf(project, "zoo")).toMatchObject({ commit: before.commit, available: true });
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
  isSecond = false;
  expect(await project.engine.index(indexRequest)).toMatchObject({ report: { changed: 1 } });
}, 120_000);

test("a work tree that a kill left between two commits is restored before it is scanned", async () => {
  const project = fetchingProject();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" });
  await project.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const { root = "" } = await sourceOf(project, "zoo");
  markUnfinished(cloneAt(root));
  writeFileSync(join(root, "a.md"), "Half of another commit.\n");
  writeFileSync(join(root, "c.md"), "Half of another commit.\n");
  writeFileSync(join(root, ".git/index.lock"), "");
  expect(await sourceOf(project, "zoo")).toMatchObject({ available: false });
  // Index the folder, not the URL, so that nothing is fetched.
  await project.engine.index({ ...request(), source: root });
  expect(await sourceOf(project, "zoo")).toMatchObject({ available: true });
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe("The aardvark sleeps.\n");
  expect(existsSync(join(root, "c.md"))).toBe(false);
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("after wait_ms the running job is reported, and it continues", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const project = fetchingProject({
    fetchRepository: async (wanted) => {
      await held;
      await fetchRepository(wanted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const { outcome } = await project.tool("index_source", {
    source: origin.url,
    namespace: "zoo",
    wait_ms: 0,
  });
  expect(outcome.structured).toMatchObject({ namespace: "zoo", done: false, state: "indexing" });
  goOn();
  await vi.waitFor(
    async () => expect(await sourceOf(project, "zoo")).toMatchObject({ state: "ready" }),
    {
      timeout: 60_000,
    },
  );
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("svc killed during a fetch leaves the old generation and clone", async () => {
  const project = fetchingProject({ onDisk: true });
  const { port, connected } = await silentServer();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const program = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
  const url = `git://127.0.0.1:${port}/slow.git`;
  const child = spawn(process.execPath, [program, "index", url, "--namespace", "zoo"], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      SERVICE_HOME: project.data,
      HOME: project.home,
    },
    stdio: "ignore",
  });
  await connected;
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
  const [status] = await project.engine.status({
    ...request(),
    namespace: "zoo",
    detail: "summary",
  });
  expect(status).toMatchObject({
    state: "ready",
    sources: [
      { url: origin.url, available: true },
      { url, available: false, problem: expect.stringContaining("svc index") },
    ],
  });
  expect(
    await project.engine.index({ ...request(), source: origin.url, namespace: "zoo" }),
  ).toMatchObject({
    report: { unchanged: 1 },
  });
  await project.engine.removeSource({ ...request(), source: url });
}, 120_000);

test("a second request during a fetch waits for the same fetch", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  let fetches = 0;
  const project = fetchingProject({
    fetchRepository: async (wanted) => {
      fetches += 1;
      await held;
      await fetchRepository(wanted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const indexRequest = { ...request(), source: origin.url, namespace: "zoo" };
  const first = project.engine.index({ ...indexRequest, waitMs: 0 });
  expect(await first).toMatchObject({ report: undefined });
  const second = project.engine.index(indexRequest);
  goOn();
  expect(await second).toMatchObject({ report: { added: 1 } });
  expect(fetches).toBe(1);
}, 60_000);
