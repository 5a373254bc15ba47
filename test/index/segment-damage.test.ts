import { mkdirSync } from "node:fs";
import { crc32 } from "node:zlib";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import type { IndexReader } from "../../src/index/backend.ts";
import { Catalog } from "../../src/index/catalog.ts";
import { DictionaryReader } from "../../src/index/dictionary-reader.ts";
import { EmbeddedBackend } from "../../src/index/embedded-backend.ts";
import { SECTIONS, type Directory, type SectionName } from "../../src/index/format.ts";
import { literal } from "../../src/index/literal-query.ts";
import { SegmentReader } from "../../src/index/segment-reader.ts";
import { SegmentWriter } from "../../src/index/segment-writer.ts";
import { faultyStorage, type Fault } from "../../src/index/storage-fault.ts";
import { memoryFile, memoryStorage } from "../../src/index/storage-memory.ts";
import { pathsWith } from "../engine/fixtures/check-index.ts";
import { tree } from "../helpers/tree.ts";

const FILES = 40;
const NAME = "s";
const NAMESPACE = "n";

/** Sections that are read as a whole, with their checksum; of the others only what is asked for is read. */
const CHECKED: readonly SectionName[] = [
  "blocks",
  "lengths",
  "fileColumns",
  "pathOrder",
  "filePaths",
];

/** A segment of files that share some words, each with words and definitions of its own. */
function segmentBytes(): Buffer {
  const writer = new SegmentWriter();
  for (let file = 0; file < FILES; file += 1) {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `function name${file}x${at}(token) { return shared${at} + rare${file % 7}; }`,
    );
    const chunks = [1, 11].map((startLine) => ({
      startLine,
      endLine: startLine + 9,
      symbol: `name${file}x${startLine - 1}`,
      names: [`name${file}x${startLine - 1}`],
      kind: "function" as const,
    }));
    const symbols = lines.map((_, at) => {
      const name = `name${file}x${at}`;
      const line = { startLine: at + 1, endLine: at + 1 };
      return { name, qualifiedName: name, kind: "function" as const, ...line };
    });
    const path = `src/part${file % 3}/file${file}.ts`;
    const facts = { path, language: "typescript", role: "code", flags: 0 } as const;
    writer.add({ ...facts, bytes: Buffer.from(`${lines.join("\n")}\n`), chunks, symbols });
  }
  return Buffer.concat(writer.finish().parts);
}

const WHOLE = segmentBytes();

function opened(bytes: Buffer): SegmentReader {
  return new SegmentReader(memoryFile(bytes, NAME), NAME);
}

const { directory: DIRECTORY } = opened(WHOLE);

/** Everything that is asked of an index, in words; each question by itself. */
const QUESTIONS: Readonly<Record<string, (reader: IndexReader) => Promise<unknown>>> = {
  "a common word": (reader) => pathsWith(reader, "token"),
  "rare words": (reader) => pathsWith(reader, "rare3", "shared7", "name12x4"),
  "the share of code": (reader) => reader.codeShare(),
  "a symbol": (reader) => reader.symbolsNamed("name7x3", 9),
  "another symbol": (reader) => reader.symbolsNamed("NAME31X19", 9),
  "names that begin so": (reader) => reader.symbolNames("name3", 50),
  "a text": async (reader) => {
    const found: unknown[] = [];
    for await (const file of reader.textCandidates(literal("rare5; }"), {})) found.push(file);
    return found;
  },
  "any text": async (reader) => {
    const found: unknown[] = [];
    for await (const file of reader.textCandidates({ kind: "all" }, {})) found.push(file);
    return found;
  },
};

/** Asks every question of an index with this one segment behind faults. */
async function answers(
  data: string,
  faults: readonly Fault[],
): Promise<Readonly<Record<string, unknown>>> {
  const storage = memoryStorage();
  storage.write(NAME, [WHOLE]);
  const found: Record<string, unknown> = {};
  for (const [question, ask] of Object.entries(QUESTIONS)) {
    const backend = new EmbeddedBackend(data, () => faultyStorage(storage, faults));
    try {
      // oxlint-disable-next-line no-await-in-loop -- each question of an index that is opened for it
      const reader = await backend.reader(NAMESPACE);
      // oxlint-disable-next-line no-await-in-loop -- as above
      found[question] = JSON.stringify(reader && (await ask(reader)));
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.hint === undefined) throw thrown;
      found[question] = thrown.code;
    } finally {
      backend.close();
    }
  }
  return found;
}

/** A data directory whose one index has this segment in its catalogue. */
function indexed(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const layout = new EmbeddedBackend(path).layout(NAMESPACE);
  mkdirSync(layout.directory, { recursive: true });
  const catalog = Catalog.openToWrite(layout.catalog);
  catalog.publish(
    () => void catalog.addSegment({ name: NAME, files: FILES, bytes: WHOLE.length }, null),
  );
  catalog.close();
  return path;
}

function sectionAt(offset: number): SectionName | "directory" | undefined {
  const name = SECTIONS.find((section) => {
    const [start, length] = DIRECTORY.sections[section];
    return offset >= start && offset < start + length;
  });
  if (name !== undefined) return name;
  const [start, length] = DIRECTORY.sections["trigramPostings"];
  // Between sections, and before the first, there is nothing that is read.
  return offset >= start + length + 8 ? "directory" : undefined;
}

