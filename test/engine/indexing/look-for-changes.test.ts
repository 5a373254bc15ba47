// The check of the files in the thread of the caller: when it saves a run, and when a run is needed.
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test, vi } from "vitest";

import type { IndexResult } from "../../../src/engine/api/index-source.ts";
import { memoryBackend } from "../../../src/backend/memory-backend.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { SCHEMA_VERSION } from "../../../src/index/embedded/catalog/catalog-schema.ts";
import { REREAD_BELOW } from "../../../src/index/embedded/segment/format.ts";
import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import { countedListings } from "../../helpers/counted-listings.ts";
import { addPlain } from "../fixtures/plain-file.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const FILES = { "a.md": "# Alpha\n", "lib/b.ts": "export const beta = 1;\n" };
/** Long enough ago that a file with the same time stamp has the same content. */
const OLD_S = 1_000_000;

function write(project: Project, path: string, text: string): void {
  const file = join(project.root, path);
  writeFileSync(file, text);
  utimesSync(file, OLD_S, OLD_S);
}

/** An indexed project. */
async function indexed(onDisk = false): Promise<Project> {
  const project = createProject(FILES, { onDisk });
  onTestFinished(project.dispose);
  for (const [path, text] of Object.entries(FILES)) write(project, path, text);
  await look(project);
  return project;
}

function look({ engine }: Project, more: object = {}): Promise<IndexResult> {
  return engine.index({ ...request(), isOnlyTask: true, ...more });
}

/** Number of runs so far. */
function runs({ log }: Project): number {
  return log.filter(({ message }) => message === "indexed").length;
}

test.each([false, true])(
  "files that have not changed need no run (on disk: %s)",
  async (onDisk) => {
    const project = await indexed(onDisk);
    const { status } = await look(project);
    expect(runs(project)).toBe(1);
    const again = await look(project);
    expect(again).toMatchObject({
      isUnchanged: true,
      report: { outcome: "done", added: 0, changed: 0, removed: 0, unchanged: 2, skipped: 0 },
      status: { files: 2, generation: status.generation },
    });
    expect(again.report?.generation).toBe(status.generation);
    // A caller with other tasks leaves the check to a run, which gets the same result.
    const { report } = await look(project, { isOnlyTask: false });
    expect(runs(project)).toBe(2);
    expect({ ...report, elapsedMs: 0 }).toEqual({ ...again.report, elapsedMs: 0 });
  },
);

test.each([
  ["a changed file", (project: Project) => write(project, "a.md", "# Alpha and more\n"), "changed"],
  ["a new file", (project: Project) => write(project, "c.md", "# Gamma\n"), "added"],
  ["a deleted file", (project: Project) => rmSync(join(project.root, "a.md")), "removed"],
] as const)("%s is found by a run", async (_name, change, kind) => {
  const project = await indexed();
  change(project);
  const { report, isUnchanged } = await look(project);
  expect([report?.[kind], isUnchanged, runs(project)]).toEqual([1, false, 2]);
  expect((await look(project)).isUnchanged).toBe(true);
  expect(runs(project)).toBe(2);
});

test("a file that may have changed with the same time stamp is read by a run", async () => {
  const project = await indexed();
  writeFileSync(join(project.root, "a.md"), "# Alpha again\n");
  await look(project);
  await look(project);
  expect(runs(project)).toBe(3);
});

test("a rebuild is a run", async () => {
  const project = await indexed();
  expect((await look(project, { rebuild: true })).report).toMatchObject({ unchanged: 2 });
  expect(runs(project)).toBe(2);
});

test("monitors are prepared, and their data removed, by a run", async () => {
  const project = await indexed();
  await project.tool("set_monitor", { action: "create", name: "beta", pattern: "beta" });
  const before = runs(project);
  await look(project);
  expect(runs(project)).toBe(before + 1);
  await project.tool("set_monitor", { action: "delete", name: "beta" });
  const afterRemoval = runs(project);
  await look(project);
  expect(runs(project)).toBe(afterRemoval + 1);
  await look(project);
  expect(runs(project)).toBe(afterRemoval + 1);
});

test("a commit of another process during the check is reported", async () => {
  const backend = memoryBackend();
  const { index } = backend;
  let isChecked = false;
  const project = createProject(FILES, {
    backend: {
      ...backend,
      index: {
        ...index,
        health: async (namespace) => {
          const health = await index.health(namespace);
          if (!isChecked) return health;
          const writer = await index.writer(namespace, { waitMs: 0, embeddings: packedEmbeddings });
          if (writer === undefined) throw new Error("nobody else writes");
          addPlain(writer, { "c.md": "gamma" });
          await writer.commit();
          await writer.close();
          return health;
        },
      },
    },
  });
  onTestFinished(project.dispose);
  for (const [path, text] of Object.entries(FILES)) write(project, path, text);
  await look(project);
  isChecked = true;
  expect(await look(project)).toMatchObject({ isUnchanged: false, report: { unchanged: 2 } });
  expect(runs(project)).toBe(1);
});

test("a query that begins before the check starts no run, and one without a check does", async () => {
  const backend = memoryBackend();
  const first = createProject(FILES, { backend });
  onTestFinished(first.dispose);
  for (const [path, text] of Object.entries(FILES)) write(first, path, text);
  await look(first);
  const query = { ...request(), name: "beta", limit: 5 };
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const checks of [true, false]) {
    const project = createProject({}, { backend, workspace: () => first.root });
    onTestFinished(project.dispose);
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect((await project.engine.findSymbols(query)).symbols).toHaveLength(1);
    // eslint-disable-next-line no-await-in-loop -- as above
    if (checks) await look(project);
    // eslint-disable-next-line no-await-in-loop -- as above
    await vi.advanceTimersByTimeAsync(1000);
    // eslint-disable-next-line no-await-in-loop -- as above
    if (!checks) await vi.waitUntil(() => runs(project) > 0, { timeout: 10_000 });
    expect(runs(project)).toBe(checks ? 0 : 1);
  }
});

test("a run after an edit lists no folder, and one after a new file lists all", async () => {
  const project = await indexed();
  // The folders were so young that their entries were noted, too.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  write(project, "c.md", "# Gamma\n");
  await look(project);
  const listed = countedListings(project.root);
  write(project, "a.md", "# Alpha and more\n");
  expect((await look(project)).report).toMatchObject({ changed: 1, unchanged: 2 });
  expect(listed()).toBe(0);
  write(project, "lib/d.md", "# Delta\n");
  expect((await look(project)).report).toMatchObject({ added: 1, unchanged: 3 });
  expect(listed()).toBeGreaterThan(0);
  const before = listed();
  expect((await look(project)).isUnchanged).toBe(true);
  expect(listed()).toBe(before);
  // A file that came and went changed the time stamps of its folder: a run without changes notes the new ones.
  writeFileSync(join(project.root, "lib/e.md"), "");
  rmSync(join(project.root, "lib/e.md"));
  const { report } = await look(project, { isOnlyTask: false });
  expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 4 });
  const after = listed();
  expect((await look(project)).isUnchanged).toBe(true);
  expect(listed()).toBe(after);
  expect(runs(project)).toBe(5);
});

test("an index whose files must be read again needs a run", async () => {
  const project = await indexed(true);
  const { status } = await look(project);
  const { catalog } = new EmbeddedBackend(project.data).layout(status.name);
  const db = new DatabaseSync(catalog);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION * 1000 + REREAD_BELOW - 1}`);
  db.close();
  await look(project);
  expect(runs(project)).toBe(2);
  await look(project);
  expect(runs(project)).toBe(2);
});
