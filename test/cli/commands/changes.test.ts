import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { afterAll, expect, onTestFinished, test, vi } from "vitest";

import { addMonitor } from "../../../src/sources/registry/monitors.ts";
import { createMachine } from "../../helpers/cli.ts";
import { openRegistry } from "../../helpers/open-registry.ts";
import { svcProgram } from "../../helpers/svc-program.ts";
import { plant } from "../../helpers/tree.ts";

// Each call is a separate program with an indexing run.
vi.setConfig({ testTimeout: 60_000 });

const here = createMachine({ "src/a.ts": "export function open(path: string): void {}\n" });
afterAll(() => here.dispose());

test("each change is a line, with monitor matches; --json prints the result of list_changes", async () => {
  expect(await here.svc("changes")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}Z {2}indexed {2}\. {2}1 file\n$/),
  });
  expect(await here.svc("monitors", "add", "todos", "--pattern", "TODO")).toEqual({
    code: 0,
    out: "",
    err: 'Added monitor "todos".\n',
  });
  plant(here.root, {
    "src/a.ts": "export function open(path: URL): void {} // TODO\n",
    "src/evil\u001b[2J.ts": "export const one = 1;\n",
  });
  const { out } = await here.svc("changes", "--since", "1");
  expect(out.replaceAll(/^.{20}/gm, "TIME")).toBe(
    [
      "TIME  changed  src/a.ts  signature open(path: URL): void  [todos: 1]",
      "TIME  added    src/evil.ts  added one = 1",
      "",
    ].join("\n"),
  );
  const { next_cursor: since, changes } = JSON.parse(
    (await here.svc("changes", "--monitor", "todos", "--json")).out,
  );
  expect(changes).toMatchObject([{ change: "changed", path: "src/a.ts" }]);
  expect(await here.svc("changes", "--since", since)).toEqual({
    code: 0,
    out: "",
    err: "Nothing changed.\n",
  });
  expect(await here.svc("changes", "--since", "0min", "--monitor", "todos")).toMatchObject({
    code: 0,
    out: "",
  });
  expect((await here.svc("changes", "--since", "2001-01-01")).err).toMatch(
    /^Changes are known from \d/,
  );
});

test("monitors are listed and removed by their names", async () => {
  await here.svc("monitors", "add", "--symbol", "open");
  const { out } = await here.svc("monitors", "list");
  expect(out).toMatch(/^NAME {7}KIND {5}QUERY {2}CREATED\n[^]*monitor-1 {2}symbol {3}open {3}\d/);
  expect(await here.svc("monitors", "remove", "monitor-1", "--json")).toMatchObject({
    code: 0,
    out: expect.stringContaining('"symbol": "open"'),
  });
  expect(await here.svc("monitors", "remove", "monitor-1")).toMatchObject({
    code: 2,
    err: expect.stringContaining('You have no monitor "monitor-1"'),
  });
  expect(await here.svc("monitors", "add", "--path", "*", "--query", "how")).toMatchObject({
    code: 2,
    err: expect.stringContaining("has one query, but query and path are given"),
  });
});

test("a revoked credential leaves no monitors", async () => {
  const own = createMachine({ "a.ts": "export const one = 1;\n" });
  try {
    const result = await own.svc("auth", "token", "create", "--name", "ci", "--json");
    const { token_id: id } = JSON.parse(result.out);
    const { namespace } = JSON.parse((await own.svc("index", own.root, "--json")).out);
    const registry = openRegistry(own.data);
    for (const owner of [id, "local"]) {
      // oxlint-disable-next-line no-await-in-loop -- in this order
      await addMonitor(registry, { namespace, owner, name: "all", kind: "path", question: "*" });
    }
    await own.svc("auth", "token", "revoke", id);
    const left = (await registry.state()).monitors(namespace);
    registry.close();
    expect(left.map(({ owner }) => owner)).toEqual(["local"]);
  } finally {
    own.dispose();
  }
});

test("svc watch prints changes as they happen, until it is interrupted", async () => {
  const [program, ...first] = svcProgram();
  const child = spawn(program, [...first, "watch", "--json"], {
    cwd: here.root,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: here.home,
      SERVICE_HOME: here.data,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  // It prints a line when it has started.
  await once(child.stderr, "data");
  plant(here.root, { "src/b.ts": "export const watched = 1;\n" });
  const { value } = await lines.next();
  expect(JSON.parse(value ?? "")).toMatchObject({
    change: "added",
    path: "src/b.ts",
    symbols: [{ change: "added", name: "watched" }],
  });
  child.kill("SIGINT");
  expect(await exited).toEqual([130, null]);
});

test("more changes than one page are asked for page by page, and a cut answer says how to see more", async () => {
  const machine = createMachine({ "a.md": "# Start\n" });
  onTestFinished(machine.dispose);
  await machine.svc("index", machine.root);
  const many = Array.from({ length: 230 }, (_, at): [string, string] => [`${at}.md`, "# New\n"]);
  plant(machine.root, Object.fromEntries(many));
  const all = await machine.svc("changes", "--since", "1h", "--limit", "1000", "--json");
  const { changes, has_more: hasMore } = JSON.parse(all.out);
  const paths = changes.map(({ path }: { readonly path: string }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(expect.arrayContaining(many.map(([path]) => path)));
  expect(hasMore).toBe(false);
  const cut = await machine.svc("changes", "--since", "1h", "--limit", "210");
  expect(cut.out.trimEnd().split("\n")).toHaveLength(210);
  expect(cut.err).toContain("There are more: raise --limit, or narrow them with PATH or --path.\n");
}, 60_000);
