// Repositories named by their URL, with the git of this machine.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, connect, type Server } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test, vi } from "vitest";

import { createApp } from "../../src/app.ts";
import { createSettings, readConfiguration } from "../../src/config/settings.ts";
import { fetchRepository } from "../../src/providers/git-fetch.ts";
import { Caller } from "../../src/sources/caller.ts";
import { cloneAt, markUnfinished } from "../../src/sources/clones.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { project, request, SEARCH, type Project } from "../helpers/project.ts";
import { tree } from "../helpers/tree.ts";

/** An engine that may fetch, in an empty workspace. */
function call(options: Parameters<typeof project>[1] = {}): Project {
  const made = project({ "readme.md": "# Workspace\n" }, { fetchRepository, ...options });
  onTestFinished(made.dispose);
  return made;
}

function upstream(files: Readonly<Record<string, string>>): GitRepository & { url: string } {
  const made = gitRepository();
  onTestFinished(made.dispose);
  made.commit(files);
  return { ...made, url: `file://${made.path}` };
}

async function found({ engine }: Project, query: string, namespace: string): Promise<string[]> {
  const { passages } = await engine.search({ query, ...SEARCH, ...request(), namespace });
  return passages.map(({ path }) => path);
}

async function sourceOf({ engine }: Project, namespace: string) {
  const [status] = await engine.status({ ...request(), namespace, detail: "summary" });
  return { ...status?.sources[0], state: status?.state, last_run: status?.last_run };
}

function failure(code: string, message: RegExp): unknown {
  return expect.objectContaining({ code, detail: expect.stringMatching(message) });
}

interface SilentServer {
  readonly port: number;
  readonly server: Server;
  readonly connected: Promise<void>;
  /** The other end has gone. */
  readonly left: Promise<void>;
}

/** A port that takes connections and says nothing. */
async function silentServer(): Promise<SilentServer> {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => leave());
    socket.resume();
    resolve();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, server, connected, left };
}

test("a repository is cloned into the data directory, and fetched again only when it is asked for", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" });
  const wish = { ...request(), source: origin.url, namespace: "zoo" };
  const answer = await made.engine.index(wish);
  expect(answer).toMatchObject({
    source: origin.url,
    report: { added: 2 },
    status: { state: "ready" },
  });
  const { root = "" } = await sourceOf(made, "zoo");
  expect(root.startsWith(join(made.data, "clones"))).toBe(true);
  expect(readdirSync(origin.path).toSorted()).toEqual([".git", "a.md", "b.md"]);

  const second = origin.commit({ "a.md": "The antelope runs.\n", "b.md": undefined });
  made.engine.startBackground();
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
  await made.engine.index({ ...request(), source: root });
  expect(await found(made, "antelope", "zoo")).toEqual([]);

  expect(await made.engine.index(wish)).toMatchObject({ report: { changed: 1, removed: 1 } });
  expect(await found(made, "antelope", "zoo")).toEqual(["a.md"]);
  expect(await sourceOf(made, "zoo")).toMatchObject({
    url: origin.url,
    commit: second,
    available: true,
    fetched_at: expect.stringMatching(/^\d{4}-/),
    last_run: { by: "index", process: process.pid, warnings: [] },
  });
}, 120_000);

test("a branch, a tag and a commit are sources of their own", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const first = origin.git("rev-parse", "HEAD");
  origin.git("tag", "v1");
  origin.git("checkout", "-q", "-b", "next");
  origin.commit({ "a.md": "The badger digs.\n" });
  origin.git("checkout", "-q", "main");
  for (const [namespace, ref] of [
    ["one", "v1"],
    ["two", "next"],
    ["three", first],
  ] as const) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    await made.engine.index({ ...request(), source: `${origin.url}#${ref}`, namespace });
  }
  expect(await found(made, "aardvark", "one")).toEqual(["a.md"]);
  expect(await found(made, "badger", "two")).toEqual(["a.md"]);
  expect(await found(made, "aardvark", "three")).toEqual(["a.md"]);
  expect(await sourceOf(made, "three")).toMatchObject({ commit: first, ref: first });
}, 120_000);

