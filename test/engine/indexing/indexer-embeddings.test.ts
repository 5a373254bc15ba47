// Vectors of an index that is built in stages, changes, and gets another embedding table.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { expect, onTestFinished, test } from "vitest";

import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import type { EmbeddingSource } from "../../../src/embed/embedding-source.ts";
import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import type { IndexProgress, IndexReport } from "../../../src/engine/api/index-report.ts";
import type { LocalRun } from "../../helpers/run-index.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { age, indexedTree, indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { searchIn, wordedIn } from "../../helpers/picture.ts";
import { PADDING, stagedTree } from "../../helpers/staged-tree.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { questionOf, SMALL, smallEmbeddings, vectorsIn, vectorsOf } from "../../helpers/vectors.ts";
import { look, problemsOf, vectorsByPath } from "../fixtures/check-index.ts";
import { markedTree } from "../fixtures/marked-tree.ts";
import { WEIGHTS } from "../fixtures/weights.ts";

const OTHER = smallEmbeddings("other", 2);
const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `src/part${at}.${at % 3 === 0 ? "md" : "ts"}`,
    `export function parseToken${at}(user) {\n  return config + rare${at};\n}\n`,
  ]),
);
const COUNT = Object.keys(FILES).length;

function notIndexed(files: Parameters<typeof tree>[0] = FILES): IndexedTree {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  age(indexed.root);
  return indexed;
}

const BROKEN_OFF = "broken off by the test";

/** A run with this table. `stop` may interrupt it; then there is no report. */
async function run(
  indexed: IndexedTree,
  embeddings: EmbeddingSource | undefined,
  {
    stop = () => false,
    ...job
  }: Partial<LocalRun> & { stop?: (progress: IndexProgress) => boolean } = {},
): Promise<IndexReport | undefined> {
  const onProgress = (progress: IndexProgress): void => {
    if (stop(progress)) throw new Error(BROKEN_OFF);
  };
  try {
    return await indexed.run(job, { embeddings, onProgress });
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message === BROKEN_OFF) return undefined;
    throw thrown;
  }
}

/**
 * Path -> the table of its vectors, "" without vectors. Checks that the vectors match the text, if it is the indexed
 * one.
 */
async function tablesOf(indexed: IndexedTree): Promise<Readonly<Record<string, string>>> {
  const tables = await look(indexed.data, "project", async (seen) => {
    expect(await problemsOf(seen)).toEqual([]);
    const found: Record<string, string> = {};
    for (const { path, segment, ordinal, hash } of seen.catalog.files.all()) {
      const reader = segment === null ? undefined : seen.snapshot.view(segment)?.reader;
      if (reader === undefined || ordinal === null) continue;
      const vectors = vectorsIn(reader, ordinal);
      const { embedder } = reader.directory;
      found[path] = vectors.length > 0 ? embedder : "";
      const source = [SMALL, OTHER, packedEmbeddings].find(({ id }) => id === embedder);
      const bytes = readFileSync(join(indexed.root, path));
      const isAsIndexed = createHash("sha256").update(bytes).digest("hex").startsWith(hash);
      if (vectors.length === 0 || source === undefined || !isAsIndexed) continue;
      const { chunks, symbols } = reader.outline(ordinal);
      const input = {
        ...reader.file(ordinal),
        chunks,
        symbols,
        references: NO_REFERENCES,
        bytes,
        isFinal: true,
      };
      expect([path, vectors]).toEqual([path, vectorsOf(input, source)]);
    }
    return found;
  });
  return tables ?? {};
}

/** The expected result when all files have vectors of one table. */
function all(id: string, paths: readonly string[] = Object.keys(FILES)): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, id]));
}

/** The files with vectors similar to a query's, for a table. */
async function near(indexed: IndexedTree, source: EmbeddingSource): Promise<readonly string[]> {
  const { reader } = await indexed.queryContext();
  const vector = questionOf("parse token user config", source);
  const query = { terms: new Map<string, number>(), vector, weights: WEIGHTS, limit: 1000 };
  const { files } = await reader.candidates(query);
  return files.map(({ file }) => file.path).toSorted();
}

test("files that are parsed later have no vectors after the first stage", async () => {
  const files = stagedTree();
  const paths = Object.keys(files)
    .filter((path) => !(path in PADDING))
    .toSorted();
  const indexed = notIndexed(files);
  await run(indexed, packedEmbeddings, {
    stop: ({ stage, done }) => stage === "syntax" && done > 0,
  });
  const halfway = await tablesOf(indexed);
  expect(Object.keys(halfway).toSorted()).toEqual(paths);
  const rows =
    (await look(indexed.data, "project", async ({ catalog }) => catalog.files.all())) ?? [];
  const later = rows.filter(({ stage }) => stage === "words").map(({ path }) => path);
  expect(later.length).toBeGreaterThan(0);
  expect(later.every((path) => path.endsWith(".ts"))).toBe(true);
  expect(paths.filter((path) => halfway[path] === "")).toEqual(later.toSorted());
  await run(indexed, packedEmbeddings);
  expect(await tablesOf(indexed)).toEqual(all(packedEmbeddings.id, paths));
}, 60_000);

