import { expect, test } from "vitest";

import { keptIn, merging, replacing, restoring } from "../../engine/fixtures/earlier-files.ts";
import { LARGE, numbered, placeToWrite } from "../../engine/fixtures/written-place.ts";

test("a merge divides live files from earlier contents, and both can be used", async () => {
  const { data, write, picture, segments } = placeToWrite();
  const staying = numbered("s", 80);
  const names = ["a", "b", "c", "d", "e"];
  await write(replacing(staying));
  // One segment for each letter, of which half of the files are replaced.
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one segment after the other
    await write(replacing(numbered(name, 6), LARGE));
  }
  const all = Object.assign({}, ...names.map((name) => numbered(name, 6)));
  const switched = Object.assign({}, ...names.map((name) => numbered(name, 3, `${name}x`)));
  await write(replacing(switched, LARGE));
  await write(merging);
  const now = { ...staying, ...all, ...switched };
  expect(await picture()).toEqual(now);
  const { places, unread } = await keptIn(data);
  expect(places).toHaveLength(15);
  expect(unread).toBeGreaterThan(0);
  const before = Object.assign({}, ...names.map((name) => numbered(name, 3)));
  expect(await write(restoring(before))).toEqual([]);
  expect(await picture()).toEqual({ ...staying, ...all });
  await write(merging);
  expect(await picture()).toEqual({ ...staying, ...all });
  expect(await write(restoring(switched))).toEqual([]);
  expect(await picture()).toEqual(now);
  expect(segments().length).toBeLessThan(8);
});

test("segments with earlier contents are merged too, and what is forgotten is no longer in them", async () => {
  const { data, write, picture, segments } = placeToWrite();
  const staying = numbered("s", 300);
  await write(replacing(staying));
  const editions = Array.from({ length: 8 }, (_, at) => numbered("a", 6, `edition${at}`));
  for (const files of editions) {
    // oxlint-disable-next-line no-await-in-loop -- one edition after the other
    await write(replacing(files, LARGE));
  }
  expect(segments()).toHaveLength(8);
  await write(merging);
  expect(segments().length).toBeLessThan(5);
  for (const files of editions) {
    // oxlint-disable-next-line no-await-in-loop -- one edition after the other
    expect(await write(restoring(files))).toEqual([]);
    // oxlint-disable-next-line no-await-in-loop -- one edition after the other
    expect(await picture()).toEqual({ ...staying, ...files });
  }
  expect((await keptIn(data)).places).toHaveLength(42);
});
