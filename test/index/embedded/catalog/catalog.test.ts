import { copyFileSync, statSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { Catalog, REPLICA_KEY } from "../../../../src/index/embedded/catalog/catalog.ts";
import { SCHEMA_VERSION } from "../../../../src/index/embedded/catalog/catalog-schema.ts";
import type { PlacedFile, StoredFileRow } from "../../../../src/index/embedded/catalog/file-row.ts";
import { noteKey } from "../../../../src/index/embedded/catalog/meta-keys.ts";
import { REREAD_BELOW } from "../../../../src/index/embedded/segment/format.ts";
import { tree } from "../../../helpers/tree.ts";

function place(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return join(path, "catalog.db");
}

/** A catalogue open for writing, and a second connection for reading. */
function call(): { catalog: Catalog; reader: Catalog; path: string } {
  const path = place();
  const catalog = Catalog.openToWrite(path);
  const reader = Catalog.openToRead(path);
  if (reader === undefined) throw new Error("the catalogue was created above");
  onTestFinished(() => {
    reader.close();
    catalog.close();
  });
  return { catalog, reader, path };
}

function row(path: string, more: Partial<PlacedFile> = {}): StoredFileRow {
  return {
    path,
    source: 1,
    size: 10,
    mtimeMs: 1_700_000_000_123.456_5,
    inode: 2 ** 52 + 1,
    hash: "h",
    indexedMs: 1_700_000_001_000,
    language: "typescript",
    role: "tests",
    flags: 5,
    stage: "complete",
    hasContent: more.segment !== null,
    segment: 1,
    ordinal: 0,
    chunks: 2,
    symbols: 1,
    skipped: null,
    ...more,
  };
}

const LISTED = { stage: "listed", segment: null, ordinal: null, chunks: 0, symbols: 0 } as const;

test("a file row is read back unchanged, including fractions of milliseconds and large inodes", () => {
  const { catalog, reader } = call();
  const indexed = row("src/a.ts");
  const skipped = row("b.png", { ...LISTED, stage: "complete", language: "", skipped: "binary" });
  catalog.publish(() => [indexed, skipped].forEach((one) => catalog.files.put(one)));
  expect(reader.files.get("src/a.ts")).toEqual(indexed);
  expect(reader.files.all()).toEqual([skipped, indexed]);
  expect(reader.files.get("nothing")).toBeUndefined();
  expect(reader.files.totals()).toEqual({ files: 1, chunks: 2, symbols: 1, bytes: 10 });
  expect(reader.files.skippedCounts()).toEqual({ binary: 1 });
  expect(reader.files.skipped(5)).toEqual([{ path: "b.png", reason: "binary" }]);
});

test("files are counted by stage, and listed files are returned in order", () => {
  const { catalog, reader } = call();
  const rows = [
    row("z.ts", LISTED),
    row("a.ts", LISTED),
    row("w.ts", { stage: "words" }),
    row("c.ts"),
    row("big.bin", { ...LISTED, stage: "complete", skipped: "large" }),
  ];
  catalog.publish(() => rows.forEach((one) => catalog.files.put(one)));
  expect(reader.files.stageCounts()).toEqual({ listed: 2, words: 1, complete: 1 });
  expect(reader.files.listed().map(({ path }) => path)).toEqual(["a.ts", "z.ts"]);
  expect(reader.files.totals().files).toBe(2);
  catalog.publish(() => catalog.files.move("w.ts", 7, 3));
  expect(reader.files.get("w.ts")).toEqual(row("w.ts", { stage: "words", segment: 7, ordinal: 3 }));
});

test("resetToWords resets complete files with indexed content, and no others", () => {
  const { catalog, reader } = call();
  const rows = [
    row("big.bin", { ...LISTED, stage: "complete", skipped: "large" }),
    row("complete.ts"),
    row("listed.ts", LISTED),
    row("words.ts", { stage: "words" }),
  ];
  catalog.publish(() => rows.forEach((one) => catalog.files.put(one)));
  catalog.change(() => catalog.files.resetToWords());
  expect(reader.files.all()).toEqual(
    rows.map((one) => (one.path === "complete.ts" ? { ...one, stage: "words" } : one)),
  );
});

test("removeMeta deletes the keys with exactly this prefix", () => {
  const { catalog, reader } = call();
  const keys = ["note scan", "note ", "Note scan", "notescan", "a note", "note_scan", "embedder"];
  catalog.change(() => keys.forEach((key) => catalog.setMeta(key, "set")));
  catalog.change(() => catalog.removeMeta("note "));
  expect(keys.filter((key) => reader.meta(key) === undefined)).toEqual(["note scan", "note "]);
});

test("each published change increases the generation by one", () => {
  const { catalog, reader } = call();
  expect(reader.generation()).toBe(0);
  expect(catalog.publish(() => {})).toBe(1);
  expect(catalog.publish(() => catalog.files.put(row("a")))).toBe(2);
  expect(reader.generation()).toBe(2);
  expect(reader.isSound()).toBe(true);
  expect(reader.meta("indexed_at")).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test("a change that throws is rolled back", () => {
  const { catalog, reader } = call();
  catalog.publish(() => catalog.files.put(row("kept")));
  const change = (): void => {
    catalog.files.put(row("new"));
    catalog.files.remove("kept");
    catalog.segments.add({ name: "s", files: 1, bytes: 1 }, Uint8Array.of(1));
    throw new Error("half way");
  };
  expect(() => catalog.publish(change)).toThrow("half way");
  for (const one of [catalog, reader]) {
    expect(one.files.all().map(({ path }) => path)).toEqual(["kept"]);
    expect([one.generation(), one.segments.all(), one.segments.body("s")]).toEqual([
      1,
      [],
      undefined,
    ]);
  }
  expect(catalog.publish(() => {})).toBe(2);
});

test("another connection sees a change, and a new data version, only after it is published", () => {
  const { catalog, reader } = call();
  const before = reader.dataVersion();
  catalog.publish(() => {
    catalog.files.put(row("a"));
    expect([reader.dataVersion(), reader.files.all()]).toEqual([before, []]);
  });
  expect(reader.dataVersion()).not.toBe(before);
  expect(reader.dataVersion()).toBe(reader.dataVersion());
  expect(reader.files.all()).toHaveLength(1);
});

test("a snapshot does not change while others publish", () => {
  const { catalog, reader } = call();
  const seen = reader.snapshot(() => {
    const before = reader.generation();
    catalog.publish(() => catalog.files.put(row("a")));
    return [before, reader.generation(), reader.files.all().length];
  });
  expect(seen).toEqual([0, 0, 0]);
  expect(reader.generation()).toBe(1);
});

test("segments are listed in insertion order with their tombstones", () => {
  const { catalog, reader } = call();
  const ids: number[] = [];
  catalog.publish(() => {
    for (const name of ["z", "a"]) {
      ids.push(catalog.segments.add({ name, files: 3, bytes: 100 }, null));
    }
    catalog.segments.setTombstones(ids[1] ?? 0, Uint8Array.of(0, 1, 0));
  });
  expect(reader.segments.all().map(({ name, tombstones }) => [name, ...tombstones])).toEqual([
    ["z", 0, 0, 0],
    ["a", 0, 1, 0],
  ]);
  catalog.publish(() => catalog.segments.remove(ids[0] ?? 0));
  expect(reader.segments.all().map(({ name }) => name)).toEqual(["a"]);
});

test("a small segment is stored as a row, and its bytes are read back unchanged", () => {
  const { catalog, reader } = call();
  const body = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
  catalog.publish(() => {
    catalog.segments.add({ name: "row", files: 1, bytes: body.length }, body);
    catalog.segments.add({ name: "file", files: 1, bytes: 9 }, null);
  });
  expect(reader.segments.all().map(({ name, isRow }) => [name, isRow])).toEqual([
    ["row", true],
    ["file", false],
  ]);
  expect(Buffer.compare(reader.segments.body("row") ?? Buffer.alloc(0), body)).toBe(0);
  expect([reader.segments.body("file"), reader.segments.body("none")]).toEqual([
    undefined,
    undefined,
  ]);
});

test("updates of unchanged files create no new generation", () => {
  const { catalog, reader } = call();
  catalog.publish(() => catalog.files.put(row("a")));
  catalog.change(() => catalog.files.put(row("a", { mtimeMs: 5.25 })));
  catalog.change(() => catalog.setMeta("note scan", "as before"));
  expect([reader.generation(), reader.files.get("a")?.mtimeMs]).toEqual([1, 5.25]);
  expect(reader.meta("note scan")).toBe("as before");
});

test("there is nothing to read before the first write", () => {
  expect(Catalog.openToRead(place())).toBeUndefined();
});

test("a catalogue whose creator was killed counts as missing, and the next writer creates it", () => {
  const [whole, killed] = [place(), place()];
  const db = new DatabaseSync(whole);
  db.exec("PRAGMA cache_size = 1; CREATE TABLE big (text TEXT); BEGIN");
  for (let at = 0; at < 100; at += 1) db.exec(`INSERT INTO big VALUES ('${"x".repeat(5000)}')`);
  // The files on disk during a transaction are those that a kill would leave.
  for (const end of ["", "-journal"]) copyFileSync(whole + end, killed + end);
  db.close();
  expect(Catalog.openToRead(killed)).toBeUndefined();
  const catalog = Catalog.openToWrite(killed);
  onTestFinished(() => catalog.close());
  expect([catalog.publish(() => {}), catalog.isSound()]).toEqual([1, true]);
});

test("a catalogue of another version cannot be read, and a writer recreates it", () => {
  const path = place();
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE file (unlike TEXT); CREATE TABLE later (x); PRAGMA user_version = 99");
  other.close();
  expect(Catalog.openToRead(path)).toBeUndefined();
  const catalog = Catalog.openToWrite(path);
  onTestFinished(() => catalog.close());
  catalog.publish(() => catalog.files.put(row("a")));
  expect([catalog.generation(), catalog.files.all().length]).toEqual([1, 1]);
});

/** A catalogue with a file, a note and a mark of another store, in an older segment format. */
function older(format: number): string {
  const path = place();
  const catalog = Catalog.openToWrite(path);
  catalog.publish(() => {
    catalog.files.put(row("a"));
    catalog.setMeta(noteKey("scan"), "all");
    catalog.setMeta(REPLICA_KEY, "mark");
  });
  catalog.close();
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION * 1000 + format}`);
  db.close();
  return path;
}

test.each([
  ["stays as it is", REREAD_BELOW, { stage: "complete", note: "all" }],
  ["has its files read again", REREAD_BELOW - 1, { stage: "words", note: undefined }],
] as const)("an older format that can be read %s, and gets the current one", (_, format, after) => {
  const path = older(format);
  const reader = Catalog.openToRead(path);
  expect([reader?.isCurrent, reader?.isOutdated]).toEqual([false, format < REREAD_BELOW]);
  reader?.close();
  const lost: boolean[] = [];
  const catalog = Catalog.openToWrite(path, {
    beforeLosing: ({ isOutdated }) => lost.push(isOutdated),
  });
  onTestFinished(() => catalog.close());
  expect([catalog.isCurrent, catalog.isOutdated, catalog.generation()]).toEqual([true, false, 1]);
  expect(catalog.files.get("a")?.stage).toBe(after.stage);
  expect(catalog.meta(noteKey("scan"))).toBe(after.note);
  expect(catalog.meta(REPLICA_KEY)).toBeUndefined();
  expect(lost).toEqual(format < REREAD_BELOW ? [true] : []);
  expect(catalog.isSound()).toBe(true);
});

test("the copy of a catalogue of an older format stays as it is", () => {
  const path = older(REREAD_BELOW - 1);
  const catalog = Catalog.openToWrite(path, { isReplica: true });
  onTestFinished(() => catalog.close());
  expect([catalog.isOutdated, catalog.meta(REPLICA_KEY)]).toEqual([true, "mark"]);
  expect(catalog.files.get("a")?.stage).toBe("complete");
});

test("a recreated catalogue has another epoch; a reopened one has the same", () => {
  const path = place();
  const epochAfter = (change: string): string | undefined => {
    const db = new DatabaseSync(path);
    db.exec(change);
    db.close();
    const catalog = Catalog.openToWrite(path);
    catalog.publish(() => {});
    const epoch = catalog.meta("epoch");
    catalog.close();
    return epoch;
  };
  const first = epochAfter("");
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(epochAfter("")).toBe(first);
  const recreated = epochAfter("PRAGMA user_version = 1002");
  expect(recreated).toMatch(/^[0-9a-f-]{36}$/);
  expect(recreated).not.toBe(first);
});

function errorWithHint(): unknown {
  return expect.objectContaining({
    code: "INDEX_UNAVAILABLE",
    hint: expect.stringContaining("--rebuild"),
  });
}

test("a file that is not a database is INDEX_UNAVAILABLE, for readers and writers", () => {
  const path = place();
  writeFileSync(path, "This is a letter.\n".repeat(500));
  expect(() => Catalog.openToRead(path)).toThrow(errorWithHint());
  expect(() => Catalog.openToWrite(path)).toThrow(errorWithHint());
});

test("damage in the tables is INDEX_UNAVAILABLE", () => {
  const path = place();
  const catalog = Catalog.openToWrite(path);
  catalog.publish(() => {
    for (let at = 1; at <= 2000; at += 1) catalog.files.put(row(`src/file${at}.ts`));
  });
  catalog.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 8192, bytes.length - 4096);
  writeFileSync(path, bytes);
  const reader = Catalog.openToRead(path);
  onTestFinished(() => reader?.close());
  expect(() => reader?.files.all()).toThrow(errorWithHint());
  expect(reader?.isSound()).toBe(false);
});

test("only the owner can read the catalogue", () => {
  const { path, catalog } = call();
  catalog.publish(() => {});
  for (const end of ["", "-wal", "-shm"]) expect(statSync(path + end).mode & 0o777).toBe(0o600);
});
