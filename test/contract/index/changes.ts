import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { EmbeddingSource } from "../../../src/embed/embedding-source.ts";
import type { IndexReader, IndexWriter } from "../../../src/index/port.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import { WEIGHTS } from "../../helpers/expect-candidates.ts";
import { questionOf, SMALL, smallEmbeddings } from "../../helpers/vectors.ts";
import {
  addAll,
  fileWith,
  openWriter,
  testedIndex,
  type MakeBackends,
  type TestedIndex,
} from "./tested-index.ts";

const OTHER = smallEmbeddings("other", 2);

/** The changes that writers make, and the data that they leave unchanged. */
export function changesContract(make: MakeBackends): void {
  test("changes become visible all at once with the commit, and replaced content is gone", async () => {
    const { write, commit, picture } = testedIndex(make);
    await commit({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" });
    await write(async (writer) => {
      addPlain(writer, { "a.ts": "alef", "d.ts": "delta" });
      writer.remove("b.ts");
      writer.remove("never-indexed.ts");
      expect(await picture()).toEqual({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" });
      await writer.commit();
    });
    expect(await picture()).toEqual({ "a.ts": "alef", "c.ts": "gamma", "d.ts": "delta" });
  });

  test("uncommitted changes are dropped", async () => {
    const { write, commit, picture } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    await write(async (writer) => {
      addPlain(writer, { "b.ts": "beta" });
      writer.remove("a.ts");
      writer.setNote("seen", "b");
    });
    expect(await picture()).toEqual({ "a.ts": "alpha" });
    expect(await write(async (writer) => writer.note("seen"))).toBeUndefined();
  });

  test("the last state of a file in a commit is stored", async () => {
    const { write, read, picture } = testedIndex(make);
    await write(async (writer) => {
      addPlain(writer, { "a.ts": "first", "b.ts": "first", "c.ts": "first" });
      addPlain(writer, { "a.ts": "second" });
      writer.put({ ...plainFile("b.ts", "").state, skipped: "binary" });
      writer.remove("c.ts");
      await writer.commit();
      addPlain(writer, { "c.ts": "third" });
      writer.remove("c.ts");
      addPlain(writer, { "c.ts": "fourth" });
      await writer.commit();
    });
    expect(await picture()).toEqual({ "a.ts": "second", "c.ts": "fourth" });
    expect(await (await read()).file("b.ts")).toMatchObject({
      skipped: "binary",
      hasContent: false,
    });
  });

  test("new times and notes create no new version, and readers and the next writer can read the notes", async () => {
    const { write, commit, read, picture } = testedIndex(make);
    const before = await commit({ "a.ts": "alpha" });
    const after = await write(async (writer) => {
      writer.touch({ ...plainFile("a.ts", "alpha").state, mtimeMs: 5.25 });
      writer.touch({ ...plainFile("gone.ts", "x").state, mtimeMs: 5.25 });
      writer.setNote("seen", "a");
      return writer.commit();
    });
    expect(after).toEqual(before);
    expect(await write(async (writer) => [writer.note("seen"), writer.note("other")])).toEqual([
      "a",
      undefined,
    ]);
    const reader = await read();
    expect([await reader.note("seen"), await reader.note("other")]).toEqual(["a", undefined]);
    expect(await reader.file("a.ts")).toMatchObject({ mtimeMs: 5.25, hasContent: true });
    expect(await reader.file("gone.ts")).toBeUndefined();
    expect(await picture()).toEqual({ "a.ts": "alpha" });
  });

  test("notes are committed with the changes that they describe", async () => {
    const { write, picture } = testedIndex(make);
    await write(async (writer) => {
      addPlain(writer, { "a.ts": "alpha" });
      writer.setNote("seen", "first");
      writer.setNote("seen", "last");
      await writer.commit();
    });
    expect(await write(async (writer) => writer.note("seen"))).toBe("last");
    expect(await picture()).toEqual({ "a.ts": "alpha" });
  });

  test("a writer lists the rows of all files, and of folders", async () => {
    const { write, commit } = testedIndex(make);
    await commit({
      "root.ts": "a",
      "src/one.ts": "b",
      "src/deep/two.ts": "c",
      "src-other/three.ts": "d",
      "lib/x/y/four.ts": "e",
    });
    await write(async (writer) => {
      const { state } = plainFile("src/one.ts", "b");
      addPlain(writer, { "later.ts": "f" });
      const rows = await writer.files();
      expect(rows.get("src/one.ts")).toMatchObject({ ...state, hasContent: true });
      expect([...rows.keys()].toSorted()).toEqual([
        "lib/x/y/four.ts",
        "root.ts",
        "src-other/three.ts",
        "src/deep/two.ts",
        "src/one.ts",
      ]);
      const pathsIn = async (direct: string[], recursive: string[]): Promise<readonly string[]> =>
        [...(await writer.filesIn({ direct, recursive })).keys()].toSorted();
      expect(await pathsIn([""], [])).toEqual(["root.ts"]);
      expect(await pathsIn(["src"], [])).toEqual(["src/one.ts"]);
      expect(await pathsIn([], ["src"])).toEqual(["src/deep/two.ts", "src/one.ts"]);
      expect(await pathsIn(["src"], ["lib/x"])).toEqual(["lib/x/y/four.ts", "src/one.ts"]);
      expect(await pathsIn([], [""])).toHaveLength(5);
      expect(await pathsIn(["nowhere"], ["nowhere"])).toEqual([]);
    });
  });

  test("merging changes no result and no version", async () => {
    const { write, commit, read, picture } = testedIndex(make);
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.ts`, `f${at}`]));
    for (const [path, name] of Object.entries(files)) {
      // oxlint-disable-next-line no-await-in-loop -- one version after the other
      await commit({ [path]: name });
    }
    await write(async (writer) => {
      writer.remove("3.ts");
      await writer.commit();
      // oxlint-disable-next-line no-await-in-loop -- one merge after the other
      while (await writer.merge({ quick: true }));
      // oxlint-disable-next-line no-await-in-loop -- as above
      while (await writer.merge());
      await writer.collect();
      expect(await writer.merge()).toBe(false);
    });
    const { "3.ts": _removed, ...left } = files;
    expect(await picture()).toEqual(left);
    expect((await (await read()).summary()).files).toBe(8);
  });

  embeddingsContract(make);

  test(
    "after any steps the index has exactly the committed files",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const index = testedIndex(make);
          const committed = await applySteps(index, steps);
          expect(await index.picture()).toEqual(committed);
        }),
        { numRuns: 25 },
      );
    },
  );
}

/** Writers with several embedding tables in turn. */
function embeddingsContract(make: MakeBackends): void {
  test("hasOtherEmbeddings is true once, for the first writer with another table", async () => {
    const { write, read } = testedIndex(make);
    const isOther = (embeddings?: EmbeddingSource): Promise<boolean> =>
      write(async (writer) => writer.hasOtherEmbeddings, { embeddings });
    // The index is still empty.
    expect(await isOther(SMALL)).toBe(false);
    await write((writer) => commitTokens(writer, ["a.ts"]), { embeddings: SMALL });
    expect(await (await read()).embedder()).toBe(SMALL.id);
    expect([await isOther(SMALL), await isOther(OTHER), await isOther(OTHER)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([await isOther(), await isOther()]).toEqual([true, false]);
    expect(await (await read()).embedder()).toBe("");
    expect(await isOther(SMALL)).toBe(true);
  });

  test("another table resets every file to the stage words and deletes the notes, committed or not", async () => {
    const { write, read } = testedIndex(make);
    const names = ["a.ts", "b.ts", "c.ts"];
    const using = { small: { embeddings: SMALL }, other: { embeddings: OTHER } };
    await write(async (writer) => {
      writer.put({ ...plainFile("blob", "").state, skipped: "binary" });
      writer.setNote("seen", "all");
      await commitTokens(writer, names);
    }, using.small);
    expect(await write(async (writer) => writer.note("seen"), using.small)).toBe("all");
    // Killed before any commit.
    expect(await write(async (writer) => writer.note("seen"), using.other)).toBeUndefined();
    const { stages, skipped } = await (await read()).summary();
    expect([stages, skipped]).toEqual([{ listed: 0, words: 3, complete: 0 }, { binary: 1 }]);
    expect(await nearAll(read)).toEqual([names, []]);
    // Killed after some commits.
    await write((writer) => commitTokens(writer, names.slice(0, 1)), using.other);
    await write(async (writer) => {
      expect(writer.hasOtherEmbeddings).toBe(false);
      const rows = [...(await writer.files()).values()];
      expect(Object.fromEntries(rows.map(({ path, stage }) => [path, stage]))).toEqual({
        "a.ts": "complete",
        "b.ts": "words",
        "c.ts": "words",
        blob: "complete",
      });
    }, using.other);
    expect(await nearAll(read)).toEqual([["b.ts", "c.ts"], ["a.ts"]]);
    await write((writer) => commitTokens(writer, names), using.other);
    expect(await nearAll(read)).toEqual([[], names]);
  });

  test("a file that is not final, or is written without a table, has no vectors and is found by terms", async () => {
    const { write, read } = testedIndex(make);
    await write(
      async (writer) => {
        const { state, content } = fileWith("later.ts", { text: "token\n" });
        writer.add({ ...state, stage: "words" }, { ...content, isFinal: false });
        await commitTokens(writer, ["now.ts"]);
      },
      { embeddings: SMALL },
    );
    expect(await nearAll(read)).toEqual([["now.ts"], []]);
    await write((writer) => commitTokens(writer, ["without.ts"]));
    expect(await nearAll(read)).toEqual([["now.ts"], []]);
    const query = { terms: new Map([["token", 1]]), weights: WEIGHTS, limit: 10 };
    expect((await (await read()).candidates(query)).files).toHaveLength(3);
  });
}

async function commitTokens(writer: IndexWriter, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => fileWith(path, { text: "token function\n" }));
  addAll(writer, files);
  await writer.commit();
}

/** The files similar to a query, for each table. */
async function nearAll(read: TestedIndex["read"]): Promise<readonly (readonly string[])[]> {
  return Promise.all([SMALL, OTHER].map(async (source) => near(await read(), source)));
}

async function near(reader: IndexReader, source: EmbeddingSource): Promise<readonly string[]> {
  const vector = questionOf("token function", source);
  const query = { terms: new Map<string, number>(), vector, weights: WEIGHTS, limit: 1000 };
  const { files } = await reader.candidates(query);
  return files.map(({ file }) => file.path).toSorted();
}

type Step =
  | { readonly add: number; readonly size: number }
  | { readonly remove: number }
  | { readonly skip: number }
  | { readonly do: "commit" | "merge" | "collect" | "reopen" };

const file = fc.integer({ min: 0, max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ add: file, size: fc.constantFrom(0, 0, 0, 300_000) }) },
  { weight: 2, arbitrary: fc.record({ remove: file }) },
  { weight: 1, arbitrary: fc.record({ skip: file }) },
  { weight: 3, arbitrary: fc.constant({ do: "commit" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("merge", "collect", "reopen") }) },
);

let names = 0;

/** Applies steps by writers of both processes in turn. Returns the names of the functions that they committed, by path. */
async function applySteps(
  { one, other }: TestedIndex,
  steps: readonly Step[],
): Promise<Readonly<Record<string, string>>> {
  const committed = new Map<string, string>();
  let pending = new Map<string, string | undefined>();
  let writers = 0;
  let writer = await openWriter(one);
  for (const next of steps) {
    if ("do" in next) {
      if (next.do === "reopen") {
        await writer.close();
        pending = new Map();
        writers += 1;
        // oxlint-disable-next-line no-await-in-loop -- one step after the other
        writer = await openWriter(writers % 2 === 0 ? one : other);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      await writer[next.do]();
      if (next.do !== "commit") continue;
      for (const [path, name] of pending) {
        if (name === undefined) committed.delete(path);
        else committed.set(path, name);
      }
      pending = new Map();
    } else {
      change(writer, next, pending);
    }
  }
  await writer.close();
  return Object.fromEntries(committed);
}

function change(
  writer: IndexWriter,
  next: Exclude<Step, { readonly do: unknown }>,
  pending: Map<string, string | undefined>,
): void {
  if ("add" in next) {
    const name = `name${(names += 1)}`;
    addPlain(writer, { [`${next.add}.ts`]: name }, next.size);
    pending.set(`${next.add}.ts`, name);
  } else if ("remove" in next) {
    writer.remove(`${next.remove}.ts`);
    pending.set(`${next.remove}.ts`, undefined);
  } else {
    writer.put({ ...plainFile(`${next.skip}.ts`, "").state, skipped: "binary" });
    pending.set(`${next.skip}.ts`, undefined);
  }
}
