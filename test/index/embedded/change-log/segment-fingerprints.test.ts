import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../../src/index/embedded/backend.ts";
import { authorized } from "../../../helpers/authorized.ts";
import { indexedTree } from "../../../helpers/indexed-tree.ts";
import { manyWords } from "../../../helpers/many-words.ts";

const NAMESPACE = "project";

/** An index of a real tree, whose segment is a file, and the files with rows in its change log. */
async function indexed() {
  const project = indexedTree({
    ...manyWords(),
    "one.ts": "export function kept() {}\nexport function gone() {}\n",
    "two.ts": "export function other() {}\n",
  });
  onTestFinished(project.dispose);
  await project.run();
  const { catalog, segments } = new EmbeddedBackend(project.data).layout(NAMESPACE);
  return {
    run: project.run,
    write: (path: string, text: string) => writeFileSync(join(project.root, path), text),
    remove: (path: string) => rmSync(join(project.root, path)),
    segments: () => readdirSync(segments).map((name) => join(segments, name)),
    rows: (): readonly string[] => {
      const db = new DatabaseSync(catalog, { readOnly: true });
      const rows = db.prepare("SELECT path FROM baseline ORDER BY path").all();
      db.close();
      return rows.map(({ path }) => String(path));
    },
    changes: async () => {
      const backend = new EmbeddedBackend(project.data);
      const log = await backend.changeLog(authorized(NAMESPACE));
      const changes = (await log?.after(1, 10, [])) ?? [];
      backend.close();
      return changes.map(({ kind, path, detail }) => ({ kind, path, ...detail }));
    },
  };
}

test("what is indexed needs no rows in the change log, before and after changes", async () => {
  const { write, remove, run, rows, changes } = await indexed();
  expect(rows()).toEqual([]);
  write("one.ts", "export function kept() {}\nexport function added() { return 1; }\n");
  remove("two.ts");
  await run();
  expect(rows()).toEqual([]);
  expect(await changes()).toMatchObject([
    {
      kind: "changed",
      path: "one.ts",
      symbols: [
        { change: "added", name: "added" },
        { change: "removed", name: "gone" },
      ],
    },
    { kind: "removed", path: "two.ts", symbols: [{ change: "removed", name: "other" }] },
  ]);
});

test("a rebuild keeps what the change log compares with, and drops it when it is indexed again", async () => {
  const { write, run, rows, changes } = await indexed();
  write("one.ts", "export function kept() {}\n");
  await run({ rebuild: true });
  expect(rows()).toEqual([]);
  expect(await changes()).toMatchObject([
    { kind: "changed", path: "one.ts", symbols: [{ change: "removed", name: "gone" }] },
  ]);
});

test("of files in a damaged segment, the next change is reported without what it was before", async () => {
  const { write, run, rows, changes, segments } = await indexed();
  for (const path of segments()) {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, 8, bytes.length >> 1));
  }
  write("one.ts", "export function kept() {}\n");
  await run({ quarantine: "damaged" });
  expect(rows()).toEqual([]);
  expect(await changes()).toMatchObject([{ kind: "changed", path: "one.ts", unread: true }]);
});
