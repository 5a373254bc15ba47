import { expect, test } from "vitest";

import { smallTexts } from "../../../src/engine/passages/small-texts.ts";

type Context = Parameters<typeof smallTexts>[0];
type TextOf = Parameters<typeof smallTexts>[1];

const TEXT = ["one", "two", "three"];
const CHUNK = { startLine: 2, endLine: 3, kind: "text", symbol: "", names: [] } as const;

function textsOf(sizes: Readonly<Record<string, number>>): ReturnType<typeof smallTexts> {
  const file = async (path: string) =>
    Promise.resolve(sizes[path] === undefined ? undefined : { size: sizes[path] });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it reads of an index
  const context = { reader: { file } } as unknown as Context;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it reads of a text
  return smallTexts(context, (async () => Promise.resolve({ lines: TEXT })) as unknown as TextOf);
}

function chunkIn(path: string, language = "markdown") {
  return { file: { path, language, role: "docs", flags: 0 } as const, chunk: CHUNK };
}

test("the lines of chunks of small files are read, and of no others", async () => {
  const read = textsOf({ "small.md": 100, "large.md": 1 << 20, "manual.pdf": 100 });
  expect(
    await read([
      chunkIn("small.md"),
      chunkIn("large.md"),
      chunkIn("manual.pdf", "pdf"),
      chunkIn("gone.md"),
    ]),
  ).toEqual(["two\nthree", undefined, undefined, undefined]);
});