test("a changed file has the vectors of its new text", async () => {
  const indexed = notIndexed();
  await run(indexed, SMALL);
  const before = await look(indexed.data, "project", async (seen) => vectorsByPath(seen));
  plant(indexed.root, { "src/part1.ts": "export const server = http;\n" });
  await run(indexed, SMALL);
  expect(await tablesOf(indexed)).toEqual(all("small"));
  const after = await look(indexed.data, "project", async (seen) => vectorsByPath(seen));
  const changed = Object.keys(FILES).filter(
    (path) => before?.[path]?.join() !== after?.[path]?.join(),
  );
  expect(changed).toEqual(["src/part1.ts"]);
});

test("with another table all files get new vectors, and the report counts no change", async () => {
  const indexed = notIndexed();
  expect(await run(indexed, SMALL)).toMatchObject({ added: COUNT, unchanged: 0 });
  expect(await tablesOf(indexed)).toEqual(all("small"));
  expect(await near(indexed, SMALL)).toHaveLength(COUNT);
  expect(await near(indexed, OTHER)).toEqual([]);
  const report = await run(indexed, OTHER);
  expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: COUNT, skipped: 0 });
  expect(await tablesOf(indexed)).toEqual(all("other"));
  expect(await near(indexed, SMALL)).toEqual([]);
  expect(await near(indexed, OTHER)).toHaveLength(COUNT);
  expect(await wordedIn(indexed, "rare7")).toEqual(["src/part7.ts"]);
  // Only once.
  const { generation } = report ?? {};
  expect(await run(indexed, OTHER)).toMatchObject({ generation, unchanged: COUNT });
  expect((await (await indexed.queryContext()).reader.summary()).stages).toEqual({
    listed: 0,
    words: 0,
    complete: COUNT,
  });
});

test("changes before the new table are counted as usual", async () => {
  const indexed = notIndexed({ ...FILES, blob: "\0" });
  await run(indexed, SMALL);
  plant(indexed.root, { "src/part1.ts": "export const server = 1;\n", "new.md": "token\n" });
  rmSync(join(indexed.root, "src/part2.ts"));
  expect(await run(indexed, OTHER)).toMatchObject({
    added: 1,
    changed: 1,
    removed: 1,
    unchanged: COUNT - 2,
    skipped: 1,
  });
  const { "src/part2.ts": _gone, ...rest } = all("other");
  expect(await tablesOf(indexed)).toEqual({ ...rest, "new.md": "other" });
});

test("a run over one folder re-embeds everything when the table changed", async () => {
  const indexed = notIndexed({ ...FILES, "top.md": "user\n" });
  await run(indexed, SMALL);
  const folders = [{ source: 1, path: "" }];
  expect(await run(indexed, OTHER, { folders })).toMatchObject({ unchanged: COUNT + 1 });
  expect(await tablesOf(indexed)).toEqual({ ...all("other"), "top.md": "other" });
  // The next one covers only its folder again.
  expect(await run(indexed, OTHER, { folders })).toMatchObject({ unchanged: 1 });
});

test.each<[string, (progress: IndexProgress) => boolean]>([
  ["before anything is read", ({ stage }) => stage === "list"],
  ["after what changed was read", ({ stage, done, total }) => stage === "words" && done === total],
  ["before the rest is read again", ({ stage }) => stage === "syntax"],
  ["after all was read", ({ stage, done, total }) => stage === "syntax" && done === total],
])("a change of the table interrupted %s is completed by the next run", async (_, stop) => {
  const indexed = notIndexed();
  await run(indexed, SMALL);
  plant(indexed.root, { "src/part1.ts": "export const server = http;\n", "new.md": "token\n" });
  age(indexed.root);
  expect(await run(indexed, OTHER, { stop })).toBeUndefined();
  // Each query finds the vectors of its own table, and term search finds everything.
  const halfway = await tablesOf(indexed);
  for (const source of [SMALL, OTHER]) {
    const own = Object.keys(halfway).filter((path) => halfway[path] === source.id);
    // oxlint-disable-next-line no-await-in-loop -- sequential queries
    for (const path of await near(indexed, source)) expect(own).toContain(path);
  }
  expect(await wordedIn(indexed, "rare7")).toEqual(["src/part7.ts"]);
  const isNew = halfway["new.md"] === undefined;
  expect(await run(indexed, OTHER)).toMatchObject({
    added: isNew ? 1 : 0,
    changed: isNew ? 1 : 0,
    removed: 0,
    unchanged: isNew ? COUNT - 1 : COUNT + 1,
  });
  expect(await tablesOf(indexed)).toEqual({ ...all("other"), "new.md": "other" });
  const fresh = indexOf(indexed.root);
  onTestFinished(fresh.dispose);
  await run(fresh, OTHER);
  const [found, wanted] = await Promise.all(
    [indexed, fresh].map(({ data }) => look(data, "project", async (seen) => vectorsByPath(seen))),
  );
  expect(found).toEqual(wanted);
});

