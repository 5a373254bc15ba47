// `svc index --from-remote` against a real server: over HTTP, with a token, and killed in the middle.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { fetchedLayout } from "../../../src/index/embedded/fetched-layout.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { moduleOf, modules } from "../../engine/fixtures/worktrees.ts";
import { createMachine, type Machine } from "../../helpers/cli.ts";
import { createProject, request } from "../../helpers/project.ts";
import { svcProgram } from "../../helpers/svc-program.ts";
import { plant } from "../../helpers/tree.ts";
import { serveProject, TOKEN } from "../../transports/http/serve-project.ts";

const COUNT = 30;

/** A server with the files of the laptop; `beforePart` is called before each part of a segment is sent. */
async function machines(
  beforePart: (call: number) => Promise<void> = async () => {},
  count = COUNT,
) {
  const project = createProject(modules(count), { namespace: "project", onDisk: true });
  onTestFinished(() => project.dispose());
  const index = () => project.engine.index(request());
  await index();
  let calls = 0;
  const exports = {
    ...project.engine.exports,
    part: async (asked: Parameters<typeof project.engine.exports.part>[0]) => {
      calls += 1;
      await beforePart(calls - 1);
      return project.engine.exports.part(asked);
    },
  };
  const given = { ...project, engine: { ...project.engine, exports } };
  const server = await serveProject({}, { sharesIndexes: true }, undefined, given);
  const laptop = createMachine(modules(count), { SERVICE_TOKEN: TOKEN });
  onTestFinished(laptop.dispose);
  const flags = [
    "--from-remote",
    server.url,
    "--remote-namespace",
    "project",
    "--namespace",
    "own",
  ];
  const layout = indexLayout(laptop.data, "own");
  return { project, index, server, laptop, flags, layout, calls: () => calls };
}

async function texts(laptop: Machine, word: string): Promise<string> {
  return (await laptop.svc("grep", word, "--namespace", "own")).out;
}

test("the first index starts from the server's, and answers are of the files here", async () => {
  const { laptop, flags, server } = await machines();
  plant(laptop.root, { "src/m3.ts": moduleOf(3, "b") });
  const { code, out, err } = await laptop.svc("index", laptop.root, ...flags);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("1 added, 0 changed, 0 removed, 29 unchanged.");
  expect(out).toMatch(/Fetched \d+\.\d kB of the server's index\./);
  expect(out).toContain(
    `Started from the index of project at ${server.url}: 29 of 30 files were the same.`,
  );
  expect(await texts(laptop, "marmot3b")).toContain("src/m3.ts");
  expect(await texts(laptop, "marmot3a")).not.toContain("src/m3.ts");
  const again = await laptop.svc("index", laptop.root, ...flags, "--json");
  expect(JSON.parse(again.out)).toMatchObject({ unchanged: COUNT, fetched_bytes: 0 });
  await laptop.svc("namespaces", "remove", "own", "--yes");
  expect(existsSync(fetchedLayout(indexLayout(laptop.data, "own")).directory)).toBe(false);
});

test("a server that merges meanwhile is asked for its new list", async () => {
  const { project, index, laptop, flags } = await machines(async (call) => {
    if (call > 0) return;
    // The fourth small segment: they become one.
    plant(project.root, { "src/m204.ts": moduleOf(204) });
    await index();
    // Their first segment is too large to be merged with those of one file.
  }, 60);
  for (const number of [201, 202, 203]) {
    plant(project.root, { [`src/m${number}.ts`]: moduleOf(number) });
    // oxlint-disable-next-line no-await-in-loop -- one segment each
    await index();
  }
  const listed = () => project.engine.exports.list({ ...request(), namespace: "project" });
  const before = (await listed()).segments.map(({ name }) => name);
  const { code, err } = await laptop.svc("index", laptop.root, ...flags);
  expect([code, err]).toEqual([0, ""]);
  const after = (await listed()).segments.map(({ name }) => name);
  expect([before.length, after.length]).toEqual([4, 2]);
  expect(after.filter((name) => before.includes(name))).toHaveLength(1);
  const { segments } = fetchedLayout(indexLayout(laptop.data, "own"));
  expect(readdirSync(segments).toSorted()).toEqual(after.toSorted());
});

test("killed while it fetches, it leaves no index, and the next run goes on", async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const { promise: isKilled, resolve: killed } = Promise.withResolvers<void>();
  const { project, index, laptop, flags, layout, calls } = await machines(async (call) => {
    if (call !== 1) return;
    asked();
    await isKilled;
  });
  // A second segment.
  plant(project.root, { "src/one.ts": moduleOf(201) });
  await index();
  const [program, ...args] = svcProgram();
  const child = spawn(program, [...args, "index", laptop.root, ...flags], {
    cwd: laptop.root,
    env: {
      ...process.env,
      HOME: laptop.home,
      SERVICE_HOME: laptop.data,
      SERVICE_CONFIG_HOME: laptop.config,
      SERVICE_TOKEN: TOKEN,
    },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([isAsked, ended.then(() => Promise.reject(new Error("it has ended")))]);
  child.kill("SIGKILL");
  await ended;
  killed();
  expect(existsSync(layout.catalog)).toBe(false);
  expect(existsSync(fetchedLayout(layout).catalog)).toBe(false);
  const before = calls();
  const { code, out } = await laptop.svc("index", laptop.root, ...flags);
  expect([code, out]).toEqual([0, expect.stringContaining("30 of 30 files were the same")]);
  // Only the segment that was missing.
  expect(calls() - before).toBe(1);
});

test("what cannot work together is refused before anything is sent", async () => {
  const { laptop, flags, calls } = await machines();
  for (const [words, message] of [
    [["--rebuild"], "--from-remote cannot be used with --rebuild"],
    [["--verify"], "--from-remote cannot be used with --verify"],
    [["--remove"], "--from-remote cannot be used with --remove"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { code, err } = await laptop.svc("index", laptop.root, ...flags, ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
  const { err } = await laptop.svc("index", laptop.root, "--remote-namespace", "project");
  expect(err).toContain("--remote-namespace needs --from-remote.");
  const { err: noUrl } = await laptop.svc(
    "index",
    laptop.root,
    "--from-remote",
    "http://svc.example.org",
  );
  expect(noUrl).toContain("Plain http is only for this machine");
  expect(calls()).toBe(0);
  // Nothing was registered, because there was no server.
  const absent = await laptop.svc(
    "index",
    laptop.root,
    "--from-remote",
    "http://127.0.0.1:9",
    "--remote-namespace",
    "x",
  );
  expect([absent.code, absent.err]).toEqual([2, expect.stringContaining("Without --from-remote")]);
  expect((await laptop.svc("namespaces", "list")).out).not.toContain("project");
});
