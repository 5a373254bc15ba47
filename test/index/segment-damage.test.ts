import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createTokenizer } from "../../src/chunk/words.ts";
import { FIELDS, SECTIONS, type Directory } from "../../src/index/format.ts";
import { SegmentReader } from "../../src/index/segment-reader.ts";
import { SegmentWriter } from "../../src/index/segment-writer.ts";
import { diskStorage } from "../../src/index/storage-disk.ts";
import type { Storage } from "../../src/index/storage.ts";
import { tree } from "../helpers/tree.ts";

const LINES = Array.from({ length: 400 }, (_, at) => `function name${at.toString(36)}q(token) {`);

/** A segment on disk after `change` was made to its bytes. */
function call(change: (bytes: Buffer) => Buffer | void): { storage: Storage; name: string } {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const storage = diskStorage(path);
  const writer = new SegmentWriter(createTokenizer());
  for (const name of ["src/a.ts", "src/b.ts"]) {
    const chunks = [
      { startLine: 1, endLine: 400, symbol: "a", names: ["nameq"], kind: "module" },
    ] as const;
    writer.add({
      path: name,
      language: "typescript",
      role: "code",
      flags: 0,
      text: LINES.join("\n"),
      chunks,
    });
  }
  storage.write("s.words", writer.finish());
  const bytes = readFileSync(join(path, "s.words"));
  writeFileSync(join(path, "s.words"), change(bytes) ?? bytes);
  return { storage, name: "s.words" };
}

function opened(change: (bytes: Buffer) => Buffer | void): SegmentReader {
  const { storage, name } = call(change);
  const reader = new SegmentReader(storage, name);
  onTestFinished(() => reader.close());
  return reader;
}

const whole = opened.bind(undefined, () => {});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof SvcError) return thrown.code;
    throw thrown;
  }
  return "no error";
}

/** Reads everything that a search could. */
function readAll(reader: SegmentReader): void {
  for (const field of FIELDS) {
    reader.postings(field, "token");
    for (let at = 0; at < 400; at += 1) reader.postings(field, `name${at.toString(36)}q`);
  }
  reader.bodyLengths();
  reader.fileLengths();
  for (let file = 0; file < reader.files; file += 1) reader.file(file);
  for (let chunk = 0; chunk < reader.chunks; chunk += 1) reader.chunk(chunk);
}

test.each(SECTIONS)("damage in the section %s is refused or named, never a crash", (section) => {
  const { directory } = whole();
  const [offset, length] = directory.sections[section];
  expect(length).toBeGreaterThan(0);
  for (const at of [0, length >> 1, length - 1]) {
    let reader: SegmentReader | undefined;
    const code = codeOf(() => {
      reader = opened((bytes) => {
        const place = offset + at;
        bytes[place] = (bytes[place] ?? 0) ^ 0xff;
      });
      readAll(reader);
    });
    expect(["no error", "INDEX_UNAVAILABLE"]).toContain(code);
    // The blocks are read on opening, so that the damage cannot even be listed.
    expect(reader?.damagedSections() ?? ["blocks"]).toEqual([section]);
  }
});

test("a whole segment has no damaged sections", () => {
  expect(whole().damagedSections()).toEqual([]);
});

test("a file cut anywhere is refused with INDEX_UNAVAILABLE", () => {
  for (const share of [0, 0.001, 0.01, 0.3, 0.9, 0.999]) {
    const cut = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * share));
    expect([share, codeOf(() => opened(cut))]).toEqual([share, "INDEX_UNAVAILABLE"]);
  }
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["text", () => Buffer.from("This is a letter and no index.\n".repeat(50))],
  ["zeros", (bytes) => Buffer.alloc(bytes.length)],
  ["a file with something behind its end", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
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
])("%s is refused with INDEX_UNAVAILABLE and how to mend it", (_, change) => {
  expect(() => opened(change)).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("--rebuild"),
    }),
  );
});

function withNextVersion(bytes: Buffer): Buffer {
  const length = bytes.readUInt32LE(bytes.length - 12);
  const start = bytes.length - 12 - length;
  const directory: Directory = JSON.parse(bytes.toString("utf8", start, start + length));
  const json = Buffer.from(JSON.stringify({ ...directory, version: directory.version + 1 }));
  const footer = Buffer.alloc(12);
  footer.writeUInt32LE(json.length, 0);
  footer.writeUInt32LE(crc32(json), 4);
  bytes.copy(footer, 8, bytes.length - 4);
  return Buffer.concat([bytes.subarray(0, start), json, footer]);
}

test("a segment of another version is refused, though all its checksums fit", () => {
  expect(() => opened(withNextVersion)).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("format"),
    }),
  );
});

test("a segment that was refused is not kept open", () => {
  const { storage, name } = call(() => Buffer.alloc(100));
  let closed = 0;
  const watched: Storage = {
    ...storage,
    open(wanted) {
      const file = storage.open(wanted);
      return {
        ...file,
        close() {
          closed += 1;
          file.close();
        },
      };
    },
  };
  expect(codeOf(() => new SegmentReader(watched, name))).toBe("INDEX_UNAVAILABLE");
  expect(closed).toBe(1);
});
