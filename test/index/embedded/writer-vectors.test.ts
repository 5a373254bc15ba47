// Vectors in an index with several writers in turn, some with another embedding table.
import { expect, onTestFinished, test } from "vitest";

import type { EmbeddingSource } from "../../../src/embed/embedding-source.ts";
import type { IndexReader, IndexWriter } from "../../../src/index/port.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { FileInput } from "../../../src/index/types.ts";
import { look, problemsOf, vectorsByPath } from "../../engine/fixtures/check-index.ts";
import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { LARGE, NAMESPACE, numbered, placeToWrite } from "../../engine/fixtures/written-place.ts";
import { nearly, picture, WEIGHTS } from "../../helpers/expect-candidates.ts";
import { naive, type Part } from "../../helpers/naive-candidates.ts";
import { questionOf, SMALL, smallEmbeddings, vectorsOf } from "../../helpers/vectors.ts";
import { authorized } from "../../helpers/authorized.ts";

const OTHER = smallEmbeddings("other", 2);
const QUESTION = "token function";

interface Place {
  readonly data: string;
  /** Runs `change` in a writer with this table; uncommitted changes are dropped. */
  readonly write: <T>(
    embeddings: EmbeddingSource | undefined,
    change: (writer: IndexWriter) => Promise<T>,
  ) => Promise<T>;
  readonly read: () => Promise<IndexReader>;
  /** The files similar to the query, for a table. */
  readonly near: (source: EmbeddingSource) => Promise<readonly string[]>;
}

function call(): Place {
  const { data } = placeToWrite();
  const backend = new EmbeddedBackend(data);
  onTestFinished(() => backend.close());
  const read = async (): Promise<IndexReader> => {
    const reader = await backend.reader(authorized(NAMESPACE));
    if (reader === undefined) throw new Error("nothing is written yet");
    return reader;
  };
  return {
    data,
    read,
    async write(embeddings, change) {
      const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings });
      if (writer === undefined) throw new Error("another is writing");
      try {
        return await change(writer);
      } finally {
        await writer.close();
      }
    },
    async near(source) {
      const vector = questionOf(QUESTION, source);
      const query = { terms: new Map<string, number>(), vector, weights: WEIGHTS, limit: 1000 };
      const { files } = await (await read()).candidates(query);
      return files.map(({ file }) => file.path).toSorted();
    },
  };
}

/** A file of `plainFile` with words that the tables contain. */
function input(path: string, name: string, ballast = 0): ReturnType<typeof plainFile> {
  const { state, content } = plainFile(path, name, ballast);
  return { state, content: { ...content, bytes: Buffer.from(`function ${name}() {}\ntoken\n`) } };
}

/** Adds files, given the function name by path; returns the added files. */
function add(
  writer: IndexWriter,
  files: Readonly<Record<string, string>>,
  ballast = 0,
): readonly FileInput[] {
  return Object.entries(files).map(([path, name]) => {
    const { state, content } = input(path, name, ballast);
    writer.add(state, content);
    return content;
  });
}

async function commit(writer: IndexWriter, files: Readonly<Record<string, string>>): Promise<void> {
  add(writer, files);
  await writer.commit();
}

test("results by terms and vectors match the formulas, over rows and files, with deleted files", async () => {
  const { data, write, read } = call();
  const commits: (readonly FileInput[])[] = [];
  const changes: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [numbered("parse", 6), LARGE],
    [{ "user.ts": "userToken", "http.ts": "httpServer", "config.ts": "config" }, 0],
    [{ "parse1.ts": "parseUser", "user.ts": "commonUser", "none.ts": "zzz" }, 0],
    [numbered("server", 6, "common"), LARGE],
  ];
  for (const [files, ballast] of changes) {
    // oxlint-disable-next-line no-await-in-loop -- one segment after the other
    await write(SMALL, async (writer) => {
      commits.push(add(writer, files, ballast));
      if (commits.length === 4) writer.remove("http.ts");
      await writer.commit();
    });
  }
  const parts = await look(data, NAMESPACE, async (seen) => {
    expect(await problemsOf(seen)).toEqual([]);
    expect(seen.catalog.segments.all().map(({ isRow }) => isRow)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    return seen.snapshot.segments.map(({ tombstones }, at): Part => {
      return { files: commits[at] ?? [], dead: [...tombstones], embeddings: SMALL };
    });
  });
  expect(parts?.map(({ dead }) => dead.join(""))).toEqual(["010000", "110", "000", "000000"]);
  for (const text of ["parse token", "user", "http server config", "common"]) {
    const terms = new Map(text.split(" ").map((term) => [term, 1]));
    const asked = { terms, vector: questionOf(text, SMALL) };
    // oxlint-disable-next-line no-await-in-loop -- one query after the other
    const found = await (await read()).candidates({ ...asked, weights: WEIGHTS, limit: 1000 });
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await picture(found)).toEqual(nearly(naive(parts ?? [], asked)));
    expect(found.maxSimilarity).toBeGreaterThan(0.2);
  }
});

test("a merge keeps only the vectors of the writer's table", async () => {
  const { data, write, near } = call();
  for (const letter of ["a", "b", "c", "e"]) {
    // oxlint-disable-next-line no-await-in-loop -- one segment after the other
    await write(SMALL, (writer) => commit(writer, { [`${letter}.ts`]: "alpha" }));
  }
  await write(OTHER, async (writer) => {
    await commit(writer, { "b.ts": "beta", "d.ts": "delta" });
    expect(await writer.merge()).toBe(true);
  });
  const known = await look(data, NAMESPACE, async (seen) => {
    expect(await problemsOf(seen)).toEqual([]);
    expect(seen.catalog.segments.all()).toHaveLength(1);
    return vectorsByPath(seen);
  });
  const wanted = (path: string, name: string): readonly string[] =>
    vectorsOf(input(path, name).content, OTHER).map((one) => Buffer.from(one).toString("hex"));
  expect(known).toEqual({
    "a.ts": [],
    "c.ts": [],
    "e.ts": [],
    "b.ts": wanted("b.ts", "beta"),
    "d.ts": wanted("d.ts", "delta"),
  });
  expect([await near(SMALL), await near(OTHER)]).toEqual([[], ["b.ts", "d.ts"]]);
});
