// Hits that the engine returns to a polling caller.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createEngine } from "../../../src/engine/create-engine.ts";
import type { HitsResult } from "../../../src/engine/api/monitor-hits.ts";
import { Principal } from "../../../src/sources/principal.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { LOCAL, recordingLogger } from "../../helpers/rpc.ts";
import { plant } from "../../helpers/tree.ts";

/** Each run is a thread, and some are slow while many workers run. */
const LONG_TIMEOUT = { timeout: 120_000 };
const NOTHING: HitsResult["positions"] = new Map();

async function watching(files: Readonly<Record<string, string>>): Promise<Project> {
  const one = createProject(files, { onDisk: true, namespace: "project" });
  onTestFinished(one.dispose);
  await one.engine.index(request());
  await one.tool("set_monitor", { action: "create", name: "all", path: "**" });
  return one;
}

function look(
  { engine }: Project,
  positions = NOTHING,
  { caller: principal = LOCAL, fromMs = 0 } = {},
): Promise<HitsResult> {
  return engine.monitorHits({ principal, fromMs, positions });
}

async function write(one: Project, files: Readonly<Record<string, string>>): Promise<void> {
  plant(one.root, files);
  await one.engine.index(request());
}

function shown({ found }: HitsResult): unknown {
  return found.map(({ namespace, hits, hasMore }) => ({ namespace, hits, hasMore }));
}

test("changes of one file are one hit with their number, returned once", LONG_TIMEOUT, async () => {
  const one = await watching({ "a.ts": "export const a = 1;\n" });
  const before = await look(one);
  expect(before.found).toEqual([]);
  await write(one, { "a.ts": "export const a = 2;\n" });
  await write(one, { "a.ts": "export const a = 3;\n", "b.ts": "export const b = 1;\n" });
  const answer = await look(one, before.positions);
  expect(shown(answer)).toEqual([
    {
      namespace: "project",
      hits: [
        { monitor: "all", path: "a.ts", count: 2 },
        { monitor: "all", path: "b.ts", count: 1 },
      ],
      hasMore: false,
    },
  ]);
  expect(await look(one, answer.positions)).toEqual({ found: [], positions: answer.positions });
  const since = answer.found[0]?.since;
  const { changes } = await one.engine.changes({ ...request(), since, limit: 10, waitMs: 0 });
  expect(changes.map(({ path, hits }) => [path, hits.length])).toEqual([
    ["a.ts", 1],
    ["a.ts", 1],
    ["b.ts", 1],
  ]);
});

test("twenty hits are returned, with a flag that there are more", LONG_TIMEOUT, async () => {
  const one = await watching({ "a.ts": "export const a = 1;\n" });
  const names = Array.from({ length: 21 }, (_, at) => `f${String(at).padStart(2, "0")}.ts`);
  await write(one, Object.fromEntries(names.map((name) => [name, `// ${name}\n`])));
  const { found } = await look(one);
  expect(found.map(({ hits, hasMore }) => [hits.map(({ path }) => path), hasMore])).toEqual([
    [names.slice(0, 20), true],
  ]);
});

test(
  "hits before the start are not returned, and other callers get none",
  LONG_TIMEOUT,
  async () => {
    const one = await watching({ "a.ts": "export const a = 1;\n" });
    await write(one, { "a.ts": "export const a = 2;\n" });
    const seenBy = async (caller: Principal, fromMs = 0) =>
      shown(await look(one, NOTHING, { caller, fromMs }));
    expect(await seenBy(LOCAL)).toHaveLength(1);
    expect(await seenBy(LOCAL, Date.now() + 1)).toEqual([]);
    expect(
      await seenBy(new Principal({ id: "tok_1", namespaces: "all", readOnly: false })),
    ).toEqual([]);
    expect(
      await seenBy(new Principal({ id: "local", namespaces: ["docs"], readOnly: false })),
    ).toEqual([]);
  },
);

test(
  "a recreated namespace of the same name is read from its beginning",
  LONG_TIMEOUT,
  async () => {
    const one = await watching({ "a.ts": "export const a = 1;\n" });
    await write(one, { "a.ts": "export const a = 2;\n" });
    const { positions } = await look(one);
    await one.engine.removeNamespace({ ...request(), namespace: "project" });
    expect(await look(one, positions)).toEqual({ found: [], positions });
    await one.engine.index({ ...request(), source: one.root, namespace: "project" });
    await one.tool("set_monitor", { action: "create", name: "new", path: "**" });
    await write(one, { "a.ts": "export const a = 3;\n" });
    expect(shown(await look(one, positions))).toEqual([
      { namespace: "project", hits: [{ monitor: "new", path: "a.ts", count: 1 }], hasMore: false },
    ]);
  },
);

test("a damaged namespace does not stop the hits of others", LONG_TIMEOUT, async () => {
  const one = await watching({ "a.ts": "export const a = 1;\n" });
  const second = createProject({ "b.ts": "export const b = 1;\n" });
  onTestFinished(second.dispose);
  await one.engine.index({ ...request(), source: second.root, namespace: "broken" });
  const monitor = { action: "create", name: "b", path: "**", namespace: "broken" };
  await one.tool("set_monitor", monitor);
  await write(one, { "a.ts": "export const a = 2;\n" });
  const catalog = join(one.data, "namespaces", "broken", "catalog.db");
  await one.engine.close();
  writeFileSync(catalog, "no database at all".repeat(1000));
  const { logger } = recordingLogger();
  const engine = createEngine({ dataDirectory: one.data, home: one.home, logger });
  onTestFinished(() => engine.close());
  const { found } = await engine.monitorHits({ principal: LOCAL, fromMs: 0, positions: NOTHING });
  expect(found.map(({ namespace }) => namespace)).toEqual(["project"]);
});
