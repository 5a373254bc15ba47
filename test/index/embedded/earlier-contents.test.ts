import { expect, test } from "vitest";

import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { keptIn, replacing, restoring } from "../../engine/fixtures/earlier-files.ts";
import { LARGE, NAMESPACE, numbered, placeToWrite } from "../../engine/fixtures/written-place.ts";

const MEGABYTE = 1 << 20;
const EDITIONS = ["one", "two", "three", "four", "five", "six"];

/** A few other files are a small share of many files that stay. */
const STAYING = numbered("s", 60);

test("files that are switched back have their content without being written again", async () => {
  const { data, write, picture, segments } = placeToWrite();
  const [one, other] = [numbered("a", 6, "one"), numbered("a", 6, "two")];
  await write(replacing(STAYING));
  await write(replacing(one, LARGE));
  await write(replacing(other, LARGE));
  expect(await picture()).toEqual({ ...STAYING, ...other });
  const before = segments();
  expect(before.length).toBe(2);
  for (const [names, replaced] of [
    [one, "two"],
    [other, "one"],
    [one, "two"],
  ] as const) {
    /* oxlint-disable no-await-in-loop -- one switch after the other */
    expect(await write(restoring(names))).toEqual([]);
    expect(await picture()).toEqual({ ...STAYING, ...names });
    const { places, unread } = await keptIn(data);
    expect(places.map(({ path }) => path).toSorted()).toEqual(Object.keys(names).toSorted());
    // Queries do not read a segment that has only the other contents.
    expect([replaced, unread]).toEqual([replaced, 1]);
    expect(segments()).toEqual(before);
    /* oxlint-enable no-await-in-loop */
  }
});

test("of more than a fifth of the bytes, what was replaced first is forgotten", async () => {
  const { data, write, picture, segments } = placeToWrite();
  await write(replacing(STAYING, 0, MEGABYTE));
  for (const name of EDITIONS) {
    // oxlint-disable-next-line no-await-in-loop -- one edition after the other
    await write(replacing(numbered("a", 6, name), LARGE, MEGABYTE));
  }
  expect(await picture()).toEqual({ ...STAYING, ...numbered("a", 6, "six") });
  const { places } = await keptIn(data);
  expect(places.length).toBeGreaterThan(5);
  expect(places.length).toBeLessThanOrEqual((STAYING_COUNT + 6) / 4);
  expect(await write(restoring(numbered("a", 6, "one"), MEGABYTE))).toHaveLength(6);
  expect(await write(restoring(numbered("a", 6, "five"), MEGABYTE))).toEqual([]);
  // No unneeded segment remains.
  expect(segments().length).toBeLessThanOrEqual(4);
});

test("a small project keeps more than a fifth, up to 4 MB", async () => {
  const { data, write } = placeToWrite();
  for (const name of EDITIONS) {
    // oxlint-disable-next-line no-await-in-loop -- one edition after the other
    await write(replacing(numbered("a", 6, name), LARGE, MEGABYTE / 4));
  }
  // Six editions of 1.5 MB: the second to last, and most of its predecessor.
  expect((await keptIn(data)).places).toHaveLength(16);
  expect(await write(restoring(numbered("a", 6, "five"), MEGABYTE / 4))).toEqual([]);
  expect(await write(restoring(numbered("a", 6, "one"), MEGABYTE / 4))).toHaveLength(6);
});

const STAYING_COUNT = Object.keys(STAYING).length;

test("a file that was removed gets its content back; an incomplete or unchanged one is not kept", async () => {
  const { data, write, picture } = placeToWrite();
  await write(replacing({ ...STAYING, "a.ts": "alpha" }));
  await write(async (writer) => {
    writer.earlier?.keepReplaced();
    writer.remove("a.ts");
    await writer.commit();
  });
  expect(await picture()).toEqual(STAYING);
  await write(replacing({ "s0.ts": "s0" }));
  expect((await keptIn(data)).places).toMatchObject([{ path: "a.ts" }]);
  expect(await write(restoring({ "a.ts": "alpha" }))).toEqual([]);
  expect(await picture()).toEqual({ ...STAYING, "a.ts": "alpha" });
  expect((await keptIn(data)).places).toEqual([]);
});

test("without many changed files nothing is kept", async () => {
  const { data, write } = placeToWrite();
  await write(replacing({ ...STAYING, "a.ts": "alpha" }));
  await write(async (writer) => {
    writer.remove("a.ts");
    await writer.commit();
  });
  expect(await keptIn(data)).toEqual({ places: [], unread: 0 });
});

test("a content whose segment an earlier svc has removed is written again", async () => {
  const { data, write, picture } = placeToWrite();
  const [one, other] = [numbered("a", 6, "one"), numbered("a", 6, "two")];
  await write(replacing(STAYING));
  await write(replacing(one, LARGE));
  await write(replacing(other, LARGE));
  const { catalog: path } = indexLayout(data, NAMESPACE);
  const catalog = Catalog.openToWrite(path);
  catalog.change(() => {
    const [gone] = catalog.segments.all().filter(({ tombstones }) => !tombstones.includes(0));
    catalog.segments.remove(gone?.id ?? -1);
  });
  catalog.close();
  expect((await keptIn(data)).places).toHaveLength(6);
  expect(await write(restoring(one))).toEqual(Object.keys(one));
  await write(replacing(one, LARGE));
  expect(await picture()).toEqual({ ...STAYING, ...one });
  // The index forgets contents that are no longer usable.
  const { places } = await keptIn(data);
  expect(new Set(places.map(({ generation }) => generation)).size).toBe(1);
});
