import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { expect, test } from "vitest";

import { keptIn, merging, replacing, restoring } from "../../engine/fixtures/earlier-files.ts";
import { LARGE, NAMESPACE, numbered, placeToWrite } from "../../engine/fixtures/written-place.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { FORMAT_VERSION, type Directory } from "../../../src/index/embedded/segment/format.ts";
import { PAGE_BYTES } from "../../../src/index/embedded/segment/page-checksums.ts";

/** Returns a segment with another format number in its first bytes, and with matching checksums. */
function withFormat(segment: Buffer, format: number): Buffer {
  const length = segment.readUInt32LE(segment.length - 12);
  const end = segment.length - 12 - length;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own bytes
  const directory = JSON.parse(segment.toString("utf8", end, end + length)) as Directory;
  const [sums] = directory.pageSums;
  const changed = Buffer.from(segment.subarray(0, end));
  changed.writeUInt32LE(format, 4);
  changed.writeUInt32LE(crc32(changed.subarray(0, PAGE_BYTES)), sums);
  const pageSums = [sums, crc32(changed.subarray(sums))];
  const json = Buffer.from(JSON.stringify({ ...directory, pageSums }));
  const footer = Buffer.from(segment.subarray(-12));
  footer.writeUInt32LE(json.length, 0);
  footer.writeUInt32LE(crc32(json), 4);
  return Buffer.concat([changed, json, footer]);
}

test("a merge divides live files from earlier contents, and both can be used", async () => {
  const { data, write, picture, segments } = placeToWrite();
  const staying = numbered("s", 80);
  const names = ["a", "b", "c", "d", "e"];
  await write(replacing(staying));
  // One segment for each letter; half of its files are replaced.
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

test("a segment in an older format is written again, but not while a saved file waits", async () => {
  const { data, write, picture, segments } = placeToWrite();
  const files = numbered("a", 6);
  await write(replacing(files, LARGE));
  const folder = new EmbeddedBackend(data).layout(NAMESPACE).segments;
  const formats = (): readonly number[] =>
    segments().map((name) => readFileSync(join(folder, name)).readUInt32LE(4));
  const [first = ""] = segments();
  const path = join(folder, first);
  writeFileSync(path, withFormat(readFileSync(path), FORMAT_VERSION - 1));
  expect(await picture()).toEqual(files);
  expect(await write((writer) => writer.merge({ quick: true }))).toBe(false);
  expect([segments(), formats()]).toEqual([[first], [FORMAT_VERSION - 1]]);
  await write(merging);
  expect(segments()).not.toContain(first);
  expect(formats()).toEqual([FORMAT_VERSION]);
  expect(await picture()).toEqual(files);
});