test("a bare repository is fetched from, and a folder of the same files is not needed", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const bare = tree();
  onTestFinished(bare.dispose);
  origin.git("clone", "-q", "--bare", origin.path, join(bare.path, "zoo.git"));
  const { namespace } = await made.engine.index({
    ...request(),
    source: join(bare.path, "zoo.git"),
  });
  expect(namespace).toBe("zoo");
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("git daemon: progress grows, and the clone is no deeper than it need be", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const { port, server } = await silentServer();
  await new Promise((closed) => server.close(closed));
  const daemon = spawn(
    "git",
    [
      "daemon",
      "--export-all",
      `--base-path=${origin.path}`,
      "--listen=127.0.0.1",
      `--port=${port}`,
    ],
    { stdio: "ignore", detached: true },
  );
  onTestFinished(() => void process.kill(-(daemon.pid ?? 0), "SIGKILL"));
  await vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () => resolve(void socket.destroy()));
        socket.on("error", reject);
      }),
    { timeout: 60_000, interval: 50 },
  );
  const seen: number[] = [];
  const { engine } = made;
  const url = `git://127.0.0.1:${port}/.git`;
  const tools = await import("../../src/tools/registry.ts");
  const tool = tools.tools.find(({ name }) => name === "index_source");
  const outcome = await tool?.call(
    { source: url, namespace: "zoo", wait_ms: 25_000 },
    {
      ...request(),
      engine: () => Promise.resolve(engine),
      emit: () => {},
      progress: ({ done, total }) => {
        expect(total).toBe(100);
        seen.push(done);
      },
    },
  );
  expect(outcome?.structured).toMatchObject({ source: url, done: true, added: 1 });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
}, 180_000);

test("nothing in a hostile repository runs, and no configuration makes it", async () => {
  const made = call();
  const traces = tree({ "home/": "", "hooks/": "" });
  onTestFinished(traces.dispose);
  const trace = join(traces.path, "ran");
  const evil = `sh -c 'echo ran >> ${trace}; cat'`;
  writeFileSync(join(traces.path, "hooks/post-checkout"), `#!/bin/sh\necho hook >> ${trace}\n`, {
    mode: 0o755,
  });
  writeFileSync(
    join(traces.path, "hooks/reference-transaction"),
    `#!/bin/sh\necho hook >> ${trace}\n`,
    { mode: 0o755 },
  );
  // As where Git LFS is installed, and worse: what a repository asks for by name has a meaning here.
  writeFileSync(
    join(traces.path, "home/.gitconfig"),
    `[filter "lfs"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n\tprocess = ${evil}\n\trequired = true\n[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${join(traces.path, "hooks")}\n[submodule]\n\trecurse = true\n[init]\n\ttemplateDir = ${traces.path}\n[protocol "ext"]\n\tallow = always\n`,
  );
  const origin = upstream({
    ".gitattributes": "* filter=lfs diff=lfs merge=lfs\n",
    "a.md": "The aardvark sleeps.\n",
    ".gitmodules": `[submodule "evil"]\n\tpath = evil\n\turl = ext::sh -c echo% sub% >>% ${trace}\n\tupdate = !touch ${trace}\n`,
    ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/\n",
  });
  symlinkSync("/etc/passwd", join(origin.path, "out.md"));
  symlinkSync("..", join(origin.path, "up"));
  const commit = origin.commit({});
  origin.git("update-index", "--add", "--cacheinfo", `160000,${commit},evil`);
  origin.git("commit", "-q", "-m", "a submodule");
  const haveItsWay = (): void => {
    vi.stubEnv("HOME", join(traces.path, "home"));
    vi.stubEnv("GIT_SSH_COMMAND", `touch ${trace}`);
    vi.stubEnv("GIT_EXTERNAL_DIFF", `touch ${trace}`);
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.fsmonitor");
    vi.stubEnv("GIT_CONFIG_VALUE_0", evil);
  };
  onTestFinished(() => void vi.unstubAllEnvs());
  const wish = { ...request(), source: origin.url, namespace: "zoo" };
  haveItsWay();
  await made.engine.index(wish);
  vi.unstubAllEnvs();
  origin.commit({ "b.md": "The badger digs.\n" });
  haveItsWay();
  const { status } = await made.engine.index(wish);
  const { root = "" } = await sourceOf(made, "zoo");
  expect(existsSync(trace)).toBe(false);
  // The traps are good: git as it is walks into them.
  spawnSync("git", ["clone", "-q", origin.url, join(traces.path, "clone")], { stdio: "ignore" });
  expect(existsSync(trace)).toBe(true);
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe("The aardvark sleeps.\n");
  expect(await found(made, "badger", "zoo")).toEqual(["b.md"]);
  expect(await found(made, "root daemon bin nologin", "zoo")).not.toContain("out.md");
  expect(status.skipped).toMatchObject({ "symbolic-link": 2 });
  expect(readFileSync(join(root, ".git/config"), "utf8")).not.toMatch(/url|hook|filter/);
}, 120_000);

