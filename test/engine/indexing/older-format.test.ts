import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { baselineKeeper } from "../../../src/index/embedded/change-log/segment-fingerprints.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { SCHEMA_VERSION } from "../../../src/index/embedded/catalog/catalog-schema.ts";
import { MIN_READABLE_VERSION, REREAD_BELOW } from "../../../src/index/embedded/segment/format.ts";
import { diskStorage } from "../../../src/index/embedded/storage/storage-disk.ts";
import { authorized } from "../../helpers/authorized.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";
import { manyWords } from "../../helpers/many-words.ts";

const NAMESPACE = "project";

/** An index of a tree, as if an svc with this segment format had written it. */
async function indexOfFormat(format: number) {
  const project = indexedTree({
    ...manyWords(),
    "one.ts": "export function kept() {}\nexport function gone() {}\n",
  });
  onTestFinished(project.dispose);
  await project.run();
  const backend = new EmbeddedBackend(project.data);
  onTestFinished(() => backend.close());
  const { catalog, segments } = backend.layout(NAMESPACE);
  const db = new DatabaseSync(catalog);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION * 1000 + format}`);
  db.close();
  const stages = async (): Promise<unknown> => {
    const reader = await backend.reader(authorized(NAMESPACE));
    return (await reader?.summary())?.stages;
  };
  return { ...project, backend, catalog, segments, stages };
}

test.each([MIN_READABLE_VERSION, REREAD_BELOW - 1])(
  "the files of an index in format %s are read again, and until then it answers",
  async (format) => {
    const { root, run, backend, catalog, segments, stages } = await indexOfFormat(format);
    expect(await backend.isOutdated(NAMESPACE)).toBe(true);
    expect(await stages()).toMatchObject({ complete: 9, words: 0 });
    const beforeLosing = baselineKeeper(diskStorage(segments));
    Catalog.openToWrite(catalog, { beforeLosing }).close();
    // A run that was killed at its beginning leaves this.
    expect(await stages()).toMatchObject({ complete: 0, words: 9 });
    const reader = await backend.reader(authorized(NAMESPACE));
    expect((await reader?.symbolsNamed("gone", 1))?.map(({ path }) => path)).toEqual(["one.ts"]);
    writeFileSync(join(root, "one.ts"), "export function kept() {}\n");
    expect(await run()).toMatchObject({ changed: 1, unchanged: 8, outcome: "done" });
    expect(await stages()).toMatchObject({ complete: 9, words: 0 });
    expect(await backend.isOutdated(NAMESPACE)).toBe(false);
    expect(await backend.verify(authorized(NAMESPACE))).toEqual([]);
    const changes = await (await backend.changeLog(authorized(NAMESPACE)))?.after(1, 10, []);
    expect(changes).toMatchObject([
      {
        kind: "changed",
        path: "one.ts",
        detail: { symbols: [{ change: "removed", name: "gone" }] },
      },
    ]);
  },
);

test("an index in the oldest format whose files need not be read again stays as it is", async () => {
  const { run, backend, stages } = await indexOfFormat(REREAD_BELOW);
  expect(await backend.isOutdated(NAMESPACE)).toBe(false);
  expect(await run()).toMatchObject({ changed: 0, unchanged: 9 });
  expect(await stages()).toMatchObject({ complete: 9, words: 0 });
});
