import { expect, test } from "vitest";

import type { UseRole } from "../../src/parse/references/references.ts";
import { impactOf, type Impact, type ImpactOptions } from "../../src/graph/impact.ts";
import type { Certainty } from "../../src/graph/reference-graph.ts";
import type { SymbolHit } from "../../src/index/port.ts";

/** The user, the definition it uses, the role of the use, and the certainty. */
type Edge = readonly [user: string, used: string, role?: UseRole, certainty?: Certainty];

/** Parses `file.ts#name`. Each definition has ten lines; the length of its name determines which. */
function symbol(place: string): SymbolHit {
  const [path = "", name = ""] = place.split("#");
  const startLine = name.length * 10;
  const facts = { name, qualifiedName: name, kind: "function", access: "exported" } as const;
  return { path, ...facts, startLine, endLine: startLine + 9, nameLine: startLine };
}

async function call(
  edges: readonly Edge[],
  seeds: readonly string[],
  options: Partial<ImpactOptions> = {},
): Promise<Impact> {
  const graph = {
    referencesTo: async ({ path, name }: SymbolHit) =>
      edges
        .filter(([, used]) => used === `${path}#${name}`)
        .map(([user, , role = "call", certainty = "exact"]) => {
          const [from = ""] = user.split("#");
          const owner = user.includes("#") ? symbol(user) : undefined;
          return { path: from, line: 5, role, certainty, owner } as const;
        }),
    importersOf: async (path: string) =>
      edges.flatMap(([user, used]) => (used === path ? [{ path: user, line: 1 }] : [])),
  };
  const seedsOfCall = {
    symbols: seeds.filter((seed) => seed.includes("#")).map(symbol),
    files: seeds.filter((seed) => !seed.includes("#")),
  };
  return impactOf(graph, seedsOfCall, {
    depth: 3,
    signal: new AbortController().signal,
    isLate: () => false,
    isTerminal: async (path) => path.startsWith("test/"),
    candidates: async () => 1,
    usingFiles: async () => 1,
    ...options,
  });
}

/** Returns `place depth`, most likely first. */
function placesOf({ affected }: Impact): readonly string[] {
  return affected.map(
    ({ path, symbol: owner, depth }) =>
      `${path}${owner === undefined ? "" : `#${owner.name}`} ${depth}`,
  );
}

const CHAIN: readonly Edge[] = [
  ["b.ts#two", "a.ts#one"],
  ["c.ts#three", "b.ts#two"],
  ["d.ts#fourth", "c.ts#three"],
  ["e.ts#fifthly", "d.ts#fourth"],
];

test.each([
  [1, ["b.ts#two 1"]],
  [2, ["b.ts#two 1", "c.ts#three 2"]],
  [3, ["b.ts#two 1", "c.ts#three 2", "d.ts#fourth 3"]],
])("users of users are followed %i steps", async (depth, expected) => {
  expect(placesOf(await call(CHAIN, ["a.ts#one"], { depth }))).toEqual(expected);
});

test("a cycle ends, and a changed definition is not a user of itself", async () => {
  const edges: readonly Edge[] = [
    ["b.ts#two", "a.ts#one"],
    ["a.ts#one", "b.ts#two"],
    ["a.ts#one", "a.ts#one"],
    ["b.ts#two", "b.ts#two"],
  ];
  expect(placesOf(await call(edges, ["a.ts#one"]))).toEqual(["b.ts#two 1"]);
});

test("a call counts more than a type, a type more than an import, and a use by name least", async () => {
  const edges: readonly Edge[] = [
    ["m.ts", "a.ts#one", "import"],
    ["n.ts#named", "a.ts#one", "call", "name"],
    ["t.ts#typed", "a.ts#one", "type"],
    ["z.ts#called", "a.ts#one"],
  ];
  const impact = await call(edges, ["a.ts#one"], { candidates: async () => 3 });
  expect(placesOf(impact)).toEqual(["z.ts#called 1", "t.ts#typed 1", "m.ts 1", "n.ts#named 1"]);
  expect(impact.affected.at(-1)).toMatchObject({ certainty: "name", via: "one" });
});

test("a user of several changed definitions is more likely affected than a user of one", async () => {
  const edges: readonly Edge[] = [
    ["x.ts#once", "a.ts#one"],
    ["y.ts#twice", "a.ts#one"],
    ["y.ts#twice", "b.ts#three"],
  ];
  const { affected } = await call(edges, ["a.ts#one", "b.ts#three"]);
  expect(affected.map(({ path }) => path)).toEqual(["y.ts", "x.ts"]);
  expect(affected.every(({ score }) => score > 0 && score <= 1)).toBe(true);
});

test("all definitions after a step by name are certain by name only, unless another path is exact", async () => {
  const edges: readonly Edge[] = [
    ["b.ts#two", "a.ts#one", "call", "name"],
    ["c.ts#three", "b.ts#two"],
    ["c.ts#three", "a.ts#one", "value"],
    ["d.ts#fourth", "b.ts#two"],
  ];
  const { affected } = await call(edges, ["a.ts#one"]);
  const known = Object.fromEntries(affected.map(({ path, certainty }) => [path, certainty]));
  expect(known).toEqual({ "b.ts": "name", "c.ts": "exact", "d.ts": "name" });
});

test("tests are affected, but the walk does not continue from them", async () => {
  const edges: readonly Edge[] = [
    ["test/a.ts#helper", "a.ts#one"],
    ["test/b.ts#user", "test/a.ts#helper"],
  ];
  const impact = await call(edges, ["a.ts#one"]);
  expect(placesOf(impact)).toEqual(["test/a.ts#helper 1"]);
  expect(impact.unused.map(({ name }) => name)).toEqual(["one"]);
});

test("exported definitions that nobody uses are reported as unused", async () => {
  const { unused } = await call(CHAIN, ["c.ts#three"]);
  expect(unused.map(({ name }) => name)).toEqual(["fifthly"]);
});

test("a change of a file without definitions affects its importers", async () => {
  const edges: readonly Edge[] = [
    ["b.ts", "data.json"],
    ["c.ts", "b.ts"],
  ];
  const { affected } = await call(edges, ["data.json"]);
  expect(affected).toMatchObject([{ path: "b.ts", role: "import", via: "data.json", depth: 1 }]);
});

test("at the limit of users, at the time limit and at an abort, the result is partial", async () => {
  const wide = Array.from({ length: 400 }, (_, at): Edge => [`u${at}.ts#user`, "a.ts#one"]);
  const edges = [...wide, ...wide.map(([user]): Edge => [`v${user}`, user])];
  const impact = await call(edges, ["a.ts#one"]);
  expect(impact.affected).toHaveLength(400);
  expect(impact.isComplete).toBe(false);
  expect(await call(CHAIN, ["a.ts#one"], { isLate: () => true })).toMatchObject({
    affected: [],
    isComplete: false,
  });
  expect(await call(CHAIN, ["a.ts#one"], { signal: AbortSignal.abort() })).toMatchObject({
    affected: [],
    isComplete: false,
  });
  expect((await call(CHAIN, ["a.ts#one"])).isComplete).toBe(true);
});

test("a name that too many files use is not followed", async () => {
  const impact = await call(CHAIN, ["a.ts#one"], {
    usingFiles: async (name) => (name === "two" ? 5000 : 1),
  });
  expect(placesOf(impact)).toEqual(["b.ts#two 1"]);
  expect(impact.isComplete).toBe(false);
});
