// Repositories named by URL, with the installed git.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { createSettings, readConfiguration } from "../../../src/config/settings.ts";
import { Principal } from "../../../src/sources/principal.ts";
import {
  fetchingProject,
  failure,
  found,
  silentServer,
  sourceOf,
  upstream,
} from "../../helpers/git-sources.ts";
import { request } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

test("a repository is cloned into the data directory, and fetched again only on request", async () => {
  const project = fetchingProject();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" });
  const indexRequest = { ...request(), source: origin.url, namespace: "zoo" };
  const answer = await project.engine.index(indexRequest);
  expect(answer).toMatchObject({
    source: origin.url,
    report: { added: 2 },
    status: { state: "ready" },
  });
  const { root = "" } = await sourceOf(project, "zoo");
  expect(root.startsWith(join(project.data, "clones"))).toBe(true);
  expect(readdirSync(origin.path).toSorted()).toEqual([".git", "a.md", "b.md"]);

  const second = origin.commit({ "a.md": "The antelope runs.\n", "b.md": undefined });
  project.engine.startBackground();
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
  await project.engine.index({ ...request(), source: root });
  expect(await found(project, "antelope", "zoo")).toEqual([]);

  expect(await project.engine.index(indexRequest)).toMatchObject({
    report: { changed: 1, removed: 1 },
  });
  expect(await found(project, "antelope", "zoo")).toEqual(["a.md"]);
  expect(await sourceOf(project, "zoo")).toMatchObject({
    url: origin.url,
    commit: second,
    available: true,
    fetched_at: expect.stringMatching(/^\d{4}-/),
    last_run: { by: "index", process: process.pid, warnings: [] },
  });
}, 120_000);

test("a branch, a tag and a commit are separate sources", async () => {
  const project = fetchingProject();
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
    // eslint-disable-next-line no-await-in-loop -- sequential
    await project.engine.index({ ...request(), source: `${origin.url}#${ref}`, namespace });
  }
  expect(await found(project, "aardvark", "one")).toEqual(["a.md"]);
  expect(await found(project, "badger", "two")).toEqual(["a.md"]);
  expect(await found(project, "aardvark", "three")).toEqual(["a.md"]);
  expect(await sourceOf(project, "three")).toMatchObject({ commit: first, ref: first });
}, 120_000);

test("a bare repository can be fetched, without a folder of its files", async () => {
  const project = fetchingProject();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const bare = tree();
  onTestFinished(bare.dispose);
  origin.git("clone", "-q", "--bare", origin.path, join(bare.path, "zoo.git"));
  const { namespace } = await project.engine.index({
    ...request(),
    source: join(bare.path, "zoo.git"),
  });
  expect(namespace).toBe("zoo");
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
}, 120_000);

test("git daemon: progress grows, and the clone is as shallow as possible", async () => {
  const project = fetchingProject();
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
  const { engine } = project;
  const url = `git://127.0.0.1:${port}/.git`;
  const tools = await import("../../../src/tools/registry.ts");
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
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
}, 180_000);

test("nothing in a hostile repository runs, with any configuration", async () => {
  const project = fetchingProject();
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
  // Like an installed Git LFS, but worse: this machine defines every filter that the repository names.
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
  const indexRequest = { ...request(), source: origin.url, namespace: "zoo" };
  haveItsWay();
  await project.engine.index(indexRequest);
  vi.unstubAllEnvs();
  origin.commit({ "b.md": "The badger digs.\n" });
  haveItsWay();
  const { status } = await project.engine.index(indexRequest);
  const { root = "" } = await sourceOf(project, "zoo");
  expect(existsSync(trace)).toBe(false);
  // The traps work: plain git falls for them.
  spawnSync("git", ["clone", "-q", origin.url, join(traces.path, "clone")], { stdio: "ignore" });
  expect(existsSync(trace)).toBe(true);
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe("The aardvark sleeps.\n");
  expect(await found(project, "badger", "zoo")).toEqual(["b.md"]);
  expect(await found(project, "root daemon bin nologin", "zoo")).not.toContain("out.md");
  expect(status.skipped).toMatchObject({ "symbolic-link": 2 });
  expect(readFileSync(join(root, ".git/config"), "utf8")).not.toMatch(/url|hook|filter/);
}, 120_000);

