import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { FileRow } from "../../../src/index/types.ts";
import { authorized } from "../../helpers/authorized.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { notebookOf } from "../../helpers/notebook-text.ts";
import { runIndex } from "../../helpers/run-index.ts";
import { tree } from "../../helpers/tree.ts";

function notebook(...cells: readonly string[]): string {
  return notebookOf(cells);
}

interface Indexed {
  readonly root: string;
  /** `endsAfter`: the number of documents after which the run fails. */
  readonly run: (job?: {
    rebuild?: boolean;
    folder?: string;
    endsAfter?: number;
  }) => Promise<IndexReport>;
  readonly row: (path: string) => Promise<FileRow | undefined>;
  readonly note: () => Promise<string | undefined>;
  /** Names of the stored texts. */
  readonly stored: () => readonly string[];
  readonly stages: readonly string[];
}

function project(files: Readonly<Record<string, string>>): Indexed {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  const [root, dataDirectory] = [path, `${path}-data`];
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const stages: string[] = [];
  const reading = async <T>(use: (index: EmbeddedBackend) => Promise<T>): Promise<T> => {
    const index = new EmbeddedBackend(dataDirectory);
    try {
      return await use(index);
    } finally {
      index.close();
    }
  };
  return {
    root,
    stages,
    run: ({ rebuild = false, folder, endsAfter = Infinity } = {}) =>
      runIndex(
        {
          dataDirectory,
          namespace: "project",
          sources: [sourceAt(root)],
          rebuild,
          waitMs: 0,
          folders: folder === undefined ? undefined : [{ source: 1, path: folder }],
        },
        {
          onProgress: ({ stage, done }) => {
            if (stages.at(-1) !== stage) stages.push(stage);
            if (stage === "documents" && done >= endsAfter) throw new Error("ended");
          },
        },
      ),
    row: (file) =>
      reading(async (index) => (await index.reader(authorized("project")))?.file(file)),
    note: () =>
      reading(async (index) => (await index.reader(authorized("project")))?.note("documents")),
    stored: () => {
      try {
        return readdirSync(indexLayout(dataDirectory, "project").documents);
      } catch {
        return [];
      }
    },
  };
}

test("documents are read after all other files, with sections and definitions", async () => {
  const { run, row, stages, stored } = project({
    "a.ipynb": notebook("# Tides\n\n## Waves", "def height(t):\n    return t"),
    "b.py": "x = 1\n",
  });
  expect(await run()).toMatchObject({ added: 2, skipped: 0 });
  expect(stages).toEqual(["list", "words", "documents"]);
  expect(await row("a.ipynb")).toMatchObject({
    language: "notebook",
    role: "docs",
    stage: "complete",
    skipped: null,
    symbols: 3,
  });
  // Other files are read from their source.
  expect(stored()).toHaveLength(1);
});

test("the text of a document is stored once, and deleted when the last file with it is gone", async () => {
  const same = notebook("# Tides");
  const { root, run, stored } = project({ "a.ipynb": same, "b.ipynb": same });
  await run();
  expect(stored()).toHaveLength(1);
  rmSync(join(root, "a.ipynb"));
  await run();
  expect(stored()).toHaveLength(1);
  rmSync(join(root, "b.ipynb"));
  expect(await run()).toMatchObject({ removed: 1 });
  expect(stored()).toEqual([]);
});

test("a document that is as before is not extracted again, not even for a new index", async () => {
  const { root, run, stored } = project({ "a.ipynb": notebook("# Tides") });
  await run();
  const [name] = stored();
  // Another time, the same content.
  writeFileSync(join(root, "a.ipynb"), notebook("# Tides"));
  expect(await run()).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  expect(await run({ rebuild: true })).toMatchObject({ skipped: 0 });
  expect(stored()).toEqual([name]);
});

test("a text that is missing or damaged in the store is extracted again by a rebuild", async () => {
  const { root, run, stored, row } = project({ "a.ipynb": notebook("# Tides") });
  await run();
  const folder = indexLayout(`${root}-data`, "project").documents;
  writeFileSync(join(folder, stored()[0] ?? ""), "damage");
  await run({ rebuild: true });
  expect(await row("a.ipynb")).toMatchObject({ stage: "complete", symbols: 1 });
  rmSync(folder, { recursive: true });
  await run({ rebuild: true });
  expect(stored()).toHaveLength(1);
});

test("a document without text is listed with the reason, and read again only when it has changed", async () => {
  const { root, run, row, note } = project({ "a.ipynb": "{", "b.ipynb": notebook() });
  expect(await run()).toMatchObject({ added: 0, skipped: 2 });
  expect((await row("a.ipynb"))?.skipped).toBe("document-damaged");
  expect((await row("b.ipynb"))?.skipped).toBe("document-empty");
  expect(await note()).toBe("0 2");
  expect(await run()).toMatchObject({ skipped: 2 });
  writeFileSync(join(root, "a.ipynb"), notebook("# Tides"));
  expect(await run()).toMatchObject({ changed: 1, skipped: 1 });
  expect(await note()).toBe("0 1");
});

test("a run that ends while it reads documents is continued by the next one", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`${at}.ipynb`, notebook(`# Tides ${at}`)]),
  );
  const { run, row, stored, note } = project(files);
  await expect(run({ endsAfter: 9 })).rejects.toThrow("ended");
  expect(stored().length).toBeGreaterThanOrEqual(8);
  expect(await note()).toMatch(/^\d+ 0$/);
  expect(await run()).toMatchObject({ skipped: 0 });
  expect(stored()).toHaveLength(12);
  for (const path of Object.keys(files)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await row(path)).toMatchObject({ stage: "complete", skipped: null });
  }
  expect(await note()).toBe("0 0");
});

test("a run over a folder reads its documents", async () => {
  const { root, run, row, note } = project({ "docs/a.ipynb": notebook("# Tides") });
  await run();
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(root, "docs/b.ipynb"), "{");
  writeFileSync(join(root, "docs/a.ipynb"), notebook("# Tides", "def height(): pass"));
  expect(await run({ folder: "docs/" })).toMatchObject({ changed: 1, skipped: 1 });
  expect(await row("docs/a.ipynb")).toMatchObject({ symbols: 2 });
  expect(await note()).toBe("0 1");
});
