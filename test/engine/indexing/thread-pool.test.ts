import { hash } from "node:crypto";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import type { JobRunner } from "../../../src/engine/indexing/job-runner.ts";
import { IndexThreadPool } from "../../../src/engine/indexing/thread-pool.ts";
import { PARSER_SOURCES } from "../../helpers/parser-sources.ts";
import { createProject, request } from "../../helpers/project.ts";

test("a run that begins when an idle thread has just been ended gets another thread", async () => {
  const maxIdleMs = 50;
  const pool = new IndexThreadPool({ maxIdleMs });
  const runs: Parameters<JobRunner["run"]>[] = [];
  const jobRunner: JobRunner = {
    run: (...run) => {
      runs.push(run);
      return pool.run(...run);
    },
    close: pool.close,
  };
  const project = createProject({ "a.md": "# Lamp\n" }, { onDisk: true, jobRunner });
  onTestFinished(project.dispose);
  await project.engine.index({ ...request(), rebuild: false });
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was indexed");

  const again = Promise.withResolvers<unknown>();
  setTimeout(() => again.resolve(pool.run(...run)), maxIdleMs + 10);
  // Both timers are due: the thread is ended, and the run begins at once.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxIdleMs * 4);
  expect(await again.promise).toMatchObject({ outcome: "done" });
});

/** The parsing threads of this process, which only Linux can list. */
function parsingThreads(): number {
  if (process.platform !== "linux") return 0;
  const tasks = "/proc/self/task";
  return readdirSync(tasks)
    .map((task) => readFileSync(join(tasks, task, "comm"), "utf8").trim())
    .filter((name) => name === "parse-worker").length;
}

/** Indexes the sources of the parser with so many parsing threads; returns the bytes of the index. */
async function indexWith(parsers: number): Promise<readonly string[]> {
  const asked: number[] = [];
  const jobRunner = new IndexThreadPool({
    parsers: (_job, bytes) => {
      asked.push(bytes);
      return parsers;
    },
  });
  const project = createProject(PARSER_SOURCES, { onDisk: true, jobRunner });
  try {
    let seen = 0;
    const onProgress = (): void => {
      seen = Math.max(seen, parsingThreads());
    };
    await project.engine.index({ ...request(), rebuild: false, onProgress });
    expect(seen).toBe(process.platform === "linux" ? parsers : 0);
    expect(Math.max(...asked)).toBeGreaterThan(100_000);
    const folder = join(project.data, "namespaces");
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ parentPath, name }) => parentPath.endsWith("segments") && name !== "")
      .map(({ parentPath, name }) => hash("sha256", readFileSync(join(parentPath, name))))
      .toSorted();
  } finally {
    await project.dispose();
  }
}

test("parsing threads change nothing in the index, and end with the run", async () => {
  const alone = await indexWith(0);
  expect(alone.length).toBeGreaterThan(0);
  expect(await indexWith(1)).toEqual(alone);
  expect(await indexWith(3)).toEqual(alone);
  expect(parsingThreads()).toBe(0);
});

/** The indexing threads of this process and their nice values, which only Linux has. */
function indexingThreads(): readonly { readonly thread: string; readonly nice: number }[] {
  if (process.platform !== "linux") return [];
  const tasks = "/proc/self/task";
  return readdirSync(tasks)
    .filter((thread) => readFileSync(join(tasks, thread, "comm"), "utf8").trim() === "index-worker")
    .map((thread) => {
      const stat = readFileSync(join(tasks, thread, "stat"), "utf8");
      // Field 19; the first two are the number and the name of the thread.
      return { thread, nice: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]) };
    });
}

test.runIf(process.platform === "linux")(
  "a small run in the background is as urgent as its caller; a large one is not, and its thread ends",
  async () => {
    const project = createProject(
      { "a.md": "# Lamp\n" },
      { onDisk: true, jobRunner: new IndexThreadPool() },
    );
    onTestFinished(project.dispose);
    const during = async (): Promise<ReturnType<typeof indexingThreads>> => {
      let seen: ReturnType<typeof indexingThreads> = [];
      const onProgress = ({ stage }: { readonly stage: string }): void => {
        if (stage === "words") seen = indexingThreads();
      };
      const waitMs = 60_000;
      await project.engine.index({ ...request(), rebuild: false, waitMs, onProgress });
      return seen;
    };
    // Other tests of this process may have left idle threads.
    const own = getPriority();
    const nices = async (): Promise<Set<number>> =>
      new Set((await during()).map(({ nice }) => nice));
    expect(await nices()).toEqual(new Set([own]));

    writeFileSync(join(project.root, "b.md"), "# Shade\n");
    expect(await nices()).toEqual(new Set([own]));

    // Files as young as their entries would be read again by the next run.
    const yesterday = new Date(Date.now() - 86_400_000);
    for (let at = 0; at < 20; at += 1) {
      const file = join(project.root, `${at}.md`);
      writeFileSync(file, `# Part ${at}\n\n${"lamp ".repeat(12_000)}\n`);
      utimesSync(file, yesterday, yesterday);
    }
    const large = (await during()).filter(({ nice }) => nice === 10);
    expect(large).toHaveLength(1);

    writeFileSync(join(project.root, "c.md"), "# Cord\n");
    expect((await during()).some(({ nice }) => nice === own)).toBe(true);
    const isLeft = (): boolean =>
      indexingThreads().some(({ thread }) => thread === large[0]?.thread);
    await vi.waitFor(() => expect(isLeft()).toBe(false), 20_000);
  },
);

test("a run that is cancelled ends its parsing threads", async () => {
  const jobRunner = new IndexThreadPool({ parsers: () => 2 });
  const project = createProject(PARSER_SOURCES, { onDisk: true, jobRunner });
  onTestFinished(project.dispose);
  const indexing = project.engine.index({
    ...request(),
    rebuild: false,
    onProgress: ({ done }) => {
      if (done > 0) project.engine.close().catch(() => undefined);
    },
  });
  await expect(indexing).rejects.toThrow("cancelled");
  await project.engine.close();
  expect(parsingThreads()).toBe(0);
});
