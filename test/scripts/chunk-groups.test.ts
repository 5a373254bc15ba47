import { expect, test } from "vitest";

import { grouped } from "../../scripts/chunk-groups.ts";
import { scriptElsewhere } from "../../src/base/chunk-source.ts";

/** Chunks with their sources, and what each imports: `static` at once, `lazy` when it is used. */
const OUTPUTS: Readonly<
  Record<string, { source?: string; static?: readonly string[]; lazy?: readonly string[] }>
> = {
  main: { source: "src/main.ts", static: ["chunk-a", "chunk-b"], lazy: ["mcp-1", "engine-1"] },
  "mcp-1": { source: "src/cli/commands/mcp.ts", static: ["chunk-b", "chunk-c"] },
  "store-1": { source: "src/credentials/sealed/open-store.ts" },
  "tools-1": { source: "src/tools/definitions.ts" },
  "engine-1": {
    source: "src/engine/create-engine.ts",
    static: ["chunk-b", "chunk-e", "chunk-f", "chunk-g"],
  },
  "query-1": { source: "src/engine/query-service.ts", static: ["chunk-g"] },
  "index-worker": {
    source: "src/engine/indexing/index-worker.ts",
    static: ["chunk-a", "chunk-e", "chunk-f", "chunk-g"],
  },
  "writer-1": { source: "src/index/embedded/writer.ts" },
  "chunk-1": { source: "src/chunk/chunk.ts" },
  "grammars-1": { source: "src/engine/packed-grammars.ts" },
  "parse-worker": { source: "src/engine/indexing/parse-worker.ts" },
  "search-worker": { source: "src/engine/passages/search-worker.ts", static: ["chunk-a"] },
  "watch-worker": { source: "src/engine/watching/watch-worker.ts" },
  "chunk-a": { static: ["chunk-b"] },
  "chunk-b": { static: ["chunk-a"] },
  "chunk-c": { lazy: ["chunk-d"] },
  "chunk-d": {},
  "chunk-e": { static: ["chunk-f"] },
  "chunk-f": {},
  "chunk-g": {},
};

function texts(): ReadonlyMap<string, string> {
  const chunks = new Map(Object.keys(OUTPUTS).map((name) => [name, `(function(){"${name}"})`]));
  const outputs = Object.fromEntries(
    Object.entries(OUTPUTS).map(([name, { source, static: fixed = [], lazy = [] }]) => [
      `assets/code/${name}.js`,
      {
        ...(source !== undefined && { entryPoint: source }),
        imports: [
          ...fixed.map((one) => ({ kind: "import-statement", path: `assets/code/${one}.js` })),
          ...lazy.map((one) => ({ kind: "dynamic-import", path: `assets/code/${one}.js` })),
          { kind: "import-statement", path: "node:fs", external: true },
        ],
      },
    ]),
  );
  return grouped(chunks, { outputs });
}

/** The names in the group of a leader. */
function membersOf(leader: string): readonly string[] {
  return [...(texts().get(leader) ?? "").matchAll(/\["([^"]+)",\(function/g)].map(
    ([, name = ""]) => name,
  );
}

test.each([
  ["main", ["main", "chunk-a", "chunk-b"]],
  ["mcp-1", ["mcp-1", "chunk-c"]],
])(
  "the script of %s has all that it loads at once and no script before it has",
  (leader, members) => {
    expect(membersOf(leader)).toEqual(members);
  },
);

test("chunks that the same starts load are one script, which the others name", () => {
  // Of the engine and of the thread that indexes, but not of queries.
  expect(membersOf("chunk-e")).toEqual(["chunk-e", "chunk-f"]);
  expect(texts().get("chunk-f")).toBe("@chunk-e");
  // Of queries too.
  expect(texts().get("chunk-g")).toBe('(function(){"chunk-g"})');
});

test("threads do not load the script of the main thread", () => {
  // The main thread has loaded both with `main`; two threads load nothing else together.
  expect(membersOf("chunk-a")).toEqual(["chunk-a", "chunk-b"]);
  expect(texts().get("chunk-b")).toBe("@chunk-a");
});

test.each(["chunk-c", "chunk-d"])("%s, which no two starts share, remains itself", (name) => {
  expect(texts().get(name)).toBe(`(function(){"${name}"})`);
  expect(texts().size).toBe(Object.keys(OUTPUTS).length);
});

test("only the text of a chunk that another script has is a name", () => {
  const named = [...texts()].flatMap(([name, text]) => {
    const script = scriptElsewhere(text);
    return script === undefined ? [] : [`${name} is in ${script}`];
  });
  expect(named.toSorted()).toEqual(["chunk-b is in chunk-a", "chunk-f is in chunk-e"]);
});

test("a leader that is gone fails the build", () => {
  expect(() => grouped(new Map(), { outputs: {} })).toThrow("src/main.ts is no entry of a chunk");
});
