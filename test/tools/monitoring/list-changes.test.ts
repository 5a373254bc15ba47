import { chmodSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { createEngine } from "../../../src/engine/create-engine.ts";
import { rowSum } from "../../../src/base/row-sum.ts";
import { addMonitor } from "../../../src/sources/registry/monitors.ts";
import { tools } from "../../../src/tools/registry.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { indexThreads } from "../../helpers/index-threads.ts";
import { createProject, type Project } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { openRegistry } from "../../helpers/open-registry.ts";
import { plant } from "../../helpers/tree.ts";
import { changes, FILES, indexedProject, LONG_TIMEOUT, owner, refusal } from "./changed-project.ts";

/** Simulates another process: a separate engine on the same data. */
function other({
  data,
  home,
  root,
}: Project): Pick<Project, "tool" | "engine"> & { end: () => Promise<void> } {
  const { logger } = recordingLogger();
  const engine = createEngine({
    dataDirectory: data,
    home,
    logger,
    workspace: () => root,
    jobRunner: indexThreads("other"),
  });
  const twin = createProject({});
  onTestFinished(async () => {
    await engine.close();
    await twin.dispose();
  });
  return {
    engine,
    end: engine.close,
    tool: async (name, input, caller) => {
      const items: { text: string }[] = [];
      const outcome = await tools
        .find((tool) => tool.name === name)
        ?.call(input, {
          engine: async () => engine,
          principal: caller ?? owner(),
          signal: new AbortController().signal,
          emit: (item) => void items.push(item),
          progress: () => {},
        });
      return { items, text: "", outcome: outcome ?? {} };
    },
  };
}

test(
  "an edit is reported with its symbols, their users and monitor hits",
  LONG_TIMEOUT,
  async () => {
    const one = indexedProject();
    const { next_cursor: since } = await changes(one);
    await one.tool("set_monitor", { action: "create", name: "todos", pattern: "TODO" });
    plant(one.root, {
      "src/a.ts":
        "export function open(path: string, mode: number): void {\n  log(path); // TODO: mode\n}\n",
    });
    const answer = await changes(one, { since });
    expect(answer.changes).toEqual([
      {
        change: "changed",
        path: "src/a.ts",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        generation: 2,
        symbols: [
          {
            change: "signature",
            name: "open",
            kind: "function",
            line: 1,
            signature: "open(path: string, mode: number): void",
            users: 2,
            used_by: ["src/b.ts:1", "src/b.ts:5 in Session.start"],
          },
        ],
        hits: [
          { monitor: "todos", count: 1, lines: [{ line: 2, text: "log(path); // TODO: mode" }] },
        ],
      },
    ]);
    const again = await changes(one, { since: answer.next_cursor });
    expect(again).toMatchObject({ changes: [], has_more: false, next_cursor: answer.next_cursor });
  },
);

test(
  "a cursor stays valid after a restart, a merge and a rebuild, and pages do not overlap",
  LONG_TIMEOUT,
  async () => {
    const one = indexedProject({ onDisk: true });
    let { next_cursor: since } = await changes(one);
    for (let at = 0; at < 6; at += 1) {
      plant(one.root, { [`src/new${at}.ts`]: `export const new${at} = ${at};\n` });
      // oxlint-disable-next-line no-await-in-loop -- one segment each, so that they are merged
      await changes(one);
    }
    const { signal } = new AbortController();
    await one.engine.index({ principal: owner(), signal, rebuild: true });
    const second = other(one);
    const seen: string[] = [];
    for (let page = 0; page < 4; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- sequential pages
      const answer = await changes(page % 2 === 0 ? one : second, { since, limit: 2 });
      seen.push(...answer.changes.map(({ change, path }) => `${change} ${path}`));
      since = answer.next_cursor;
      expect(answer.has_more).toBe(page < 2);
      expect(answer).not.toHaveProperty("reset");
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((at) => `added src/new${at}.ts`));
  },
);

test("since is also a time, a generation or nothing", LONG_TIMEOUT, async () => {
  const one = indexedProject();
  await changes(one);
  plant(one.root, { "src/c.ts": "export const c = 1;\n" });
  const [change] = (await changes(one, { since: "1" })).changes;
  expect(change).toMatchObject({ change: "added", path: "src/c.ts" });
  expect((await changes(one)).changes.map((all) => all.change)).toEqual(["indexed", "added"]);
  expect((await changes(one, { limit: 1 })).changes).toHaveLength(1);
  expect((await changes(one, { since: "2999-01-01" })).changes).toEqual([]);
  expect(await changes(one, { since: "2020-01-01T00:00:00Z" })).toMatchObject({ reset: true });
  expect((await changes(one, { since: "0", path: "src/*.ts" })).changes).toHaveLength(1);
});

test(
  "a lost or truncated change log is reported, with the time of its oldest entry",
  LONG_TIMEOUT,
  async () => {
    const one = indexedProject({ onDisk: true });
    const { next_cursor: since } = await changes(one);
    plant(one.root, { "src/c.ts": "export const c = 1;\n" });
    const { next_cursor: later } = await changes(one, { since });
    const second = other(one);
    await one.engine.close();
    const catalog = join(one.data, "namespaces");
    const [name = ""] = readdirSync(catalog);
    const db = new DatabaseSync(join(catalog, name, "catalog.db"));
    db.exec("DELETE FROM change WHERE seq <= 2");
    const forgotten = ["forgotten", "2"];
    const sum = rowSum("journal", forgotten);
    db.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?)").run(...forgotten, sum);
    db.close();
    const reset = { reset: true, known_since: expect.stringMatching(/Z$/) };
    expect(await changes(second, { since })).toMatchObject({ ...reset, changes: [] });
    expect(await changes(second, { since: later })).not.toHaveProperty("reset");
    await second.end();
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(join(catalog, name, `catalog.db${end}`), { force: true });
    }
    const third = other(one);
    const answer = await changes(third, { since: later });
    expect(answer).toMatchObject({ ...reset, changes: [{ change: "indexed" }] });
    expect(await changes(third, { since: answer.next_cursor })).not.toHaveProperty("reset");
  },
);

