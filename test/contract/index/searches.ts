import { expect, test } from "vitest";

import { allOf, anyOf, literal, type LiteralQuery } from "../../../src/index/literal-query.ts";
import type { IndexReader, IndexWriter } from "../../../src/index/port.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import { nearly, picture, WEIGHTS } from "../../helpers/expect-candidates.ts";
import { naive } from "../../helpers/naive-candidates.ts";
import { questionOf, SMALL } from "../../helpers/vectors.ts";
import { addAll, fileWith, testedIndex, type MakeBackends } from "./tested-index.ts";

const TEXT_FILES = [
  fileWith("docs/a.md", {
    text: "# Tokens\nparse the token\n",
    role: "docs",
    language: "markdown",
  }),
  fileWith("src/parse.ts", {
    text: "function parse() {\n  server token token\n}\n\nconfig http\n",
    chunks: [
      { startLine: 1, endLine: 3, kind: "function", symbol: "parse", names: ["parse"] },
      { startLine: 5, endLine: 5, kind: "module", symbol: "", names: [] },
    ],
  }),
  fileWith("src/user.ts", { text: "user server\n" }),
  fileWith("test/user.test.ts", { text: "user user user\n", role: "tests" }),
  fileWith("empty.txt", { text: "", chunks: [], language: "" }),
];

