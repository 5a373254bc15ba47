import { expect, test } from "vitest";

import { chunkFile, needsSyntax } from "../../src/chunk/chunk.ts";
import { indexEntry } from "../../src/engine/indexing/index-entry.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { authorized } from "../helpers/authorized.ts";
import { notebookText } from "../helpers/notebook-text.ts";

const NAMESPACE = "project";
type Cells = readonly [language: string, ...cells: readonly string[]];

/** An index of modules, as their text, and of notebooks, as their cells. */
async function indexOf(files: Readonly<Record<string, string | Cells>>): Promise<IndexReader> {
  const backend = new MemoryBackend();
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: undefined });
  if (writer === undefined) throw new Error("no other writer is open");
  const grammars = await packedGrammars();
  for (const [path, content] of Object.entries(files)) {
    const [kernel = "", ...cells] = typeof content === "string" ? [] : content;
    const document = typeof content === "string" ? undefined : notebookText(cells, kernel);
    const text = document?.text ?? String(content);
    const bytes = Buffer.from(text);
    const times = { size: bytes.length, mtimeMs: 0, inode: 0, indexedMs: 0 };
    const file = { source: 1, path, pathInSource: path, text, bytes, hash: text, generated: false };
    const entry = indexEntry({ ...file, times }, { chunkFile, needsSyntax }, grammars);
    const language = document === undefined ? entry.state.language : "notebook";
    const chunked = chunkFile({ path, language, text, document }, grammars);
    const { chunks, symbols, references } = chunked;
    const counts = { chunks: chunks.length, symbols: symbols.length };
    writer.add(
      { ...entry.state, language, ...counts },
      { ...entry.content, language, chunks, symbols, references },
    );
  }
  await writer.commit();
  await writer.computePageRank();
  await writer.close();
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("a commit creates an index");
  return reader;
}

async function usersOf(reader: IndexReader, name: string): Promise<readonly string[]> {
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const symbols = await reader.symbolsNamed(name.split(".").at(-1) ?? "", 50);
  const symbol = symbols.find((one) => one.qualifiedName === name && one.kind !== "section");
  if (symbol === undefined) throw new Error(`no ${name}`);
  return (await graph.referencesTo(symbol)).map(
    ({ path, line, role, certainty }) => `${path}:${line} ${role} ${certainty}`,
  );
}

const LIBRARY = {
  "lib/__init__.py": "from lib.grids import Grid, load\n",
  "lib/grids.py": `class Grid:
    def mean(self):
        return 0

def load(path) -> Grid:
    return Grid()
`,
};

test("a notebook with Python uses the modules of the project", async () => {
  const reader = await indexOf({
    ...LIBRARY,
    "docs/tour.ipynb": [
      "python",
      "# load",
      "%matplotlib inline\nfrom lib import load\nimport lib.grids as grids",
      "## Grid\n\nMeans of a grid.",
      "grid = load('a.nc')\n%time grid.mean()",
      "def again():\n    return grids.load('b')\n\nagain().mean()",
    ],
  });
  expect(await usersOf(reader, "load")).toEqual([
    "docs/tour.ipynb:4 import exact",
    "docs/tour.ipynb:11 call exact",
    "docs/tour.ipynb:15 call exact",
    "lib/__init__.py:1 import exact",
  ]);
  expect(await usersOf(reader, "Grid.mean")).toEqual([
    "docs/tour.ipynb:12 call exact",
    "docs/tour.ipynb:17 call exact",
  ]);
  expect(await usersOf(reader, "again")).toEqual(["docs/tour.ipynb:17 call exact"]);
});

test("a heading is not what a name refers to", async () => {
  const reader = await indexOf({
    ...LIBRARY,
    "app.py": "import lib\nlib.Grid()\n",
    "docs/tour.ipynb": ["python", "# Grid", "## Steps", "from lib import Grid\nGrid().mean()"],
  });
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const heading = (await reader.symbolsNamed("Grid", 9)).find(({ kind }) => kind === "section");
  expect(heading?.path).toBe("docs/tour.ipynb");
  expect(heading && (await graph.referencesTo(heading))).toEqual([]);
  expect(await usersOf(reader, "Grid")).toEqual([
    "app.py:2 call exact",
    "docs/tour.ipynb:5 import exact",
    "docs/tour.ipynb:6 call exact",
    "lib/__init__.py:1 import exact",
    "lib/grids.py:5 type exact",
    "lib/grids.py:6 call exact",
  ]);
});

test("a notebook in another language uses nothing of Python", async () => {
  const reader = await indexOf({
    ...LIBRARY,
    "plots.ipynb": ["r", "grid <- load('a.nc')\nmean(grid)"],
  });
  expect(await usersOf(reader, "load")).toEqual(["lib/__init__.py:1 import exact"]);
});
