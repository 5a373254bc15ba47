import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { IndexReader, IndexWriter, ReadOptions } from "../../../src/index/port.ts";
import { SvcError } from "../../../src/base/errors.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { literal } from "../../../src/index/trigrams/literal-query.ts";
import { diskStorage } from "../../../src/index/storage/storage-disk.ts";
import type { StoredFile } from "../../../src/index/storage/storage.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import { tree } from "../../helpers/tree.ts";

const NAMESPACE = "n";
/** A segment of this many bytes is stored as a file, not as a row. */
const LARGE = 300_000;

interface TestBackend {
  readonly data: string;
  readonly backend: EmbeddedBackend;
  readonly write: (change: (writer: IndexWriter) => void) => Promise<{ epoch: string; at: number }>;
  readonly read: (options?: ReadOptions) => Promise<IndexReader>;
}

function call(): TestBackend {
  const { path: data, dispose } = tree();
  const backend = new EmbeddedBackend(data);
  onTestFinished(() => {
    backend.close();
    dispose();
  });
  return {
    data,
    backend,
    async write(change) {
      const writer = await backend.writer(NAMESPACE, { waitMs: 0 });
      if (writer === undefined) throw new Error("another is writing");
      change(writer);
      const version = await writer.commit();
      writer.close();
      return version;
    },
    async read(options) {
      const reader = await backend.reader(NAMESPACE, options);
      if (reader === undefined) throw new Error("nothing is written yet");
      return reader;
    },
  };
}

async function candidates(reader: IndexReader, text: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(literal(text), {})) paths.push(path);
  return paths;
}

test("before the first write there is no reader, and reading creates no files", async () => {
  const { data, backend } = call();
  expect(await backend.reader(NAMESPACE)).toBeUndefined();
  expect([backend.isFirstBuildPending(NAMESPACE), backend.isBeingWritten(NAMESPACE)]).toEqual([
    true,
    false,
  ]);
  expect(existsSync(`${data}/namespaces`)).toBe(false);
});

test("another backend sees each commit with its next reader", async () => {
  const { data, write, read } = call();
  const other = new EmbeddedBackend(data);
  onTestFinished(other.close);
  const first = await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  expect(first).toMatchObject({ at: 1 });
  const before = await other.reader(NAMESPACE, { atLeast: first });
  expect(before?.version).toEqual(first);
  await write((writer) => addPlain(writer, { "a.ts": "beta" }));
  const after = await other.reader(NAMESPACE);
  if (before === undefined || after === undefined) throw new Error("both were written");
  const found = [before, after].map((reader) => pathsWith(reader, "beta"));
  expect(await Promise.all(found)).toEqual([[], ["a.ts"]]);
  expect(await pathsWith(await read(), "beta")).toEqual(["a.ts"]);
});

test("a reader keeps its version while others read later ones", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha", "b.ts": "common" }, LARGE));
  const before = await read();
  await write((writer) => addPlain(writer, { "a.ts": "beta", "b.ts": "other" }, LARGE));
  const after = await read();
  expect(await pathsWith(after, "common")).toEqual([]);
  // Its segment is no longer live, its file is removed, and its reader is retired.
  expect(await pathsWith(before, "common")).toEqual(["b.ts"]);
  expect((await before.symbolsNamed("alpha", 5)).map(({ path }) => path)).toEqual(["a.ts"]);
  expect(backend.isFirstBuildPending(NAMESPACE)).toBe(false);
});

test("a later version, or one of an earlier index, is INDEX_UNAVAILABLE", async () => {
  const { write, read } = call();
  const version = await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  const refused = { code: "INDEX_UNAVAILABLE", hint: expect.stringMatching(/.+/) };
  await expect(read({ atLeast: { ...version, at: 2 } })).rejects.toMatchObject(refused);
  await expect(read({ atLeast: { ...version, epoch: "before" } })).rejects.toMatchObject(refused);
  expect((await read({ atLeast: { ...version, at: 0 } })).version).toEqual(version);
});

