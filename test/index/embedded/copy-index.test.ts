import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { copyIndexFiles, placeIndex } from "../../../src/index/embedded/copy-index.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { takeWriterLock } from "../../../src/index/embedded/writer-lock.ts";
import { authorized } from "../../helpers/authorized.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { tree } from "../../helpers/tree.ts";

const NAMESPACE = "project";

async function indexed() {
  const one = indexedTree({ ...manyWords(), "zoo.md": "# Zoo\n\nThe aardvark sleeps.\n" });
  await one.run();
  onTestFinished(one.dispose);
  const target = tree();
  onTestFinished(target.dispose);
  return {
    one,
    from: indexLayout(one.data, NAMESPACE),
    draft: indexLayout(join(target.path, "draft"), NAMESPACE),
    target: target.path,
  };
}

test("a copy is sound, has the files under their new source, and the original is as before", async () => {
  const { one, from, draft, target } = await indexed();
  writeFileSync(join(one.root, "new.md"), "The badger digs.\n");
  await one.run();
  copyIndexFiles(from, draft, new Map([[1, 7]]));
  placeIndex(draft, target, NAMESPACE);
  expect(existsSync(draft.directory)).toBe(false);
  expect(await new EmbeddedBackend(target).verify(authorized(NAMESPACE))).toEqual([]);
  expect(await new EmbeddedBackend(one.data).verify(authorized(NAMESPACE))).toEqual([]);
  const rows = (data: string) => {
    const catalog = Catalog.openToRead(indexLayout(data, NAMESPACE).catalog);
    onTestFinished(() => catalog?.close());
    return catalog?.files.all() ?? [];
  };
  expect(rows(target).length).toBeGreaterThan(1);
  expect(rows(target)).toEqual(rows(one.data).map((row) => ({ ...row, source: 7 })));
});

test("an interrupted copy is done again, and an index that is there is not replaced", async () => {
  const { from, draft, target } = await indexed();
  copyIndexFiles(from, draft, new Map());
  copyIndexFiles(from, draft, new Map());
  placeIndex(draft, target, NAMESPACE);
  copyIndexFiles(from, draft, new Map());
  expect(() => placeIndex(draft, target, NAMESPACE)).toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE", hint: expect.stringContaining("remove") }),
  );
});

test("an index that is being written is not copied", async () => {
  const { from, draft } = await indexed();
  const release = await takeWriterLock(from, { waitMs: 0 });
  onTestFinished(() => release?.());
  expect(() => copyIndexFiles(from, draft, new Map())).toThrow(/Another svc process is writing/);
});
