import { crc32 } from "node:zlib";

import { expect, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import { DictionaryReader } from "../../../../src/index/embedded/segment/dictionary-reader.ts";
import {
  FORMAT_VERSION,
  MIN_READABLE_VERSION,
  type Directory,
} from "../../../../src/index/embedded/segment/format.ts";
import { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { memoryFile } from "../../../../src/index/embedded/storage/storage-memory.ts";
import { FILES, segmentBytes } from "../../../engine/fixtures/whole-segment.ts";

const NAME = "s";
const WHOLE = segmentBytes();

function opened(bytes: Buffer): SegmentReader {
  return new SegmentReader(memoryFile(bytes, NAME), NAME);
}

/** The same byte, repeated so often that it looks like an endless varint. */
function run(byte: number): readonly number[] {
  return Array.from({ length: 200 }, () => byte);
}

test("an endless list is refused", () => {
  // A term `a` in the first field, with a count that is too large and a length of zero.
  const terms = Uint8Array.from([0, 1, 0x61, 1, ...run(0xff), 0x7f, ...run(0x80), 0]);
  const dictionary = new DictionaryReader({
    blocks: new Uint32Array(2),
    termsLength: terms.length,
    postingsLength: 10,
    readTerms: (offset, length) => terms.subarray(offset, offset + length),
    readPostings: () => new Uint8Array(10),
  });
  expect(() => dictionary.lookup("a")).toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
  );
});

test("an intact segment has no damaged parts", () => {
  expect(opened(WHOLE).damagedParts()).toEqual([]);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["text", () => Buffer.from("This is a letter and no index.\n".repeat(50))],
  ["zeros", (bytes) => Buffer.alloc(bytes.length)],
  ["a file with extra bytes at its end", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
  [
    "a directory that claims to be longer than the file",
    (bytes) => {
      bytes.writeUInt32LE(0xfffffff0, bytes.length - 12);
      return bytes;
    },
  ],
  [
    "a directory with one bit changed",
    (bytes) => {
      const at = bytes.length - 20;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    },
  ],
])("%s is INDEX_UNAVAILABLE with a hint", (_, change) => {
  expect(() => opened(change(Buffer.from(WHOLE)))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("--rebuild"),
    }),
  );
});

function withVersion(bytes: Buffer, version: number): Buffer {
  const length = bytes.readUInt32LE(bytes.length - 12);
  const start = bytes.length - 12 - length;
  const directory: Directory = JSON.parse(bytes.toString("utf8", start, start + length));
  const json = Buffer.from(JSON.stringify({ ...directory, version }));
  const footer = Buffer.alloc(12);
  footer.writeUInt32LE(json.length, 0);
  footer.writeUInt32LE(crc32(json), 4);
  bytes.copy(footer, 8, bytes.length - 4);
  return Buffer.concat([bytes.subarray(0, start), json, footer]);
}

test.each([FORMAT_VERSION + 1, MIN_READABLE_VERSION - 1])(
  "a segment of another version (%i) is refused, even with right checksums",
  (version) => {
    expect(opened(withVersion(WHOLE, FORMAT_VERSION)).files).toBe(FILES);
    expect(() => opened(withVersion(WHOLE, version))).toThrow(
      expect.objectContaining({
        code: "INDEX_UNAVAILABLE",
        message: expect.stringContaining("format"),
      }),
    );
  },
);

test("a refused segment is closed", () => {
  let closed = 0;
  const file = { ...memoryFile(Buffer.alloc(100), NAME), close: () => void (closed += 1) };
  expect(() => new SegmentReader(file, NAME)).toThrow(SvcError);
  expect(closed).toBe(1);
});
