// Several run requests for one index: their order, and the files that each run has seen.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { createEngine } from "../../../src/engine/create-engine.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { indexThreads } from "../../helpers/index-threads.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

/** A project of `count` pages, not indexed yet. */
function projectOfPages(count: number): Project {
  const pages = Array.from({ length: count }, (_, at) => [`${at}.md`, `# Page ${at}\n`] as const);
  const project = createProject(Object.fromEntries(pages), { onDisk: true });
  onTestFinished(project.dispose);
  return project;
}

function search({ engine }: Project, query: string) {
  return engine.search({ query, ...SEARCH, ...request() });
}

test("a folder added during a run is indexed when its own run reports", async () => {
  const project = projectOfPages(300);
  const second = tree({ "bees.md": "A hive winters on honey.\n" });
  onTestFinished(second.dispose);
  const first = project.engine.index(request());
  const status = await vi.waitFor(async () => {
    const [found] = await project.engine.status({ ...request(), detail: "summary" });
    if (found === undefined) throw new Error("the run has not begun");
    return found;
  });
  const indexRequest = { ...request(), source: second.path, namespace: status.name };
  const added = await project.engine.index(indexRequest);
  expect(added).toMatchObject({ report: { added: 1 }, status: { files: 301 } });
  expect(await first).toMatchObject({ report: { added: 300 } });
});

test("requests during a run share the next run", async () => {
  const project = projectOfPages(300);
  const answers = await Promise.all([1, 2, 3, 4].map(() => project.engine.index(request())));
  expect(answers.map(({ report }) => report?.added)).toEqual([300, 0, 0, 0]);
  expect(project.log.filter(({ message }) => message === "indexed")).toHaveLength(2);
});

test("a request that waits for another run gets its progress meanwhile", async () => {
  const project = projectOfPages(300);
  let isFirstOver = false;
  const first = project.engine.index(request()).then(() => (isFirstOver = true));
  const sawFirst: boolean[] = [];
  const onProgress = (): void => void sawFirst.push(!isFirstOver);
  await Promise.all([first, project.engine.index({ ...request(), onProgress })]);
  expect(sawFirst[0]).toBe(true);
});

test("a session with an index scans the files once at its start: the watcher does, when it is ready", async () => {
  const project = projectOfPages(30);
  await project.engine.index(request());
  const { logger, entries } = recordingLogger();
  const session = createEngine({
    dataDirectory: project.data,
    home: project.home,
    workspace: () => project.root,
    watchesFiles: true,
    jobRunner: indexThreads(),
    logger,
  });
  onTestFinished(session.close);
  // The file changed while no process watched.
  plant(project.root, { "bees.md": "A hive winters on honey.\n" });
  session.startBackground();
  const query = { query: "where does a hive winter", ...SEARCH, ...request() };
  const first = async (): Promise<string | undefined> =>
    (await session.search(query)).passages[0]?.path;
  await expect.poll(first, { timeout: 15_000 }).toBe("bees.md");
  // Longer than the delay of the scan that a query begins.
  await delay(300);
  const runs = entries.filter(({ message }) => message === "indexed");
  expect(runs.map(({ fields }) => fields["added"])).toEqual([1]);
});

test("answers during a later run do not report a first build", async () => {
  const project = projectOfPages(50);
  await project.engine.index(request());
  const [answer] = await Promise.all([search(project, "page"), project.engine.index(request())]);
  expect(answer).toMatchObject({ building: undefined });
});

test("a damaged index is reported and rebuilt from the files", async () => {
  const project = projectOfPages(3);
  plant(project.root, manyWords());
  const { namespace } = await project.engine.index(request());
  const { segments, directory } = new EmbeddedBackend(project.data).layout(namespace);
  const names = readdirSync(segments);
  expect(names).not.toEqual([]);
  for (const name of names) {
    const file = join(segments, name);
    writeFileSync(file, readFileSync(file).subarray(0, 1000));
  }
  // Queries during the rebuild do not request further rebuilds.
  const early = await Promise.allSettled([1, 2, 3, 4].map(() => search(project, "page 2")));
  const damaged = { code: "INDEX_UNAVAILABLE", hint: expect.stringContaining("rebuilt") };
  expect(early).toMatchObject(early.map(() => ({ status: "rejected", reason: damaged })));
  const { status } = await project.engine.index(request());
  await project.engine.index(request());
  // One rebuild: runs without changes publish nothing. The damaged files are kept.
  const { generation, passages } = await search(project, "page 2");
  expect(generation).toBe(status.generation);
  const kept = readdirSync(directory).filter((name) => name.includes(".corrupt-"));
  expect(kept.map((name) => name.replace(/\.corrupt-.*/, "")).toSorted()).toEqual(names.toSorted());
  const paths = passages.slice(0, 3).map(({ path }) => path);
  expect(paths.toSorted()).toEqual(["0.md", "1.md", "2.md"]);
}, 60_000);