test("a caller without the right to fetch is refused before git is started", async () => {
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const server = fetchingProject({ fetchRepository: undefined, indexOnlyBelow: [] });
  const indexRequest = { ...request(), source: origin.url };
  await expect(server.engine.index(indexRequest)).rejects.toThrow(
    failure("FORBIDDEN", /does not fetch repositories.*svc index URL/),
  );
  const project = fetchingProject();
  await project.engine.index({ ...request(), namespace: "team" });
  const caller = new Principal({ id: "tok_1", namespaces: ["team"], readOnly: false });
  await expect(
    project.engine.index({ ...request(caller), source: origin.url, namespace: "team" }),
  ).rejects.toThrow(failure("FORBIDDEN", /cannot fetch repositories/));
  expect([
    existsSync(join(project.data, "clones")),
    existsSync(join(server.data, "clones")),
  ]).toEqual([false, false]);
}, 60_000);

test("a clone is deleted with the last source that uses it", async () => {
  const project = fetchingProject();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  for (const namespace of ["one", "two"]) {
    // eslint-disable-next-line no-await-in-loop -- sequential
    await project.engine.index({ ...request(), source: origin.url, namespace });
  }
  const clones = join(project.data, "clones");
  await project.engine.removeNamespace({ ...request(), namespace: "one" });
  expect(readdirSync(clones)).toHaveLength(1);
  expect(await found(project, "aardvark", "two")).toEqual(["a.md"]);
  await project.engine.removeSource({ ...request(), source: origin.url });
  expect(readdirSync(clones)).toEqual([]);
  expect(await found(project, "aardvark", "two")).toEqual([]);
}, 120_000);

test("svc serve cannot fetch", async () => {
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  const { data, home } = fetchingProject();
  const settings = createSettings(readConfiguration({ home, env: { SERVICE_HOME: data } }));
  const app = createApp({ settings, writeLog: () => {}, humanLog: false });
  onTestFinished(() => app.close());
  // As in src/cli/commands/serve.ts.
  const engine = await app.engine({ indexOnlyBelow: [] });
  const indexRequest = {
    principal: app.owner,
    signal: new AbortController().signal,
    source: origin.url,
  };
  await expect(engine.index(indexRequest)).rejects.toThrow(failure("FORBIDDEN", /does not fetch/));
}, 60_000);

test("a refresh fetches what a namespace consists of, also in a process that fetches nothing new", async () => {
  const project = fetchingProject({ onDisk: true });
  const [one, other] = [
    upstream({ "a.md": "The aardvark sleeps.\n" }),
    upstream({ "b.md": "The badger digs.\n" }),
  ];
  for (const { url } of [one, other]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await project.engine.index({ ...request(), source: url, namespace: "zoo" });
  }
  await project.engine.close();
  const { data, home, root } = project;
  const served = fetchingProject({
    onDisk: true,
    dataDirectory: data,
    home,
    indexOnlyBelow: [root],
  });
  one.commit({ "a.md": "The antelope runs.\n" });
  other.commit({ "b.md": "The beaver swims.\n" });
  const { finished } = await served.engine.refresh({ ...request(), namespace: "zoo" });
  await finished;
  expect(await found(served, "antelope", "zoo")).toEqual(["a.md"]);
  expect((await found(served, "beaver", "zoo")).length).toBe(1);
  await expect(served.engine.refresh({ ...request(), namespace: "farm" })).rejects.toThrow(
    failure("NAMESPACE_NOT_FOUND", /farm/),
  );
  const added = {
    ...request(),
    source: upstream({ "c.md": "The camel rests.\n" }).url,
    namespace: "zoo",
  };
  await expect(served.engine.index(added)).rejects.toThrow(
    failure("FORBIDDEN", /does not fetch repositories/),
  );
}, 120_000);

test("a refresh that fails is reported by the status, and the index stays", async () => {
  const project = fetchingProject();
  const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
  await project.engine.index({ ...request(), source: origin.url, namespace: "zoo" });
  origin.dispose();
  const { finished } = await project.engine.refresh({ ...request(), namespace: "zoo" });
  await finished;
  await expect
    .poll(async () => (await sourceOf(project, "zoo")).last_run, { timeout: 20_000 })
    .toMatchObject({ by: "index", problem: expect.stringContaining("does not exist") });
  expect(await found(project, "aardvark", "zoo")).toEqual(["a.md"]);
}, 60_000);
