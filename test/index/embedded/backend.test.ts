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
import { literal } from "../../../src/index/literal-query.ts";
import { diskStorage } from "../../../src/index/embedded/storage/storage-disk.ts";
import type { StoredFile } from "../../../src/index/embedded/storage/storage.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { tree } from "../../helpers/tree.ts";
import { authorized } from "../../helpers/authorized.ts";

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
      await writer.close();
      return version;
    },
    async read(options) {
      const reader = await backend.reader(authorized(NAMESPACE), options);
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

async function isBeingWritten(backend: EmbeddedBackend): Promise<boolean> {
  return (await backend.health(NAMESPACE)).isBeingWritten;
}

test("reading creates no files before the first write", async () => {
  const { data, backend } = call();
  expect(await backend.reader(authorized(NAMESPACE))).toBeUndefined();
  expect(await backend.changeLog(authorized(NAMESPACE))).toBeUndefined();
  expect(await backend.verify(authorized(NAMESPACE))).toBeUndefined();
  expect([await backend.isFirstBuildPending(NAMESPACE), await isBeingWritten(backend)]).toEqual([
    true,
    false,
  ]);
  expect(existsSync(`${data}/namespaces`)).toBe(false);
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
    await writer?.close();
  };
  await quarantine();
  expect([await candidates(await read(), "function"), kept()]).toEqual([["a.ts"], []]);
  backend.detach(NAMESPACE)?.();
  const damage = readFileSync(catalog).fill(0xa5, 0, 4096);
  writeFileSync(catalog, damage);
  const damaged = { code: "INDEX_UNAVAILABLE", hint: expect.stringContaining("--rebuild") };
  await expect(read()).rejects.toMatchObject(damaged);
  await expect(write(() => {})).rejects.toMatchObject(damaged);
  expect([await backend.isFirstBuildPending(NAMESPACE), await isBeingWritten(backend)]).toEqual([
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

test("verify reports damage that no query meets", async () => {
  const { backend, write, read } = call();
  await write((writer) => addPlain(writer, { "a.ts": "alpha" }, LARGE));
  const reader = await read();
  expect(await reader.verify()).toEqual([]);
  const { segments } = backend.layout(NAMESPACE);
  const [name = ""] = readdirSync(segments);
  const bytes = readFileSync(`${segments}/${name}`);
  // The middle of the file is the middle of its only outline.
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
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("nothing is written yet");
  await write((writer) => addPlain(writer, { "b.ts": "alpha" }, LARGE));
  expect(readdirSync(backend.layout(NAMESPACE).segments)).toHaveLength(1);
  // A read tries to open the segment twice before it fails.
  refusals = 4;
  await expect(candidates(reader, "alpha")).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  refusals = 2;
  expect(await candidates(reader, "alpha")).toEqual(["a.ts", "b.ts"]);
});