test.each<[string, (url: string) => string, RegExp]>([
  ["a ref that is not there", (url) => `${url}#nope`, /no "nope": no such branch, tag or commit/],
  ["a repository that is not there", (url) => `${url}-not-there`, /no such repository/],
  ["a port that nobody listens at", () => "http://127.0.0.1:1/a.git", /cannot be reached/],
])(
  "%s is told with the way to mend it, and leaves nothing behind",
  async (_, source, message) => {
    const made = call();
    const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
    const wish = { ...request(), source: source(origin.url), namespace: "zoo" };
    await expect(made.engine.index(wish)).rejects.toThrow(failure("FETCH_FAILED", message));
    expect(await made.engine.status({ ...request(), detail: "summary" })).toEqual([]);
    expect(readdirSync(join(made.data, "clones"))).toEqual([]);
  },
  60_000,
);

test("a server that wants a login is told of, and nobody is asked for one", async () => {
  const made = call();
  const server = createHttpServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const source = `http://127.0.0.1:${port}/a.git`;
  await expect(made.engine.index({ ...request(), source })).rejects.toThrow(
    failure("FETCH_FAILED", /wants a login.*credential helper/),
  );
}, 60_000);

test("a cancelled fetch ends git, and what was there goes on serving", async () => {
  const made = call();
  const { port, connected, left } = await silentServer();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  await made.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const ended = new AbortController();
  const source = `git://127.0.0.1:${port}/slow.git`;
  const wish = { ...request(), signal: ended.signal, source, namespace: "zoo" };
  const cancelled = made.engine.index(wish);
  await connected;
  const [during] = await made.engine.status({ ...request(), namespace: "zoo", detail: "summary" });
  expect(during).toMatchObject({ state: "indexing", stages: [{ name: "fetch" }, {}, {}, {}] });
  ended.abort();
  expect(await cancelled).toMatchObject({ report: undefined });
  await left;
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
  const [after] = await made.engine.status({ ...request(), namespace: "zoo", detail: "summary" });
  expect(after).toMatchObject({ state: "ready", sources: [{ url: origin.url }] });
}, 120_000);

