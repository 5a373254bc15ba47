import { expect, onTestFinished, test } from "vitest";

import { whyPlace } from "../../../src/engine/why/why-target.ts";
import { indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";

const FILES = {
  "src/upload.ts": [
    "export class Uploader {",
    "  retry(): void {",
    "    this.send();",
    "  }",
    "}",
    "",
    "start();",
    "",
  ].join("\n"),
  "notes.md": "# Notes\n\nretry\n",
  ".env": "KEY=1\n",
};

async function opened(): Promise<Awaited<ReturnType<IndexedTree["queryContext"]>>> {
  const { run, queryContext, dispose } = indexedTree(FILES, { memory: true });
  onTestFinished(dispose);
  await run();
  return queryContext();
}

test("a place, a range, a file and a definition are places", async () => {
  const context = await opened();
  const place = (question: string) => whyPlace(context, question, undefined);
  expect(await place("src/upload.ts:3")).toMatchObject({
    path: "src/upload.ts",
    startLine: 3,
    endLine: 3,
    isLines: true,
    symbol: "Uploader.retry",
    name: "retry",
    scope: { startLine: 2, endLine: 4 },
  });
  expect(await place("src/upload.ts:7")).toMatchObject({
    symbol: "",
    scope: { startLine: 7, endLine: 7 },
  });
  expect(await place("src/upload.ts:2-7")).toMatchObject({ symbol: "", endLine: 7 });
  expect(await place("src/upload.ts")).toMatchObject({ startLine: 1, isLines: false });
  expect(await place("Uploader.retry")).toMatchObject({ startLine: 2, endLine: 4, isLines: false });
  expect(await place("src/upload.ts#retry")).toMatchObject({ name: "retry" });
});

test("everything else is words, unless it can only be a place", async () => {
  const context = await opened();
  const place = (question: string) => whyPlace(context, question, undefined);
  expect(await place("when did we stop retrying uploads?")).toBeUndefined();
  expect(await place("RETRY")).toBeUndefined();
  expect(await place("timeouts")).toBeUndefined();
  expect(await place("why is src/none.ts gone")).toBeUndefined();
  await expect(place("src/none.ts:12")).rejects.toMatchObject({
    code: "PATH_NOT_FOUND",
    message: expect.stringContaining('No file "src/none.ts"'),
  });
  await expect(place("none.ts")).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  await expect(place("src/upload.ts#none")).rejects.toMatchObject({ code: "SYMBOL_NOT_FOUND" });
  await expect(place("src/upload.ts:99")).rejects.toMatchObject({
    code: "PATH_NOT_FOUND",
    message: "src/upload.ts has 7 lines.",
  });
  await expect(place(".env:1")).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("the caller decides", async () => {
  const context = await opened();
  expect(await whyPlace(context, "retry", "words")).toBeUndefined();
  await expect(whyPlace(context, "no such name", "place")).rejects.toMatchObject({
    code: "SYMBOL_NOT_FOUND",
  });
});
