import { expect, test } from "vitest";

import { grouped } from "../../scripts/chunk-groups.ts";

/** The chunks that lead groups, and what each imports: `static` at once, `lazy` when it is used. */
const OUTPUTS: Readonly<
  Record<string, { source?: string; static?: readonly string[]; lazy?: readonly string[] }>
> = {
  main: { source: "src/main.ts", static: ["chunk-a", "chunk-b"], lazy: ["mcp-1"] },
  "mcp-1": { source: "src/cli/commands/mcp.ts", static: ["chunk-b", "chunk-c"] },
  "index-worker": { source: "src/engine/indexing/index-worker.ts", static: ["chunk-a"] },
  "chunk-a": { static: ["chunk-b"] },
  "chunk-b": { static: ["chunk-a"] },
  "chunk-c": { lazy: ["chunk-d"] },
  "chunk-d": {},
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
  ["index-worker", []],
])("the group of %s is what it loads at once and no group before it has", (leader, members) => {
  expect(membersOf(leader)).toEqual(members);
});

test("a member of a group also remains a chunk of its own", () => {
  expect(texts().get("chunk-a")).toBe('(function(){"chunk-a"})');
  expect(texts().size).toBe(Object.keys(OUTPUTS).length);
});

test("a leader that is gone fails the build", () => {
  expect(() => grouped(new Map(), { outputs: {} })).toThrow("src/main.ts is no entry of a chunk");
});