test("results after the deadline are left out, and the reader reports that", async () => {
  const { write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha", "b.ts": "alpha" }));
  const late = await read({ deadline: performance.now() - 1 });
  expect([await pathsWith(late, "alpha"), await candidates(late, "alpha")]).toEqual([[], []]);
  expect(late.partial).toHaveLength(2);
  const early = await read({ deadline: performance.now() + 60_000 });
  expect(await pathsWith(early, "alpha")).toEqual(["a.ts", "b.ts"]);
  expect(early.partial).toEqual([]);
});

test("an aborted reader throws TIMEOUT at its next query", async () => {
  const { write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  const reader = await read({ signal: AbortSignal.abort() });
  await expect(pathsWith(reader, "alpha")).rejects.toMatchObject({ code: "TIMEOUT" });
  await expect(candidates(reader, "alpha")).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("files that are only listed are text candidates, but no term finds them", async () => {
  const { backend, write, read } = call();
  await write((writer) => {
    const { state } = plainFile("b.ts", "beta");
    writer.put({ ...state, stage: "listed", hash: "", chunks: 0, symbols: 0 });
    writer.put({ ...plainFile("c.bin", "").state, skipped: "binary" });
  });
  const listed = await read();
  expect([listed.hasWords, backend.isFirstBuildPending(NAMESPACE)]).toEqual([false, true]);
  expect(await candidates(listed, "anything")).toEqual(["b.ts"]);
  await write((writer) => addPlain(writer, { "a.ts": "alpha", "d.ts": "delta" }));
  // Terms find files now, but one file has not been read yet.
  expect(backend.isFirstBuildPending(NAMESPACE)).toBe(true);
  const reader = await read();
  expect(await candidates(reader, "function delta")).toEqual(["b.ts", "d.ts"]);
  expect(await reader.summary()).toMatchObject({
    files: 2,
    stages: { listed: 1, words: 0, complete: 2 },
    skipped: { binary: 1 },
    indexedAt: expect.stringMatching(/^\d{4}-/),
  });
  // Listed when the reader was created, and now in a segment that it does not see: it is still found.
  await write((writer) => addPlain(writer, { "b.ts": "beta" }));
  expect(await candidates(reader, "function beta")).toEqual(["b.ts"]);
  expect(await candidates(listed, "function beta")).toEqual(["b.ts"]);
});

test("there is one writer at a time: another one waits, or gets undefined without a wait", async () => {
  const { backend, data } = call();
  const first = await backend.writer(NAMESPACE, { waitMs: 0 });
  const other = new EmbeddedBackend(data);
  expect(await other.writer(NAMESPACE, { waitMs: 0 })).toBeUndefined();
  expect([backend, other].map((one) => one.isBeingWritten(NAMESPACE))).toEqual([true, true]);
  const waiting = other.writer(NAMESPACE, { waitMs: 20_000 });
  setTimeout(() => first?.close(), 50);
  const second = await waiting;
  expect(second).toBeDefined();
  second?.close();
  expect(backend.isBeingWritten(NAMESPACE)).toBe(false);
  // Another namespace has its own lock.
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => backend.writer(name, { waitMs: 0 })),
  );
  expect([one, two].includes(undefined)).toBe(false);
  one?.close();
  two?.close();
});

test("a damaged catalogue is INDEX_UNAVAILABLE until a writer quarantines it, and the lock stays free", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  backend.detach(NAMESPACE)?.();
  const { catalog, directory } = backend.layout(NAMESPACE);
  const kept = (): readonly string[] =>
    readdirSync(directory).filter((name) => name.startsWith("catalog.db.corrupt-"));
  const quarantine = async (): Promise<void> => {
    const writer = await backend.writer(NAMESPACE, { waitMs: 0, quarantine: "damaged" });
    writer?.close();
  };
  await quarantine();
  expect([await candidates(await read(), "function"), kept()]).toEqual([["a.ts"], []]);
  backend.detach(NAMESPACE)?.();
  const damage = readFileSync(catalog).fill(0xa5, 0, 4096);
  writeFileSync(catalog, damage);
  const damaged = { code: "INDEX_UNAVAILABLE", hint: expect.stringContaining("--rebuild") };
  await expect(read()).rejects.toMatchObject(damaged);
  await expect(write(() => {})).rejects.toMatchObject(damaged);
  expect([backend.isFirstBuildPending(NAMESPACE), backend.isBeingWritten(NAMESPACE)]).toEqual([
    true,
    false,
  ]);
  await quarantine();
  expect(kept().map((name) => readFileSync(join(directory, name)))).toEqual([damage]);
  await write((writer) => addPlain(writer, { "b.ts": "beta" }));
  expect(await candidates(await read(), "function")).toEqual(["b.ts"]);
});

test("an index that another process has replaced is not read any more", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  const before = await read();
  const { catalog } = backend.layout(NAMESPACE);
  for (const end of ["", "-wal"]) renameSync(`${catalog}${end}`, `${catalog}${end}.aside`);
  rmSync(`${catalog}-shm`);
  await write((writer) => addPlain(writer, { "b.ts": "beta" }));
  expect(await candidates(await read(), "function")).toEqual(["b.ts"]);
  expect(await candidates(before, "function")).toEqual(["a.ts"]);
});

test("readers of a detached index can read it until it is closed", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }, LARGE));
  const before = await read();
  const close = backend.detach(NAMESPACE);
  expect(backend.detach(NAMESPACE)).toBeUndefined();
  expect((await before.symbolsNamed("alpha", 5)).map(({ path }) => path)).toEqual(["a.ts"]);
  close?.();
  expect(await pathsWith(await read(), "alpha")).toEqual(["a.ts"]);
});

test("verify reports damage that no query meets", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }, LARGE));
  const reader = await read();
  expect(await reader.verify()).toEqual([]);
  const { segments } = backend.layout(NAMESPACE);
  const [name = ""] = readdirSync(segments);
  const bytes = readFileSync(`${segments}/${name}`);
  // The middle of the file is the middle of its one outline.
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(`${segments}/${name}`, bytes);
  expect(await reader.verify()).toEqual(["outlines"]);
});

test("only the owner can access the files of an index", async () => {
  const { backend, write } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  const { directory, segments, catalog, writerLock } = backend.layout(NAMESPACE);
  const modes = [directory, segments, catalog, writerLock].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

test("a segment that is deleted while it is opened is read from the next version", async () => {
  const { data, write } = call();
  let refusals = 0;
  const backend = new EmbeddedBackend(data, (directory) => {
    const disk = diskStorage(directory);
    const open = (name: string): StoredFile => {
      refusals -= 1;
      if (refusals >= 0) throw new SvcError("INDEX_UNAVAILABLE", "It has just been removed.");
      return disk.open(name);
    };
    return { ...disk, open };
  });
  onTestFinished(() => backend.close());
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }));
  const reader = await backend.reader(NAMESPACE);
  if (reader === undefined) throw new Error("nothing is written yet");
  await write((writer) => addPlain(writer, { "b.ts": "alpha" }, LARGE));
  expect(readdirSync(backend.layout(NAMESPACE).segments)).toHaveLength(1);
  // A read tries to open the segment twice before it fails.
  refusals = 4;
  await expect(candidates(reader, "alpha")).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  refusals = 2;
  expect(await candidates(reader, "alpha")).toEqual(["a.ts", "b.ts"]);
});