test("a waiting call gets a change, in each of two processes once", LONG_TIMEOUT, async () => {
  const one = indexedProject({ onDisk: true });
  const second = other(one);
  const { next_cursor: since } = await changes(one);
  const collect = async (of: Pick<Project, "tool" | "engine">): Promise<readonly string[]> => {
    const paths: string[] = [];
    let cursor = since;
    while (paths.length < 5) {
      // oxlint-disable-next-line no-await-in-loop -- sequential waits
      const answer = await changes(of, { since: cursor, wait_ms: 20_000 });
      paths.push(...answer.changes.map(({ path }) => path));
      cursor = answer.next_cursor;
    }
    return paths;
  };
  const both = [collect(one), collect(second)];
  for (let at = 0; at < 5; at += 1) {
    plant(one.root, { [`src/w${at}.ts`]: `export const w${at} = 1;\n` });
    // oxlint-disable-next-line no-await-in-loop -- so that each is a change of its own
    await changes(one);
  }
  const wanted = [0, 1, 2, 3, 4].map((at) => `src/w${at}.ts`);
  for (const paths of await Promise.all(both)) expect(paths.toSorted()).toEqual(wanted);
});

test(
  "a waiting call without a change gets a cursor when its time is over",
  LONG_TIMEOUT,
  async () => {
    const one = indexedProject();
    const { next_cursor: since } = await changes(one);
    const answer = await changes(one, { since, wait_ms: 300, path: "nothing/**" });
    expect(answer).toMatchObject({ changes: [], next_cursor: since });
  },
);

test(
  "since a commit, the work tree is compared with it, symbols and all, page by page",
  LONG_TIMEOUT,
  async () => {
    const repository = gitRepository();
    const place = createProject({});
    onTestFinished(async () => {
      await place.dispose();
      repository.dispose();
    });
    const touched = Array.from({ length: 20 }, (_, at) => `src/b${at}.ts`);
    repository.commit({
      ...FILES,
      ...Object.fromEntries(touched.map((path) => [path, "const a = 1;\n"])),
      "old.ts": "export function one(): number {\n  return 1;\n}\n",
    });
    repository.git("mv", "old.ts", "new.ts");
    // Git lists these files until it has compared their content.
    for (const path of touched) utimesSync(join(repository.path, path), 1_000_000, 1_000_000);
    plant(repository.path, {
      "src/a.ts": FILES["src/a.ts"].replace("path: string", "path: URL"),
      "src/d.ts": "export const d = 1;\n",
    });
    const { logger } = recordingLogger();
    const { data, home } = place;
    const engine = createEngine({
      dataDirectory: data,
      home,
      logger,
      workspace: () => repository.path,
      jobRunner: indexThreads(),
    });
    onTestFinished(engine.close);
    const principal = owner();
    const { signal } = new AbortController();
    await engine.index({ principal, signal });
    const seen: unknown[] = [];
    let since = "HEAD";
    do {
      // oxlint-disable-next-line no-await-in-loop -- sequential pages
      const answer = await engine.changes({ since, limit: 2, waitMs: 0, principal, signal });
      seen.push(
        ...answer.changes.map(({ kind, path, oldPath, symbols }) => [
          kind,
          path,
          oldPath,
          symbols.map(({ change, name }) => `${change} ${name}`),
        ]),
      );
      since = answer.nextCursor;
      if (!answer.hasMore) break;
    } while (seen.length < 10);
    expect(seen).toEqual([
      ["renamed", "new.ts", "old.ts", []],
      ["changed", "src/a.ts", undefined, ["signature open"]],
      ["added", "src/d.ts", undefined, ["added d"]],
    ]);
    plant(repository.path, { "src/e.ts": "export const e = 1;\n" });
    await engine.index({ principal, signal });
    const on = await engine.changes({ since, limit: 10, waitMs: 0, principal, signal });
    expect(on.changes.map(({ path }) => path)).toEqual(["src/e.ts"]);
  },
);

