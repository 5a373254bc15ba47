// Engines on one PostgreSQL server, as the nodes of a team: they answer like an engine on files, with every tool.
import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openPostgresBackend } from "../../src/backend/postgres-backend.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { offerOf } from "../helpers/index-offer.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { plant, tree } from "../helpers/tree.ts";

/** Calls whose answers depend on nothing but the index and the texts. */
const CALLS: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ["search_context", { query: "how does a lease run out", explain: true }],
  ["search_context", { query: "where is a commit refused" }],
  ["search_context", { query: "decodeText", kind: ["code"] }],
  ["search_context", { query: "compare and swap of the registry", limit: 3, max_tokens: 800 }],
  ["search_text", { pattern: "throw new" }],
  ["search_text", { pattern: "class \\w+Registry", regex: true, context_lines: 2 }],
  ["search_text", { pattern: "import", output: "count" }],
  ["find_symbol", { name: "Registry" }],
  ["find_symbol", { name: "swap" }],
  ["find_symbol", { name: "decod" }],
  ["read_context", { targets: ["Registry.change", "text/port.ts:1-20"] }],
  ["find_references", { symbol: "decodeText" }],
  ["find_references", { symbol: "RegistryStore", relation: "implementations" }],
  ["find_references", { symbol: "text/port.ts", relation: "importers" }],
  ["find_references", { symbol: "applyEdit", relation: "callers", depth: 2 }],
  ["analyze_impact", { target: "decodeText" }],
  ["analyze_impact", { target: "text/port.ts" }],
  ["find_related", { target: "text/local-texts.ts" }],
  ["outline", {}],
  ["outline", { path: "registry/registry.ts" }],
  ["index_status", { detail: "skipped" }],
];

/** Times, cursors (which contain the id of an index), and whether a scan is running. */
const MOMENTS =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|"\w*_ms":\d+|[\d.]+ m?s\b|cursor[\\": ]+[\w-]+|(?<=team: |state":")(?:ready|indexing)/g;

function opened(root: string, backend?: ReturnType<typeof openPostgresBackend>): Project {
  const project = createProject(
    {},
    { workspace: () => root, namespace: "team", ...(backend ? { backend } : { onDisk: true }) },
  );
  onTestFinished(project.dispose);
  return project;
}

needs(["postgres"], () => {
  const server = serverForTests();

  function team(root: string): { readonly node: () => Project } {
    const url = server.freshUrl();
    const place = tree();
    onTestFinished(place.dispose);
    let nodes = 0;
    return {
      node: () => {
        nodes += 1;
        const description = {
          kind: "postgres",
          url,
          cacheDirectory: join(place.path, `node-${nodes}`),
          dataDirectory: place.path,
        } as const;
        return opened(root, openPostgresBackend(description, { maxAgeMs: 0 }));
      },
    };
  }

  test("every tool answers on each node as it does on files", async () => {
    const place = tree({ "sources/": "" });
    onTestFinished(place.dispose);
    const root = join(place.path, "sources");
    cpSync(join(import.meta.dirname, "../../src/sources"), root, { recursive: true });
    const { node } = team(root);
    const [files, one, other] = [opened(root), node(), node()];
    for (const { engine } of [files, one]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await engine.index({ ...request(), source: root, namespace: "team" });
    }
    for (const [tool, input] of CALLS) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const answers = await Promise.all(
        [files, one, other].map(async (project) => {
          const { text, items } = await project.tool(tool, { ...input, namespace: "team" });
          return [text, JSON.stringify(items)].map((part) => part.replace(MOMENTS, "MOMENT"));
        }),
      );
      expect({ tool, input, answer: answers[1] }).toEqual({ tool, input, answer: answers[0] });
      expect({ tool, input, answer: answers[2] }).toEqual({ tool, input, answer: answers[0] });
    }
  }, 60_000);

  test("nodes find modules by the configuration files of a project, as on files", async () => {
    const place = tree({
      "project/go.mod": "module example.org/zoo\n\ngo 1.22\n",
      "project/food/feed.go": "package food\n\nfunc Feed(name string) int { return len(name) }\n",
      "project/toys/feed.go": "package toys\n\nfunc Feed(name string) int { return 0 }\n",
      "project/main.go":
        'package main\n\nimport "example.org/zoo/food"\n\nfunc main() { food.Feed("ibis") }\n',
    });
    onTestFinished(place.dispose);
    const root = join(place.path, "project");
    const { node } = team(root);
    const [files, one, other] = [opened(root), node(), node()];
    for (const { engine } of [files, one]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await engine.index({ ...request(), source: root, namespace: "team" });
    }
    const input = { symbol: "food/feed.go:3", namespace: "team" };
    const ask = async (project: Project) => (await project.tool("find_references", input)).text;
    const expected = await ask(files);
    expect(expected).toContain("1 exact");
    expect(await ask(one)).toBe(expected);
    expect(await ask(other)).toBe(expected);
  });

  test("a node gives out the index of the team, and an index in files starts from it", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `a${at}.md`,
        `# Ibis ${at}\n\nThe ibis${at} wades.\n`,
      ]),
    );
    const [there, here] = [tree(files), tree(files)];
    for (const one of [there, here]) onTestFinished(one.dispose);
    const { node } = team(there.path);
    const [one, other, laptop] = [node(), node(), opened(here.path)];
    await one.engine.index({ ...request(), source: there.path, namespace: "team" });
    const offer = offerOf(other.engine, "team");
    const source = { ...request(), source: here.path, namespace: "team" };
    const { report } = await laptop.engine.index({ ...source, offer });
    expect(report).toMatchObject({ isStarted: true, added: 0, unchanged: 30 });
    const found = await laptop.tool("search_context", { query: "ibis7", namespace: "team" });
    expect(found.text).toContain("a7.md");
    // The opposite is not possible.
    await expect(one.engine.index({ ...source, offer })).rejects.toMatchObject({ code: "USAGE" });
  });

  test("a node without the sources answers with their text", async () => {
    const place = tree({ "project/a.md": "# Aardvark\n\nThe aardvark sleeps at noon.\n" });
    onTestFinished(place.dispose);
    const root = join(place.path, "project");
    const { node } = team(root);
    const [one, other] = [node(), node()];
    await one.engine.index({ ...request(), source: root, namespace: "team" });
    renameSync(root, `${root}-elsewhere`);
    const input = { namespace: "team" };
    const found = await other.tool("search_context", { ...input, query: "sleeping aardvark" });
    expect(found.text).toContain("The aardvark sleeps at noon.");
    const lines = await other.tool("search_text", { ...input, pattern: "at noon" });
    expect(lines.text).toContain("a.md");
    const read = await other.tool("read_context", { ...input, targets: ["a.md"] });
    expect(read.text).toContain("The aardvark sleeps at noon.");
  });

  test("changes and monitor matches of one node are seen on the other", async () => {
    const place = tree({ "project/a.ts": "export const one = 1;\n" });
    onTestFinished(place.dispose);
    const root = join(place.path, "project");
    const { node } = team(root);
    const [one, other] = [node(), node()];
    const index = (): Promise<unknown> =>
      one.engine.index({ ...request(), source: root, namespace: "team" });
    await index();
    const input = { namespace: "team" };
    await other.tool("set_monitor", { ...input, action: "create", name: "marks", pattern: "MARK" });
    plant(root, { "b.ts": "export const two = 2; // MARK\n" });
    await index();
    const changes = await other.tool("list_changes", { ...input, monitor: "marks" });
    expect(changes.text).toContain("b.ts");
    expect(changes.text).toContain("marks");
  });
});
