import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { age } from "../../helpers/indexed-tree.ts";
import { createProject, request, type Project, type ToolAnswer } from "../../helpers/project.ts";

const FILES: Record<string, string> = {
  "src/store.ts": [
    "export interface Keeper {",
    "  keep(): void;",
    "}",
    "export class Store implements Keeper {",
    "  keep(): void {}",
    "}",
    "export function openStore(): Store {",
    "  return new Store();",
    "}",
  ].join("\n"),
  "src/server.ts": [
    'import { openStore } from "./store.ts";',
    "export function start(any: any): void {",
    "  const store = openStore();",
    "  store.keep();",
    "  any.keep();",
    "}",
  ].join("\n"),
  "src/main.ts":
    'import { start } from "./server.ts";\nexport function main() {\n  start({});\n}\n',
  "src/fresh.ts": 'import { openStore } from "./store.ts";\nopenStore();\n',
  "other/two.ts": "export function same(): void {}\n",
  "other/one.ts": "export function same(): void {}\nsame();\n",
};
for (let at = 0; at < 30; at += 1) {
  FILES[`many/user${at}.ts`] = 'import { same } from "../other/two.ts";\nsame();\n';
}

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  age(project.root);
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

function call(input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  return project.tool("find_references", input);
}

async function lines(symbol: string, relation: string): Promise<readonly string[]> {
  return (await call({ symbol, relation })).text.split("\n").slice(1);
}

async function refusal(input: unknown): Promise<string> {
  try {
    await project.tool("find_references", input);
  } catch (thrown) {
    if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
    throw thrown;
  }
  return "no error";
}

test("users are grouped by file, with the line and its enclosing definition", async () => {
  const { items, outcome } = await call({ symbol: "openStore", path: "src/server.ts" });
  expect(items).toEqual([
    { text: "2 references of openStore (src/store.ts:7-9) in 1 file: 2 exact, 0 by name" },
    {
      text: 'src/server.ts\n1: import { openStore } from "./store.ts";\n3: const store = openStore();  [start]',
      meta: {
        "dev.svc/references": {
          path: "src/server.ts",
          depth: 1,
          rows: [
            [1, "import", "exact", ""],
            [3, "call", "exact", "start"],
          ],
        },
      },
    },
  ]);
  expect(outcome).toEqual({ isRepeatable: true });
});

test("matches by name come last and are marked", async () => {
  const { text } = await call({ symbol: "Store.keep" });
  expect(text).toBe(
    "2 references of Store.keep (src/store.ts:5-5) in 1 file: 1 exact, 1 by name\nsrc/server.ts\n4: store.keep();  [start]\n5: any.keep();  [start]  by name",
  );
});

test("callers of callers name their path; matches by name are not followed", async () => {
  const { text } = await call({ symbol: "openStore", relation: "callers", depth: 3 });
  expect(text).toContain("src/main.ts  (depth 2)\n3: start({});  [main]  via start");
  const guessed = await call({
    symbol: "keep",
    relation: "callers",
    depth: 3,
    path: "src/main.ts",
  });
  expect(guessed.text).not.toMatch(/\n\d+:.*by name/);
});

test("importers of a definition's file are named as those of the file", async () => {
  const ofFile = await call({ symbol: "src/server.ts", relation: "importers" });
  const ofName = await call({ symbol: "start", relation: "importers" });
  expect(ofName.text).toBe(ofFile.text);
  expect(ofName.text).toMatch(/^1 importer of src\/server\.ts in 1 file/);
});

test("callees, implementations, imports and importers", async () => {
  expect(await lines("start", "callees")).toEqual([
    "src/store.ts",
    "5: keep(): void {}  [Store.keep]",
    "7: export function openStore(): Store {  [openStore]",
    "2: keep(): void;  [Keeper.keep]  by name",
  ]);
  expect(await lines("Keeper", "implementations")).toEqual([
    "src/store.ts",
    "4: export class Store implements Keeper {  [Store]",
  ]);
  expect(await lines("src/main.ts", "imports")).toEqual([
    "src/server.ts",
    'src/main.ts:1: import { start } from "./server.ts";',
  ]);
  expect(await lines("src/server.ts", "importers")).toEqual([
    "src/main.ts",
    '1: import { start } from "./server.ts";',
  ]);
});