/** Searches by terms, vectors and text, within the time and until the call is aborted. */
export function searchesContract(make: MakeBackends): void {
  test("files have the scores of the formulas, by terms and by vectors", async () => {
    const { write, read } = testedIndex(make);
    await write(
      (writer) => {
        addAll(writer, TEXT_FILES);
        return writer.commit();
      },
      { embeddings: SMALL },
    );
    const reader = await read();
    const part = {
      files: TEXT_FILES.map(({ content }) => content),
      dead: TEXT_FILES.map(() => 0),
      embeddings: SMALL,
    };
    for (const text of ["parse token", "user", "http server config", "absent"]) {
      const terms = new Map(text.split(" ").map((term) => [term, 1]));
      for (const vector of [questionOf(text, SMALL), undefined]) {
        const query = { terms, vector, weights: WEIGHTS, limit: 1000 };
        // oxlint-disable-next-line no-await-in-loop -- one query after the other
        const found = await reader.candidates(query);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await picture(found)).toEqual(nearly(naive([part], { terms, vector })));
      }
    }
  });

  test("a filter and a limit select the beginning of the matching files", async () => {
    const { write, read } = testedIndex(make);
    await write((writer) => {
      addAll(writer, TEXT_FILES);
      return writer.commit();
    });
    const query = {
      terms: new Map([["user", 1]]),
      weights: WEIGHTS,
      limit: 1,
      filter: ({ role }: { readonly role: string }) => role === "tests",
    };
    const { files, isComplete } = await (await read()).candidates(query);
    expect(files.map(({ file }) => file)).toEqual([
      { path: "test/user.test.ts", language: "typescript", role: "tests", flags: 0 },
    ]);
    expect(isComplete).toBe(true);
  });

  test("words and vectors are those of the masked text; text search reads all of it", async () => {
    const masked = "const key = ****************\nserver of tokens\n";
    const text = "const key = zebraquaggaokapi\nserver of tokens\n";
    const { state, content } = fileWith("src/key.ts", { text });
    const hidden = { state, content: { ...content, maskedBytes: Buffer.from(masked) } };
    const plain = fileWith("src/key.ts", { text: masked });
    const readerOf = async (file: typeof plain): Promise<IndexReader> => {
      const { write, read } = testedIndex(make);
      const add = (writer: IndexWriter): Promise<unknown> => {
        addAll(writer, [file]);
        return writer.commit();
      };
      await write(add, { embeddings: SMALL });
      return read();
    };
    const reader = await readerOf(hidden);
    const terms = ["zebraquaggaokapi", "key", "server"];
    const vector = questionOf("server tokens", SMALL);
    const query = { terms: new Map([["server", 1]]), vector, weights: WEIGHTS, limit: 10 };
    const seen = async (one: IndexReader): Promise<unknown> => ({
      counts: await one.termCounts(terms),
      candidates: await picture(await one.candidates(query)),
    });
    expect(await reader.termCounts(terms)).toEqual([0, 1, 1]);
    expect(await seen(reader)).toEqual(await seen(await readerOf(plain)));
    expect(await candidates(reader, literal("zebraquagga"))).toEqual(["src/key.ts"]);
  });

  test("terms have the number of their chunks, and the corpus its shares", async () => {
    const { write, read } = testedIndex(make);
    await write((writer) => {
      addAll(writer, TEXT_FILES);
      return writer.commit();
    });
    const reader = await read();
    const terms = ["token", "user", "absent", "token", "config"];
    expect(await reader.termCounts(terms)).toEqual([2, 2, 0, 2, 1]);
    const { code, languages } = await reader.corpusStats();
    expect(code).toBeCloseTo(4 / 5, 12);
    expect(Object.fromEntries(languages)).toEqual({
      typescript: 3 / 5,
      markdown: 1 / 5,
      "": 1 / 5,
    });
  });

  test("candidates for a text come in path order, after a path, and through a filter", async () => {
    const { commit, read } = testedIndex(make);
    const names = ["z.ts", "b/a.ts", "\u{1F600}.ts", "a.ts", "\uFFFD.ts", "b.ts"];
    const files = Object.fromEntries(names.map((path) => [path, "alpha"]));
    await commit(files);
    await commit({ "c.ts": "alpha", "b.ts": "alpha", "other.ts": "beta" });
    const reader = await read();
    // In the order of UTF-16 code units.
    const all = ["a.ts", "b.ts", "b/a.ts", "c.ts", "z.ts", "\u{1F600}.ts", "\uFFFD.ts"];
    expect(await candidates(reader, literal("alpha"))).toEqual(all);
    expect(await candidates(reader, literal("alpha"), { after: "b.ts" })).toEqual(all.slice(2));
    expect(await candidates(reader, literal("alpha"), { after: "b" })).toEqual(all.slice(1));
    expect(await candidates(reader, literal("alpha"), { filter: beginsWithB })).toEqual([
      "b.ts",
      "b/a.ts",
    ]);
  });

  test("no candidate is missed, whatever the case of the text and the form of the query", async () => {
    const { write, read } = testedIndex(make);
    const texts = {
      "a.md": "Alpha and BETA\n",
      "b.md": "alphabet\n",
      "c.md": "beta only\n",
      "d.md": "\u212aelvin \u017fign, größe\n",
      "e.md": "",
    };
    await write((writer) => {
      addAll(
        writer,
        Object.entries(texts).map(([path, text]) => fileWith(path, { text })),
      );
      return writer.commit();
    });
    const reader = await read();
    const found = (query: LiteralQuery): Promise<readonly string[]> => candidates(reader, query);
    expect(await found(literal("ALPHA"))).toEqual(expect.arrayContaining(["a.md", "b.md"]));
    expect(await found(literal("kelvin sign"))).toContain("d.md");
    expect(await found(literal("größe"))).toContain("d.md");
    expect(await found(allOf([literal("alpha"), literal("beta")]))).toContain("a.md");
    expect(await found(allOf([literal("alpha"), literal("beta")]))).not.toContain("c.md");
    expect(await found(anyOf([literal("alphabet"), literal("only")]))).toEqual(
      expect.arrayContaining(["b.md", "c.md"]),
    );
    expect(await found(literal("nowhere to be found"))).toEqual([]);
    expect(await found({ kind: "all" })).toEqual(Object.keys(texts));
  });

  test("files that are only listed are text candidates, but no term finds them; skipped files are none", async () => {
    const { write, commit, read } = testedIndex(make);
    await write(async (writer) => {
      const { state } = plainFile("b.ts", "beta");
      writer.put({ ...state, stage: "listed", hash: "", chunks: 0, symbols: 0 });
      writer.put({ ...plainFile("c.bin", "").state, skipped: "binary" });
      await writer.commit();
    });
    const listed = await read();
    expect([listed.hasWords, await candidates(listed, literal("anything"))]).toEqual([
      false,
      ["b.ts"],
    ]);
    await commit({ "a.ts": "alpha", "d.ts": "delta" });
    const reader = await read();
    expect(reader.hasWords).toBe(true);
    expect(await candidates(reader, literal("function delta"))).toEqual(["b.ts", "d.ts"]);
    expect(await pathsWith(reader, "beta")).toEqual([]);
    // A file listed in the version of the reader and read since then is still found.
    await commit({ "b.ts": "beta" });
    expect(await candidates(reader, literal("function beta"))).toEqual(["b.ts"]);
    expect(await candidates(listed, literal("function beta"))).toEqual(["b.ts"]);
  });

  test("results after the deadline are left out, and the reader reports that", async () => {
    const { write, read } = testedIndex(make);
    await write((writer) => {
      addPlain(writer, { "a.ts": "alpha", "b.ts": "alpha" });
      return writer.commit();
    });
    const late = await read({ deadline: -1 });
    const query = { terms: new Map([["alpha", 1]]), weights: WEIGHTS, limit: 10 };
    expect(await late.candidates(query)).toMatchObject({ files: [], isComplete: false });
    expect(await candidates(late, literal("alpha"))).toEqual([]);
    expect(late.partial).toHaveLength(2);
    const early = await read({ deadline: Infinity });
    expect(await pathsWith(early, "alpha")).toEqual(["a.ts", "b.ts"]);
    expect(early.partial).toEqual([]);
  });

  test("an aborted reader throws TIMEOUT at its next query", async () => {
    const { commit, read } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    const controller = new AbortController();
    const reader = await read({ signal: controller.signal });
    expect(await pathsWith(reader, "alpha")).toEqual(["a.ts"]);
    controller.abort();
    const timeout = { code: "TIMEOUT" };
    await expect(pathsWith(reader, "alpha")).rejects.toMatchObject(timeout);
    await expect(candidates(reader, literal("alpha"))).rejects.toMatchObject(timeout);
    await expect(reader.usesOf("alpha")).rejects.toMatchObject(timeout);
  });
}

function beginsWithB({ path }: { readonly path: string }): boolean {
  return path.startsWith("b");
}

async function candidates(
  reader: IndexReader,
  query: LiteralQuery,
  options: Parameters<IndexReader["textCandidates"]>[1] = {},
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(query, options)) paths.push(path);
  return paths;
}
