import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { ExportResult } from "../../../src/engine/api/export.ts";
import { ScipIndex, SymbolRole } from "../../../src/scip/read-index.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";
import { filesOf, scipOf } from "../../scip/fixture-projects.ts";
import { lintScip } from "../../scip/scip-lint.ts";

function projectOf(files: Readonly<Record<string, string>>): Project {
  const project = createProject(files);
  onTestFinished(() => project.dispose());
  return project;
}

async function exported({
  engine,
  root,
}: Project): Promise<{ result: ExportResult; bytes: Buffer }> {
  const pieces: Uint8Array[] = [];
  const result = await engine.exportScip({
    ...request(),
    source: root,
    write: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
  });
  return { result, bytes: Buffer.concat(pieces) };
}

function written(bytes: Buffer): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const file = join(path, "exported.scip");
  writeFileSync(file, bytes);
  return file;
}

function opened(bytes: Buffer): ScipIndex {
  const index = new ScipIndex(written(bytes));
  onTestFinished(() => index.close());
  return index;
}

const LANGUAGES = {
  "src/a.c": '#include "a.h"\n\nint twice(int x) { return 2 * x; }\n',
  "src/a.h": "int twice(int x);\n",
  "src/main.c": '#include "a.h"\n\nint main(void) { return twice(1) + twice(2); }\n',
  "go.mod": "module example.org/m\n",
  "m.go":
    "package m\n\ntype Shape interface{ Area() int }\n\ntype Box struct{ side int }\n\nfunc (b Box) Area() int { return b.side }\n",
  "a/Main.java":
    "package a;\n\nclass Main extends Base {\n  @Override void run(int x) {}\n  void run(String x) { run(1); }\n}\n",
  "a/Base.java": "package a;\n\nclass Base {\n  void run(int x) {}\n}\n",
  "lib.rs":
    "pub struct Point { x: i32 }\n\nimpl Point {\n    pub fn new() -> Self { Point { x: 0 } }\n}\n",
  "a b/ünï `x`.py": "def größe():\n    return 1\n\n\nx = größe()\n",
};

test.each([
  ["TypeScript", filesOf("shapes")],
  ["Python", filesOf("app")],
  ["other languages", LANGUAGES],
])("the index of %s passes the rules of scip lint", async (_, files) => {
  const project = projectOf(files);
  await project.engine.index({ ...request(), source: project.root });
  const { bytes, result } = await exported(project);
  expect(lintScip(bytes)).toEqual([]);
  expect(result.documents).toBeGreaterThan(1);
  expect(result.changed).toEqual([]);
});

test("the rules find what is wrong in the index of a real indexer", () => {
  // scip-python states no position encoding.
  expect(lintScip(readFileSync(scipOf("app")))).toContain("app/main.py: no position encoding");
});

test("the positions, roles and relations of definitions and uses", async () => {
  const project = projectOf(filesOf("shapes"));
  await project.engine.index({ ...request(), source: project.root });
  const { bytes } = await exported(project);
  const index = opened(bytes);
  expect(index.metadata.projectRoot).toBe(`file://${project.root}`);
  expect(index.metadata.tool).toMatch(/^svc \d/);
  const documents = index.documents.map((place) => index.document(place));
  const main = documents.find(({ path }) => path === "src/main.ts");
  const create = main?.occurrences.filter(({ symbol }) => symbol.endsWith("/create()."));
  const lines = filesOf("shapes")["src/main.ts"]?.split("\n") ?? [];
  expect(create?.map(({ startLine, roles }) => [startLine + 1, roles])).toEqual([
    [1, SymbolRole.import],
    [3, 0],
    [5, 0],
  ]);
  const texts = create?.map(({ startLine, startCharacter, endCharacter }) =>
    lines[startLine]?.slice(startCharacter, endCharacter),
  );
  expect(texts).toEqual(["create", "create", "create"]);
  const shape = documents.find(({ path }) => path === "src/shape.ts");
  const circle = shape?.symbols.find(({ symbol }) => symbol.endsWith("/Circle#"));
  expect(circle?.relationships.map(({ symbol }) => symbol)).toEqual([
    expect.stringMatching(/\/src\/`shape\.ts`\/Shape#$|^svc \. \S+ \. src\/`shape\.ts`\/Shape#$/),
  ]);
});

/** The exact references of a definition, with their roles. */
async function references({ engine }: Project, symbol: string): Promise<readonly string[]> {
  const found = await engine.references({
    ...request(),
    symbol,
    relation: "references",
    depth: 1,
    limit: 100,
  });
  return found.references
    .filter(({ certainty }) => certainty === "exact")
    .map(({ path, line, role }) => `${path}:${line} ${role}`)
    .toSorted();
}

test.each(["shapes", "app"] as const)(
  "what is exported of %s and imported again is equal",
  async (name) => {
    const files = filesOf(name);
    const [one, other] = [projectOf(files), projectOf(files)];
    await one.engine.index({ ...request(), source: one.root, scip: [scipOf(name)] });
    const { bytes } = await exported(one);
    await other.engine.index({ ...request(), source: other.root, scip: [written(bytes)] });
    const all =
      name === "shapes"
        ? [
            "src/shape.ts#Shape",
            "src/shape.ts#Shape.area",
            "src/shape.ts#Square",
            "src/registry.ts#create",
          ]
        : ["app/store.py#Store", "app/store.py#Store.default", "app/store.py#open_store"];
    for (const symbol of all) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const expected = await references(one, symbol);
      expect(expected.length).toBeGreaterThan(0);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect([symbol, await references(other, symbol)]).toEqual([symbol, expected]);
    }
  },
);

test("a folder that is no source is refused", async () => {
  const project = projectOf({ "a.ts": "export const a = 1;\n" });
  await expect(exported(project)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});