test("a commit that only changed line ends or a mode changed nothing", LONG_TIMEOUT, async () => {
  const repository = gitRepository();
  const place = createProject({});
  onTestFinished(async () => {
    await place.dispose();
    repository.dispose();
  });
  const lines = "export const a = 1;\nexport const b = 2;\n";
  repository.commit({
    "ends.ts": lines,
    "mode.sh": "true\n",
    "end.ts": "const c = 1;",
    "d.ts": lines,
  });
  chmodSync(join(repository.path, "mode.sh"), 0o755);
  repository.commit({
    "ends.ts": lines.replaceAll("\n", "\r\n"),
    "end.ts": "const c = 1;\n",
    "d.ts": lines.replace("2", "3"),
  });
  const { logger } = recordingLogger();
  const engine = createEngine({
    dataDirectory: place.data,
    home: place.home,
    logger,
    workspace: () => repository.path,
    jobRunner: indexThreads(),
  });
  onTestFinished(engine.close);
  const caller = { principal: owner(), signal: new AbortController().signal };
  await engine.index(caller);
  const { changes: found } = await engine.changes({
    ...caller,
    since: "HEAD~1",
    limit: 9,
    waitMs: 0,
  });
  expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["changed d.ts"]);
});

test.each([
  [{ since: "chg_nonsense" }, /^INVALID_CURSOR/],
  [{ since: "999" }, /^INVALID_PARAMS: since: the index is at generation 1/],
  [
    { since: "2026-13-45" },
    /^INVALID_PARAMS: since: "2026-13-45" is not a valid time\..*2026-01-31T12/,
  ],
  [
    { since: "no-such-branch" },
    /^INVALID_PARAMS: since: "no-such-branch" is not a commit.*next_cursor/,
  ],
  [{ since: "HEAD", monitor: "x" }, /^INVALID_PARAMS: You have no monitor "x"\..*set_monitor/],
  [{ wait_ms: 26_000 }, /^INVALID_PARAMS: wait_ms: must be 0 to 25000/],
  [{ limit: 0 }, /^INVALID_PARAMS: limit: must be 1 to 200/],
  [{ namespace: "nobodys" }, /^NAMESPACE_NOT_FOUND/],
])("%j is refused, with a hint", LONG_TIMEOUT, async (input, expected) => {
  const one = indexedProject();
  await changes(one);
  expect(await refusal(one, "list_changes", input)).toMatch(expected);
});

test("the cursor of another namespace is refused", LONG_TIMEOUT, async () => {
  const one = indexedProject();
  const { next_cursor: since } = await changes(one);
  const outside = createProject(FILES);
  onTestFinished(outside.dispose);
  const { signal } = new AbortController();
  await one.engine.index({ source: outside.root, namespace: "second", principal: owner(), signal });
  expect(await refusal(one, "list_changes", { since, namespace: "second" })).toMatch(
    /^INVALID_CURSOR/,
  );
});

test(
  "the same question again is the same monitor; there are 50 of an owner at the most",
  LONG_TIMEOUT,
  async () => {
    const one = indexedProject({ onDisk: true });
    await changes(one);
    const { engine } = one;
    const { signal } = new AbortController();
    const create = (name: string, text: string) =>
      engine.monitors({
        action: "create",
        name,
        question: { kind: "pattern", text },
        principal: owner(),
        signal,
      });
    await create("todos", "TODO");
    await create("todos", "TODO");
    await expect(create("todos", "FIXME")).rejects.toThrow(
      /A monitor named "todos" already exists/,
    );
    const registry = openRegistry(one.data);
    onTestFinished(() => registry.close());
    const [namespace = ""] = readdirSync(join(one.data, "namespaces"));
    for (let at = 1; at < 50; at += 1) {
      const monitor = { namespace, owner: "local", name: `m${at}`, kind: "path" } as const;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await addMonitor(registry, { ...monitor, question: "*" });
    }
    await expect(create("more", "more")).rejects.toThrow(/You have 50 monitors/);
  },
);

test(
  "why answers with the commits behind a place or a question, and with data",
  LONG_TIMEOUT,
  async () => {
    const { path, commit, dispose } = gitRepository();
    const id = commit(FILES, "Open sessions\n\nFor the users (#4).");
    const project = createProject({}, { workspace: () => path });
    onTestFinished(async () => {
      await project.dispose();
      dispose();
    });
    await project.engine.index({ principal: owner(), signal: new AbortController().signal });
    const place = await project.tool("list_changes", { why: "src/a.ts:2" });
    expect(place.items).toHaveLength(2);
    expect(place.text).toContain("wrote line 2; introduced it; #4");
    expect(place.outcome.structured).toMatchObject({ kind: "place", commits: [{ commit: id }] });
    const words = await project.tool("list_changes", {
      why: "why do users have sessions",
      limit: 1,
    });
    expect(words.outcome.structured).toMatchObject({ kind: "words", commits: [{ commit: id }] });
    expect(await refusal(project, "list_changes", { why: "x y", since: "1" })).toBe(
      "INVALID_PARAMS: since: cannot be used with why. Use `why` only with `limit` or `namespace`.",
    );
    expect(await refusal(project, "list_changes", { why: "" })).toContain("INVALID_PARAMS: why:");
  },
);