test("two programs with different tables in turn each get an index with their own vectors", async () => {
  const indexed = notIndexed();
  for (const source of [SMALL, OTHER, SMALL, OTHER]) {
    // oxlint-disable-next-line no-await-in-loop -- sequential runs
    expect(await run(indexed, source)).toMatchObject({ changed: 0 });
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await tablesOf(indexed)).toEqual(all(source.id));
  }
});

test("an index without vectors is searched by terms, and gets vectors in the next run", async () => {
  const indexed = notIndexed();
  expect(await run(indexed, undefined)).toMatchObject({ added: COUNT });
  expect(await tablesOf(indexed)).toEqual(all(""));
  const { passages } = await searchIn(indexed, "rare7");
  expect(passages.map(({ path }) => path)).toEqual(["src/part7.ts"]);
  expect(await run(indexed, undefined)).toMatchObject({ generation: 1, unchanged: COUNT });
  expect(await run(indexed, packedEmbeddings)).toMatchObject({ changed: 0, unchanged: COUNT });
  expect(await tablesOf(indexed)).toEqual(all(packedEmbeddings.id));
  expect((await searchIn(indexed, "rare7")).passages[0]?.path).toBe("src/part7.ts");
  // Without a table again, no vector remains.
  await run(indexed, undefined);
  expect(await tablesOf(indexed)).toEqual(all(""));
});

test("after many saves and merges, each file has the vectors of its last text", async () => {
  const indexed = notIndexed();
  await run(indexed, SMALL);
  for (let save = 0; save < 40; save += 1) {
    const path = `src/part${save % COUNT}.${(save % COUNT) % 3 === 0 ? "md" : "ts"}`;
    plant(indexed.root, { [path]: `export const token${save} = ${"user ".repeat(save)};\n` });
    // oxlint-disable-next-line no-await-in-loop -- sequential saves
    await run(indexed, SMALL);
  }
  expect(await tablesOf(indexed)).toEqual(all("small"));
  const live = await look(indexed.data, "project", async ({ snapshot }) => snapshot.segments);
  expect(live?.length).toBeLessThan(10);
});

test("two concurrent threads create the same vectors as one, while this thread answers", async () => {
  const files = markedTree(60);
  onTestFinished(files.dispose);
  const indexed = indexOf(files.root);
  onTestFinished(indexed.dispose);
  await indexed.run({ sources: [files.source] });
  const source = new URL("../fixtures/index-in-thread.ts", import.meta.url);
  const program = bundledProgram(fileURLToPath(source));
  const reports: unknown[] = [];
  const places = [1, 2].map(() => tree());
  const threads = places.map(({ path, dispose }) => {
    onTestFinished(dispose);
    const job: LocalRun = {
      dataDirectory: path,
      namespace: "project",
      sources: [files.source],
      rebuild: false,
      waitMs: 0,
    };
    return once(new Worker(program, { workerData: job }), "message").then(([report]) =>
      reports.push(report),
    );
  });
  let questions = 0;
  const first = await searchIn(indexed, "where tokens are revoked");
  do {
    // oxlint-disable-next-line no-await-in-loop -- sequential queries
    expect(await searchIn(indexed, "where tokens are revoked")).toEqual(first);
    questions += 1;
    // oxlint-disable-next-line no-await-in-loop -- lets the messages in, and the threads work
    await setTimeout(5);
  } while (reports.length < threads.length);
  await Promise.all(threads);
  expect(reports).toMatchObject([{ added: 60 }, { added: 60 }]);
  expect([questions > 0, first.passages.length > 0]).toEqual([true, true]);
  const wanted = await look(indexed.data, "project", async (seen) => vectorsByPath(seen));
  expect(Object.values(wanted ?? {}).every((vectors) => vectors.length > 0)).toBe(true);
  for (const { path } of places) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await look(path, "project", async (seen) => vectorsByPath(seen))).toEqual(wanted);
  }
}, 60_000);