test("a location means its enclosing definition; an ambiguous name lists the others", async () => {
  expect((await call({ symbol: "src/store.ts:8" })).text).toContain("references of openStore");
  expect((await call({ symbol: "other/two.ts#same" })).text).toContain("60 references of same");
  const { text } = await call({ symbol: "same", limit: 1 });
  expect(text).toMatch(/Other definitions of the name: other\/(?:one|two)\.ts:1/);
});

test("a name may follow that of its folder, of a folder around it, or of its file", async () => {
  for (const symbol of ["src::openStore", "store.openStore", "src.store.openStore"])
    expect((await call({ symbol })).text).toContain("of openStore (src/store.ts:7-9)");
  expect((await call({ symbol: "two.same" })).text).toContain("of same (other/two.ts:1-1)");
  expect(await refusal({ symbol: "nowhere.openStore" })).toContain("SYMBOL_NOT_FOUND");
});

test("pages follow each other without a gap, and a cursor belongs to its query", async () => {
  const question = { symbol: "other/two.ts#same", limit: 25 };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- sequential pages
    const { text } = await call({ ...question, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...text.split("\n").filter((line) => /^\d+:/.test(line)));
    cursor = /More: cursor "([^"]+)"/.exec(text)?.[1];
  } while (cursor !== undefined);
  expect(seen).toHaveLength(60);
  const first = /cursor "([^"]+)"/.exec((await call(question)).text)?.[1];
  expect(await refusal({ symbol: "openStore", cursor: first })).toMatch(/^INVALID_CURSOR/);
});

test("a changed file is read in its current state", async () => {
  writeFileSync(
    join(project.root, "src/fresh.ts"),
    'import { openStore } from "./store.ts";\n\n\n\nopenStore();\n',
  );
  const { text } = await call({ symbol: "openStore", path: "src/fresh.ts", relation: "callers" });
  expect(text).toMatch(/src\/fresh\.ts(?: {2}\(changed since indexing\))?\n(?:5|1): /);
});

test.each([
  [{ symbol: "openStor" }, 'SYMBOL_NOT_FOUND: No symbol "openStor". Nearest: openStore.'],
  [{ symbol: "src/store.ts" }, "SYMBOL_NOT_FOUND: src/store.ts is a file, not a definition."],
  [{ symbol: "src/none.ts", relation: "imports" }, 'PATH_NOT_FOUND: No file "src/none.ts".'],
  [{ symbol: "../x.ts", relation: "imports" }, "PATH_OUTSIDE_SOURCE"],
  [{ symbol: "start", relation: "friends" }, "INVALID_PARAMS: relation: must be one of references"],
  [{ symbol: "start", depth: 6 }, "INVALID_PARAMS: depth: must be 1 to 5."],
  [{ symbol: "start", limit: 0 }, "INVALID_PARAMS: limit: must be 1 to 500."],
  [{ symbol: "" }, "INVALID_PARAMS: symbol: must be 1 to 4,096 characters long."],
  [{ symbol: "start", cursor: "x" }, "INVALID_CURSOR"],
  [{ symbol: "start", namespace: "nothing" }, "NAMESPACE_NOT_FOUND"],
])("%j is refused", async (input, expected) => {
  expect(await refusal(input)).toContain(expected);
});

test("concurrent queries get the same answers as single ones", async () => {
  const symbols = ["openStore", "start", "Store.keep", "same", "main"];
  const alone = [];
  // oxlint-disable-next-line no-await-in-loop -- sequential on purpose
  for (const symbol of symbols) alone.push((await call({ symbol })).text);
  const together = await Promise.all(symbols.map(async (symbol) => (await call({ symbol })).text));
  expect(together).toEqual(alone);
});

test("a shared name that nothing declares has no place of its own", async () => {
  const shared = createProject({ "a.go": 'package a\n\nfunc run() { os.Getenv("TOKEN") }\n' });
  try {
    await shared.engine.index(request());
    const { text } = await shared.tool("find_references", { symbol: "TOKEN" });
    expect(text).toBe(
      '1 reference of env:TOKEN in 1 file: 0 exact, 1 by name\na.go\n3: func run() { os.Getenv("TOKEN") }  [run]  by name',
    );
    await expect(shared.tool("find_references", { symbol: "OTHER" })).rejects.toThrow("No symbol");
  } finally {
    await shared.dispose();
  }
});
