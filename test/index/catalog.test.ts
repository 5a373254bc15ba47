import { statSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { Catalog, type FileRow } from "../../src/index/catalog.ts";
import { tree } from "../helpers/tree.ts";

function place(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return join(path, "catalog.db");
}

/** A catalogue open for writing, and a second connection that reads. */
function call(): { catalog: Catalog; reader: Catalog; path: string } {
  const path = place();
  const catalog = Catalog.openToWrite(path);
  const reader = Catalog.openToRead(path);
  if (reader === undefined) throw new Error("the catalogue was made above");
  onTestFinished(() => {
    reader.close();
    catalog.close();
  });
  return { catalog, reader, path };
}

function row(path: string, more: Partial<FileRow> = {}): FileRow {
  return {
    path,
    id: 1,
    source: 1,
    size: 10,
    mtimeNs: 1_700_000_000_123_456_789n,
    inode: 2n ** 62n,
    hash: "h",
    indexedNs: 1_700_000_001_000_000_000n,
    segment: 1,
    ordinal: 0,
    chunks: 2,
    symbols: 1,
    skipped: null,
    ...more,
  };
}

function symbol(name: string, more: { readonly startLine?: number } = {}) {
  return {
    name,
    qualified: name,
    kind: "function",
    startLine: 1,
    endLine: 3,
    signature: `${name}()`,
    ...more,
  };
}

test("a file is read back as it was put in, nanoseconds and large inodes included", () => {
  const { catalog, reader } = call();
  const indexed = row("src/a.ts");
  const skipped = row("b.png", { id: 2, segment: null, ordinal: null, skipped: "binary" });
  catalog.publish(() => [indexed, skipped].forEach((one) => catalog.putFile(one)));
  expect(reader.file("src/a.ts")).toEqual(indexed);
  expect(reader.files()).toEqual([skipped, indexed]);
  expect(reader.file("nothing")).toBeUndefined();
  expect(reader.totals()).toEqual({ files: 1, chunks: 4, symbols: 2, bytes: 10 });
  expect(reader.skippedCounts()).toEqual({ binary: 1 });
  expect(reader.skippedFiles(5)).toEqual([{ path: "b.png", reason: "binary" }]);
});

test("the generation grows by one with each published change", () => {
  const { catalog, reader } = call();
  expect(reader.generation()).toBe(0);
  expect(catalog.publish(() => {})).toBe(1);
  expect(catalog.publish(() => catalog.putFile(row("a")))).toBe(2);
  expect(reader.generation()).toBe(2);
  expect(reader.isSound()).toBe(true);
  expect(reader.meta("indexed_at")).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test("a change that throws half way leaves nothing behind", () => {
  const { catalog, reader } = call();
  catalog.publish(() => catalog.putFile(row("kept")));
  const change = (): void => {
    catalog.putFile(row("new", { id: 2 }));
    catalog.removeFile(row("kept"));
    catalog.addSegment({ name: "s", files: 1, chunks: 1, bytes: 1 });
    catalog.addSymbol(1, symbol("half"));
    throw new Error("half way");
  };
  expect(() => catalog.publish(change)).toThrow("half way");
  for (const one of [catalog, reader]) {
    expect(one.files().map(({ path }) => path)).toEqual(["kept"]);
    expect([one.generation(), one.segments(), one.symbolsNamed("half", 5)]).toEqual([1, [], []]);
  }
  expect(catalog.publish(() => {})).toBe(2);
});

test("another connection sees a change only when it is published, and then by its data version", () => {
  const { catalog, reader } = call();
  const before = reader.dataVersion();
  catalog.publish(() => {
    catalog.putFile(row("a"));
    expect([reader.dataVersion(), reader.files()]).toEqual([before, []]);
  });
  expect(reader.dataVersion()).not.toBe(before);
  expect(reader.dataVersion()).toBe(reader.dataVersion());
  expect(reader.files()).toHaveLength(1);
});

test("a snapshot stays as it is while others publish", () => {
  const { catalog, reader } = call();
  const seen = reader.snapshot(() => {
    const before = reader.generation();
    catalog.publish(() => catalog.putFile(row("a")));
    return [before, reader.generation(), reader.files().length];
  });
  expect(seen).toEqual([0, 0, 0]);
  expect(reader.generation()).toBe(1);
});

test("segments are listed in the order they were added, with their dead files", () => {
  const { catalog, reader } = call();
  const ids: number[] = [];
  catalog.publish(() => {
    for (const name of ["z", "a"]) {
      ids.push(catalog.addSegment({ name, files: 3, chunks: 9, bytes: 100 }));
    }
    catalog.setDead(ids[1] ?? 0, Uint8Array.of(0, 1, 0));
  });
  expect(reader.segments().map(({ name, dead }) => [name, ...dead])).toEqual([
    ["z", 0, 0, 0],
    ["a", 0, 1, 0],
  ]);
  catalog.publish(() => catalog.removeSegment(ids[0] ?? 0));
  expect(reader.segments().map(({ name }) => name)).toEqual(["a"]);
});

test("symbols are found in any case, the exact one first, and go with their file", () => {
  const { catalog, reader } = call();
  catalog.publish(() => {
    catalog.putFile(row("a.ts", { id: 1 }));
    catalog.putFile(row("b.ts", { id: 2 }));
    catalog.addSymbol(1, symbol("parseconfig"));
    catalog.addSymbol(2, symbol("parseConfig", { startLine: 7 }));
    catalog.addSymbol(2, symbol("other", { startLine: 2 }));
  });
  const found = (name: string): string[] =>
    reader.symbolsNamed(name, 9).map((one) => `${one.name} ${one.path}:${one.startLine}`);
  expect(found("parseConfig")).toEqual(["parseConfig b.ts:7", "parseconfig a.ts:1"]);
  expect(found("PARSECONFIG")).toHaveLength(2);
  expect(reader.symbolsNamed("parseconfig", 1)).toHaveLength(1);
  expect(reader.symbolsOfFile("b.ts").map(({ name }) => name)).toEqual(["other", "parseConfig"]);
  catalog.publish(() => catalog.removeFile(row("b.ts", { id: 2 })));
  expect(found("parseConfig")).toEqual(["parseconfig a.ts:1"]);
});

test("`%` and `_` in a name stand for themselves", () => {
  const { catalog, reader } = call();
  const paths = ["src/a_b.ts", "src/axb.ts", "100%.md", "100x.md", "a!b.ts", "aqb.ts", "x\\y.ts"];
  catalog.publish(() => {
    for (const [at, path] of paths.entries()) {
      catalog.putFile(row(path, { id: at + 1 }));
      catalog.addSymbol(at + 1, symbol(path));
    }
  });
  expect(reader.pathsNamed("a_b.ts", 9)).toEqual(["src/a_b.ts"]);
  expect(reader.pathsNamed("100%.md", 9)).toEqual(["100%.md"]);
  expect(reader.pathsNamed("a!b.ts", 9)).toEqual(["a!b.ts"]);
  expect(reader.pathsNamed("%", 9)).toEqual(["100%.md"]);
  expect(reader.pathsNamed("\\y", 9)).toEqual(["x\\y.ts"]);
  expect(reader.symbolsNamed("src/a_b.ts", 9)).toHaveLength(1);
  expect(reader.symbolsNamed("%", 9)).toEqual([]);
  expect(reader.symbolNames("100%", 9)).toEqual(["100%.md"]);
  expect(reader.symbolNames("src/a_", 9)).toEqual(["src/a_b.ts"]);
});

test("paths are found by the file's name, in any case, else by a part of it; the nearest first", () => {
  const { catalog, reader } = call();
  const paths = ["deep/down/Config.ts", "config.ts", "config-loader.md", "other.ts"];
  catalog.publish(() => paths.forEach((path, at) => catalog.putFile(row(path, { id: at + 1 }))));
  expect(reader.pathsNamed("CONFIG.ts", 9)).toEqual([
    "config.ts",
    "deep/down/Config.ts",
    "config-loader.md",
  ]);
  expect(reader.pathsNamed(".ts", 1)).toEqual(["other.ts"]);
});

test("file numbers are never those of another file", () => {
  const { catalog } = call();
  expect(catalog.nextFileId()).toBe(1);
  catalog.publish(() => catalog.putFile(row("a", { id: 41 })));
  expect(catalog.nextFileId()).toBe(42);
});

test("what is learnt of unchanged files makes no new generation", () => {
  const { catalog, reader } = call();
  catalog.publish(() => catalog.putFile(row("a")));
  catalog.putFiles([row("a", { mtimeNs: 5n })]);
  catalog.putFiles([]);
  expect([reader.generation(), reader.file("a")?.mtimeNs]).toEqual([1, 5n]);
});

test("there is nothing to read before the first write", () => {
  expect(Catalog.openToRead(place())).toBeUndefined();
});

test("a catalogue of another version cannot be read, and writing makes it anew", () => {
  const path = place();
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE file (unlike TEXT); CREATE TABLE later (x); PRAGMA user_version = 99");
  other.close();
  expect(Catalog.openToRead(path)).toBeUndefined();
  const catalog = Catalog.openToWrite(path);
  onTestFinished(() => catalog.close());
  catalog.publish(() => catalog.putFile(row("a")));
  expect([catalog.generation(), catalog.files().length]).toEqual([1, 1]);
});

function mendable(): unknown {
  return expect.objectContaining({
    code: "INDEX_UNAVAILABLE",
    hint: expect.stringContaining("--rebuild"),
  });
}

test("a file that is no database is INDEX_UNAVAILABLE, for readers and for writers", () => {
  const path = place();
  writeFileSync(path, "This is a letter.\n".repeat(500));
  expect(() => Catalog.openToRead(path)).toThrow(mendable());
  expect(() => Catalog.openToWrite(path)).toThrow(mendable());
});

test("damage within the tables is INDEX_UNAVAILABLE", () => {
  const path = place();
  const catalog = Catalog.openToWrite(path);
  catalog.publish(() => {
    for (let id = 1; id <= 2000; id += 1) catalog.putFile(row(`src/file${id}.ts`, { id }));
  });
  catalog.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 8192, bytes.length - 4096);
  writeFileSync(path, bytes);
  const reader = Catalog.openToRead(path);
  onTestFinished(() => reader?.close());
  expect(() => reader?.files()).toThrow(mendable());
  expect(reader?.isSound()).toBe(false);
});

test("the catalogue is readable to its owner alone", () => {
  const { path, catalog } = call();
  catalog.publish(() => {});
  for (const end of ["", "-wal", "-shm"]) expect(statSync(path + end).mode & 0o777).toBe(0o600);
});
