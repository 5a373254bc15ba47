import { expect, test } from "vitest";

import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { addAll, fileWith, testedIndex, type MakeBackends } from "./tested-index.ts";

/** Rows of files, and statistics of all files together. */
export function filesContract(make: MakeBackends): void {
  test("a row has all of the file's state, and whether its content is indexed", async () => {
    const { write, read } = testedIndex(make);
    const whole = fileWith(
      "a.go",
      { text: "package a\n", language: "go", role: "tests", flags: 5 },
      {
        source: 7,
        mtimeMs: 1_700_000_000_000.25,
        inode: 2 ** 40,
        indexedMs: 1_700_000_000_001,
        problem: { reason: "time", by: "0.9.0" },
      },
    );
    const listed = { ...plainFile("b.ts", "").state, stage: "listed", hash: "" } as const;
    const words = fileWith("c.ts", {}, { stage: "words" });
    await write(async (writer) => {
      addAll(writer, [whole, words]);
      writer.put(listed);
      await writer.commit();
    });
    const reader = await read();
    expect(await reader.file("a.go")).toMatchObject({ ...whole.state, hasContent: true });
    expect(await reader.file("b.ts")).toMatchObject({ ...listed, hasContent: false });
    expect(await reader.file("c.ts")).toMatchObject({ stage: "words", hasContent: true });
    expect(await reader.file("c.ts")).not.toHaveProperty("problem");
    expect(await reader.file("none.ts")).toBeUndefined();
    const facts = await Promise.all(["a.go", "b.ts", "none.ts"].map(reader.factsOf));
    expect(facts).toEqual([
      { path: "a.go", language: "go", role: "tests", flags: 5 },
      { path: "b.ts", language: listed.language, role: listed.role, flags: listed.flags },
      undefined,
    ]);
    expect([await reader.symbolsOf("b.ts"), await reader.scopeOf("b.ts")]).toEqual([[], undefined]);
  });

  test("a file whose content is dropped has no results any more", async () => {
    const { write, commit, read } = testedIndex(make);
    await commit({ "a.ts": "alpha", "b.ts": "beta" });
    await write(async (writer) => {
      writer.put({ ...plainFile("a.ts", "alpha").state, skipped: "too-large" });
      await writer.commit();
    });
    const reader = await read();
    expect(await reader.symbolsNamed("alpha", 5)).toEqual([]);
    expect(await reader.symbolsOf("a.ts")).toEqual([]);
    expect((await reader.fileTree()).has("a.ts")).toBe(true);
    expect(await reader.summary()).toMatchObject({ files: 1, skipped: { "too-large": 1 } });
  });

  test("the summary counts files by stage, reason and problem, the most frequent reason first", async () => {
    const { write, read } = testedIndex(make);
    const { state } = plainFile("plain", "");
    const none = { chunks: 0, symbols: 0 };
    await write(async (writer) => {
      addAll(writer, [
        fileWith("a.ts", { text: "1234\n" }, { chunks: 3, symbols: 4 }),
        fileWith("b.ts", { text: "12\n" }, { chunks: 1, symbols: 2, stage: "words" }),
        fileWith("c.ts", { text: "1\n" }, { ...none, problem: { reason: "time", by: "1" } }),
      ]);
      writer.put({ ...state, ...none, path: "d.ts", stage: "listed", hash: "" });
      for (const [path, skipped] of [
        ["x.bin", "binary"],
        ["y.min.js", "minified"],
        ["z.min.js", "minified"],
      ] as const) {
        writer.put({ ...state, ...none, path, skipped });
      }
      await writer.commit();
    });
    const reader = await read();
    const { indexedAt, ...summary } = await reader.summary();
    expect(summary).toEqual({
      files: 3,
      chunks: 4,
      symbols: 6,
      bytes: 10,
      stages: { listed: 1, words: 1, complete: 2 },
      skipped: { minified: 2, binary: 1 },
      problems: { time: 1 },
    });
    expect(Object.keys(summary.skipped)).toEqual(["minified", "binary"]);
    expect(Date.now() - Date.parse(indexedAt ?? "")).toBeLessThan(60_000);
    const minified = { reason: "minified" };
    const skipped = [
      { path: "x.bin", reason: "binary" },
      { path: "y.min.js", ...minified },
      { path: "z.min.js", ...minified },
    ];
    expect(await reader.skippedFiles(10)).toEqual(skipped);
    expect(await reader.skippedFiles(2)).toEqual(skipped.slice(0, 2));
    expect(await reader.problemFiles(10)).toEqual([{ path: "c.ts", reason: "time" }]);
    expect(await reader.problemFiles(0)).toEqual([]);
  });

  test("counts follow changed and removed files", async () => {
    const { write, read } = testedIndex(make);
    await write(async (writer) => {
      addAll(writer, [
        fileWith("a.ts", { text: "1234\n" }, { problem: { reason: "time", by: "1" } }),
        fileWith("b.ts", { text: "12\n" }),
      ]);
      await writer.commit();
      addAll(writer, [fileWith("a.ts", { text: "1\n" })]);
      writer.remove("b.ts");
      await writer.commit();
    });
    expect(await (await read()).summary()).toMatchObject({
      files: 1,
      bytes: 2,
      stages: { listed: 0, words: 0, complete: 1 },
      skipped: {},
      problems: {},
    });
  });

  test("the tree has all files, also those without content, and no removed one", async () => {
    const { write, commit, read } = testedIndex(make);
    await commit({ "src/a/lib.rs": "a", "src/b/lib.rs": "b", "README.md": "c", "src/old.rs": "d" });
    await write(async (writer) => {
      writer.put({ ...plainFile("src/a/blob.bin", "").state, skipped: "binary" });
      writer.remove("src/old.rs");
      await writer.commit();
    });
    const tree = await (await read()).fileTree();
    expect([tree.filesIn(""), tree.foldersIn("")]).toEqual([["README.md"], ["src"]]);
    expect([tree.filesIn("src"), tree.foldersIn("src")]).toEqual([[], ["a", "b"]]);
    expect(tree.filesIn("src/a")).toEqual(["blob.bin", "lib.rs"]);
    expect(tree.named("lib.rs")).toEqual(["src/a/lib.rs", "src/b/lib.rs"]);
    expect([tree.has("src/a/blob.bin"), tree.has("src/old.rs"), tree.has("src")]).toEqual([
      true,
      false,
      false,
    ]);
  });
}