const flip = fc.record({
  flips: fc.oneof(
    fc.integer({ min: 0, max: WHOLE.length - 1 }),
    // The small sections as often as the large ones.
    ...SECTIONS.map((section) => {
      const [start, length] = DIRECTORY.sections[section];
      return fc.integer({ min: start, max: start + length - 1 });
    }),
  ),
  mask: fc.integer({ min: 1, max: 255 }),
});

test("a flipped byte: the right answer or INDEX_UNAVAILABLE; verify names the section", async () => {
  const data = indexed();
  const right = await answers(data, []);
  expect(Object.values(right)).not.toContain("INDEX_UNAVAILABLE");
  await fc.assert(
    fc.asyncProperty(flip, async ({ flips, mask }) => {
      const section = sectionAt(flips);
      const found = await answers(data, [{ on: "read", flips, mask }]);
      // Of a section that is read in parts the checksum is seen by `verify` alone.
      const isChecked = section === undefined || section === "directory";
      if (isChecked || CHECKED.includes(section)) {
        for (const [question, answer] of Object.entries(found)) {
          expect([right[question], "INDEX_UNAVAILABLE"]).toContain(answer);
        }
      }
      const storage = memoryStorage();
      storage.write(NAME, [WHOLE]);
      const file = faultyStorage(storage, [{ on: "read", flips, mask }]).open(NAME);
      let damaged: readonly string[] | undefined;
      try {
        damaged = new SegmentReader(file, NAME).damagedSections();
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "INDEX_UNAVAILABLE", hint: expect.any(String) });
      }
      // What is read when a segment is opened refuses it before it can be verified.
      const isSound = section === undefined;
      expect(damaged ?? [section]).toEqual(isSound ? [] : [section]);
    }),
    { numRuns: 400 },
  );
}, 60_000);

test("damaged stretches: never a crash, never without end", async () => {
  const data = indexed();
  const stretch = fc.record({
    section: fc.constantFrom(...SECTIONS),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.constantFrom(4, 64, 512, 4096),
    fill: fc.constantFrom(0x00, 0x7f, 0x80, 0xff, undefined),
  });
  await fc.assert(
    fc.asyncProperty(stretch, async ({ section, at, length, fill }) => {
      const [start, size] = DIRECTORY.sections[section];
      const from = start + Math.floor(at * size);
      const to = Math.min(from + length, start + size);
      const faults = Array.from({ length: to - from }, (_, step): Fault => {
        const byte = WHOLE[from + step] ?? 0;
        const wanted = fill ?? (byte * 167 + step * 13 + 41) & 0xff;
        return { on: "read", flips: from + step, mask: byte ^ wanted };
      });
      expect(Object.keys(await answers(data, faults))).toEqual(Object.keys(QUESTIONS));
    }),
    { numRuns: 150 },
  );
}, 60_000);

test("a read that fails, or a file that is cut, is INDEX_UNAVAILABLE or does not matter", async () => {
  const data = indexed();
  const right = await answers(data, []);
  const faults: Fault[] = [
    ...Array.from({ length: 30 }, (_, at): Fault => ({ on: "read", nth: at + 1, fails: "EIO" })),
    ...Array.from({ length: 30 }, (_, at): Fault => ({ on: "read", nth: at + 1, cutsTo: 100 })),
    ...[0, 1, 19, 20, 0.3, 0.5, 0.9, 0.999].map(
      (share): Fault => ({
        on: "open",
        cutsTo: share < 1 ? Math.floor(WHOLE.length * share) : share,
      }),
    ),
    { on: "open", fails: "EACCES" },
  ];
  for (const fault of faults) {
    // oxlint-disable-next-line no-await-in-loop -- one fault after the other
    const found = await answers(data, [fault]);
    for (const [question, answer] of Object.entries(found)) {
      expect([right[question], "INDEX_UNAVAILABLE"]).toContain(answer);
    }
    if (fault.on === "open") expect(new Set(Object.values(found))).toEqual(new Set(["INDEX_UNAVAILABLE"]));
  }
}, 60_000);

test("a list that would have no end is refused", () => {
  // A term `a` in the first field, with a count beyond all numbers and a length that is none.
  const run = (byte: number): number[] => Array.from({ length: 200 }, () => byte);
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

test("a whole segment has no damaged sections", () => {
  expect(opened(WHOLE).damagedSections()).toEqual([]);
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
  expect(() => opened(change(Buffer.from(WHOLE)))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("--rebuild"),
    }),
  );
});

function withVersion(bytes: Buffer, step: number): Buffer {
  const length = bytes.readUInt32LE(bytes.length - 12);
  const start = bytes.length - 12 - length;
  const directory: Directory = JSON.parse(bytes.toString("utf8", start, start + length));
  const json = Buffer.from(JSON.stringify({ ...directory, version: directory.version + step }));
  const footer = Buffer.alloc(12);
  footer.writeUInt32LE(json.length, 0);
  footer.writeUInt32LE(crc32(json), 4);
  bytes.copy(footer, 8, bytes.length - 4);
  return Buffer.concat([bytes.subarray(0, start), json, footer]);
}

test.each([1, -1])("a segment of another version (%i) is refused, though its checksums fit", (step) => {
  expect(opened(withVersion(WHOLE, 0)).files).toBe(FILES);
  expect(() => opened(withVersion(WHOLE, step))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("format"),
    }),
  );
});

test("a segment that was refused is not kept open", () => {
  let closed = 0;
  const file = { ...memoryFile(Buffer.alloc(100), NAME), close: () => void (closed += 1) };
  expect(() => new SegmentReader(file, NAME)).toThrow(SvcError);
  expect(closed).toBe(1);
});
