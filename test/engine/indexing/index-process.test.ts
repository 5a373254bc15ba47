import { spawn } from "node:child_process";
import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import type { JobRunner } from "../../../src/engine/indexing/job-runner.ts";
import { runInProcess } from "../../../src/engine/indexing/index-process.ts";
import type { IndexJob } from "../../../src/engine/indexing/run-options.ts";
import { IndexThreadPool } from "../../../src/engine/indexing/thread-pool.ts";
import { tree } from "../../helpers/tree.ts";
import { PARSER_SOURCES } from "../../helpers/parser-sources.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { isAlive } from "../../helpers/is-alive.ts";

/** The processes that this one has started for indexing; only Linux can list them. */
function agents(parent: number = process.pid): readonly number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim();
  return children
    .split(" ")
    .filter((child) => child !== "")
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("index-agent"))
    .map(Number);
}

const inProcess: JobRunner["run"] = async (job, listener, signal) => {
  const report = await runInProcess(job, listener, signal);
  if (report === undefined) throw new Error("no process");
  return report;
};

const isLinux = process.platform === "linux";

/** Some 80 files: a process that indexes has to load everything first. */
const SOURCES = Object.fromEntries(
  Object.entries(PARSER_SOURCES).filter(([path]) => !path.startsWith("languages")),
);

function projectWith(run: JobRunner["run"]): Project {
  const project = createProject(SOURCES, {
    onDisk: true,
    jobRunner: { run, close: async () => undefined },
  });
  onTestFinished(project.dispose);
  return project;
}

test("a process indexes like a thread, and tells what it does", async () => {
  const project = projectWith(inProcess);
  const stages = new Set<string>();
  const { report } = await project.engine.index({
    ...request(),
    rebuild: false,
    onProgress: ({ stage }) => stages.add(stage),
  });
  expect(report).toMatchObject({ outcome: "done", added: Object.keys(SOURCES).length });
  expect(stages.has("words")).toBe(true);
  const found = await project.engine.search({
    query: "read the uses of a name",
    ...SEARCH,
    ...request(),
  });
  expect(found.passages.length).toBeGreaterThan(0);
});

test("a run with more bytes than a thread may read gets a process, and a smaller one none", async () => {
  const pool = new IndexThreadPool({ maxBytes: 200_000 });
  const seen: (readonly number[])[] = [];
  const project = projectWith(async (job, listener, signal) => {
    const onProgress: typeof listener.onProgress = (progress) => {
      seen.push(isLinux ? agents() : [1]);
      listener.onProgress?.(progress);
    };
    return pool.run(job, { ...listener, onProgress }, signal);
  });
  onTestFinished(pool.close);
  // Younger files would be read again.
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const file of Object.keys(SOURCES)) utimesSync(join(project.root, file), hourAgo, hourAgo);
  const first = await project.engine.index({ ...request(), rebuild: false });
  expect(first.report).toMatchObject({ added: Object.keys(SOURCES).length });
  expect(seen.some((pids) => pids.length === 1)).toBe(true);
  seen.length = 0;
  writeFileSync(join(project.root, "syntax.ts"), "export const changed = true;\n");
  const again = await project.engine.index({ ...request(), rebuild: false });
  expect(again.report).toMatchObject({ changed: 1 });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.flat().length).toBe(isLinux ? 0 : seen.length);
});

test.runIf(isLinux)("closing the engine ends the process", async () => {
  const project = projectWith(inProcess);
  const indexing = project.engine.index({
    ...request(),
    rebuild: false,
    onProgress: () => void project.engine.close(),
  });
  await expect(indexing).rejects.toThrow("cancelled");
  await project.engine.close();
  expect(agents()).toEqual([]);
});

test.runIf(isLinux)(
  "a process that is killed fails the run, and the next one continues",
  async () => {
    const project = projectWith(inProcess);
    const indexing = project.engine.index({
      ...request(),
      rebuild: false,
      onProgress: () => {
        for (const pid of agents()) process.kill(pid, "SIGKILL");
      },
    });
    await expect(indexing).rejects.toThrow("The indexing process ended with SIGKILL.");
    const { report } = await project.engine.index({ ...request(), rebuild: false });
    expect(report).toMatchObject({ outcome: "done", skipped: 0 });
  },
);

test("a failure of the run is that of the caller", async () => {
  let job: IndexJob | undefined;
  const project = projectWith(async (planned, listener, signal) => {
    job = planned;
    return inProcess({ ...planned, namespaceCreatedAt: "another" }, listener, signal);
  });
  const indexing = project.engine.index({ ...request(), rebuild: false });
  await expect(indexing).rejects.toThrow(/namespace/i);
  expect(job).toBeDefined();
});

test.runIf(isLinux)("the process ends when its parent is killed", async () => {
  const project = projectWith(async (job) => {
    const script = `
      const { runInProcess } = await import(${JSON.stringify(
        import.meta.resolve("../../../src/engine/indexing/index-process.ts"),
      )});
      const job = ${JSON.stringify(job)};
      const onProgress = () => process.stdout.write("begun\\n");
      await runInProcess(job, { onProgress }, new AbortController().signal);
    `;
    const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    const [agent = 0] = agents(parent.pid);
    expect(isAlive(agent)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(agent)).toBe(false), { timeout: 20_000 });
    throw new Error("the parent is gone");
  });
  const indexing = project.engine.index({ ...request(), rebuild: false });
  await expect(indexing).rejects.toThrow("the parent is gone");
});

/** Indexes with another program instead of this one. */
async function indexWithProgram(program: string): Promise<number | undefined> {
  const pool = new IndexThreadPool({ maxBytes: 200_000 });
  onTestFinished(pool.close);
  const project = projectWith(pool.run);
  const { execPath } = process;
  process.execPath = program;
  try {
    const { report } = await project.engine.index({ ...request(), rebuild: false });
    return report?.added;
  } finally {
    process.execPath = execPath;
  }
}

test("without the program's file, or with that of another version, a large run has a thread", async () => {
  const all = Object.keys(SOURCES).length;
  expect(await indexWithProgram("/nonexistent/svc")).toBe(all);
  const folder = tree({
    svc: `#!${process.execPath}\nprocess.send({ version: "0.0.1" });\nsetInterval(() => {}, 1000);\n`,
  });
  onTestFinished(folder.dispose);
  const other = join(folder.path, "svc");
  chmodSync(other, 0o755);
  expect(await indexWithProgram(other)).toBe(all);
});
