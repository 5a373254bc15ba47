// The writer merges several segments: only the segments change.
import { cpSync, rmSync } from "node:fs";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { IndexWriter } from "../../../src/index/port.ts";
import type { Fault } from "../../../src/index/embedded/storage/storage-fault.ts";
import { look } from "../../engine/fixtures/check-index.ts";
import {
  adding,
  LARGE,
  NAMESPACE,
  numbered,
  placeAt,
  placeToWrite,
  type Place,
} from "../../engine/fixtures/written-place.ts";
import { tree } from "../../helpers/tree.ts";

test("merging changes no result and leaves no file behind", async () => {
  const { write, picture, segments, data } = placeToWrite();
  const files = numbered("f", 12);
  for (const [path, name] of Object.entries(files)) {
    // oxlint-disable-next-line no-await-in-loop -- one segment after the other
    await write(adding({ [path]: name }));
  }
  await write(adding(numbered("g", 6), LARGE));
  await write(adding(numbered("g", 4, "h"), LARGE));
  const whole = { ...files, ...numbered("g", 6), ...numbered("g", 4, "h") };
  expect(await picture()).toEqual(whole);
  let steps = 0;
  await write(async (writer) => {
    // oxlint-disable-next-line no-await-in-loop -- one merge after the other
    for (; await writer.merge(); steps += 1) expect(await picture()).toEqual(whole);
  });
  expect(steps).toBeGreaterThan(1);
  const left = await look(data, NAMESPACE, async ({ catalog }) => catalog.segments.all());
  expect(left?.length).toBeLessThan(8);
  expect(segments()).toEqual(left?.flatMap(({ name, isRow }) => (isRow ? [] : [name])).toSorted());
});

const LETTERS = ["a", "b", "c", "d"];
const WHOLE: Readonly<Record<string, string>> = Object.assign(
  {},
  ...LETTERS.map((letter) => numbered(letter, 6)),
);
let template = "";

beforeAll(async () => {
  const { path } = tree();
  template = path;
  // oxlint-disable-next-line no-await-in-loop -- one segment after the other
  for (const letter of LETTERS) await placeAt(path).write(adding(numbered(letter, 6), LARGE));
});

afterAll(() => rmSync(template, { recursive: true }));

/** Four segments stored as files, which the next step merges. */
function mergeable(): Place {
  const place = placeToWrite();
  cpSync(template, place.data, { recursive: true });
  return place;
}

const merge = (writer: IndexWriter): Promise<boolean> => writer.merge();

test.each<[string, Fault]>([
  ["cannot be written", { on: "write", nth: 1, fails: "ENOSPC" }],
  ["is torn", { on: "write", nth: 1, tearsAfter: 1 }],
  ["cannot be opened", { on: "open", nth: 3, fails: "EACCES" }],
  ["cannot be read", { on: "read", nth: 3, fails: "EIO" }],
])("a merge whose segment %s changes nothing, and can be repeated", async (_, fault) => {
  const place = mergeable();
  const before = place.segments();
  await expect(place.write(merge, [fault])).rejects.toMatchObject({ hint: expect.any(String) });
  expect(await place.picture()).toEqual(WHOLE);
  expect(await place.write(merge)).toBe(true);
  expect(await place.picture()).toEqual(WHOLE);
  expect(before).toHaveLength(4);
  expect(place.segments()).toHaveLength(1);
});

test("a merge of a damaged segment fails, because the checksums of the new one would be right", async () => {
  const place = mergeable();
  for (const flips of [100, 50_000, 200_000]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(place.write(merge, [{ on: "read", flips, mask: 1 }])).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("--rebuild"),
    });
  }
  expect(await place.picture()).toEqual(WHOLE);
});