test("cancelled between fetch and checkout, the work tree is that of the commit before", async () => {
  const ended = new AbortController();
  let isSecond = false;
  const made = call({
    fetchRepository: async (wanted) => {
      await fetchRepository(wanted);
      if (isSecond) ended.abort();
      // The signal of the run follows that of the call.
      if (isSecond) await vi.waitUntil(() => wanted.signal.aborted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const wish = { ...request(), source: origin.url, namespace: "zoo" };
  await made.engine.index(wish);
  const before = await sourceOf(made, "zoo");
  origin.commit({ "a.md": "The badger digs.\n" });
  isSecond = true;
  await made.engine.index({ ...wish, signal: ended.signal });
  expect(await sourceOf(made, "zoo")).toMatchObject({ commit: before.commit, available: true });
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
  isSecond = false;
  expect(await made.engine.index(wish)).toMatchObject({ report: { changed: 1 } });
}, 120_000);

test("a work tree that a kill left between two commits is put back before it is looked at", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" });
  await made.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const { root = "" } = await sourceOf(made, "zoo");
  markUnfinished(cloneAt(root));
  writeFileSync(join(root, "a.md"), "Half of another commit.\n");
  writeFileSync(join(root, "c.md"), "Half of another commit.\n");
  writeFileSync(join(root, ".git/index.lock"), "");
  expect(await sourceOf(made, "zoo")).toMatchObject({ available: false });
  // The folder, not the URL: nothing is fetched.
  await made.engine.index({ ...request(), source: root });
  expect(await sourceOf(made, "zoo")).toMatchObject({ available: true });
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe("The aardvark sleeps.\n");
  expect(existsSync(join(root, "c.md"))).toBe(false);
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("after wait_ms the running job is told, and it goes on", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const made = call({
    fetchRepository: async (wanted) => {
      await held;
      await fetchRepository(wanted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const { outcome } = await made.tool("index_source", {
    source: origin.url,
    namespace: "zoo",
    wait_ms: 0,
  });
  expect(outcome.structured).toMatchObject({ namespace: "zoo", done: false, state: "indexing" });
  goOn();
  await vi.waitFor(
    async () => expect(await sourceOf(made, "zoo")).toMatchObject({ state: "ready" }),
    {
      timeout: 60_000,
    },
  );
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("whoever may not have svc connect elsewhere is refused before git is started", async () => {
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const server = call({ fetchRepository: undefined, indexOnlyBelow: [] });
  const wish = { ...request(), source: origin.url };
  await expect(server.engine.index(wish)).rejects.toThrow(
    failure("FORBIDDEN", /does not fetch repositories.*svc index URL/),
  );
  const made = call();
  await made.engine.index({ ...request(), namespace: "team" });
  const caller = new Caller({ id: "tok_1", namespaces: ["team"], readOnly: false });
  await expect(
    made.engine.index({ ...request(caller), source: origin.url, namespace: "team" }),
  ).rejects.toThrow(failure("FORBIDDEN", /fetches no repositories/));
  expect([existsSync(join(made.data, "clones")), existsSync(join(server.data, "clones"))]).toEqual([
    false,
    false,
  ]);
}, 60_000);

test("a clone goes with the last source that uses it, and not before", async () => {
  const made = call();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  for (const namespace of ["one", "two"]) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    await made.engine.index({ ...request(), source: origin.url, namespace });
  }
  const clones = join(made.data, "clones");
  await made.engine.removeNamespace({ ...request(), namespace: "one" });
  expect(readdirSync(clones)).toHaveLength(1);
  expect(await found(made, "aardvark", "two")).toEqual(["a.md"]);
  await made.engine.removeSource({ ...request(), source: origin.url });
  expect(readdirSync(clones)).toEqual([]);
  expect(await found(made, "aardvark", "two")).toEqual([]);
}, 120_000);

test("svc that is killed while it fetches leaves the old generation and clone", async () => {
  const made = call();
  const { port, connected } = await silentServer();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  await made.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  const url = `git://127.0.0.1:${port}/slow.git`;
  const child = spawn(process.execPath, [program, "index", url, "--namespace", "zoo"], {
    env: { PATH: process.env["PATH"], SERVICE_HOME: made.data, HOME: made.home },
    stdio: "ignore",
  });
  await connected;
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await found(made, "aardvark", "zoo")).toEqual(["a.md"]);
  const [status] = await made.engine.status({ ...request(), namespace: "zoo", detail: "summary" });
  expect(status).toMatchObject({
    state: "ready",
    sources: [
      { url: origin.url, available: true },
      { url, available: false, problem: expect.stringContaining("svc index") },
    ],
  });
  expect(
    await made.engine.index({ ...request(), source: origin.url, namespace: "zoo" }),
  ).toMatchObject({
    report: { unchanged: 1 },
  });
  await made.engine.removeSource({ ...request(), source: url });
}, 120_000);

test("who asks again while a repository is fetched waits for the same fetch", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  let fetches = 0;
  const made = call({
    fetchRepository: async (wanted) => {
      fetches += 1;
      await held;
      await fetchRepository(wanted);
    },
  });
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const wish = { ...request(), source: origin.url, namespace: "zoo" };
  const first = made.engine.index({ ...wish, waitMs: 0 });
  expect(await first).toMatchObject({ report: undefined });
  const second = made.engine.index(wish);
  goOn();
  expect(await second).toMatchObject({ report: { added: 1 } });
  expect(fetches).toBe(1);
}, 60_000);

test("svc serve is not given what fetches", async () => {
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const { data, home } = call();
  const settings = createSettings(readConfiguration({ home, env: { SERVICE_HOME: data } }));
  const app = createApp({ settings, writeLog: () => {}, humanLog: false });
  onTestFinished(() => app.close());
  // As in src/cli/commands/serve.ts.
  const engine = await app.engine({ indexOnlyBelow: [] });
  const wish = { caller: app.owner, signal: new AbortController().signal, source: origin.url };
  await expect(engine.index(wish)).rejects.toThrow(failure("FORBIDDEN", /does not fetch/));
}, 60_000);
