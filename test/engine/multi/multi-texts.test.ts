import { onTestFinished, expect, test } from "vitest";

import { multiTexts } from "../../../src/engine/multi/multi-texts.ts";
import type { TextReader, TextResult } from "../../../src/sources/text/port.ts";
import { localTexts } from "../../../src/sources/text/local-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { tree } from "../../helpers/tree.ts";

function textsOf(files: Parameters<typeof tree>[0], namespace: string): TextReader {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  const source = { id: 1, namespace, root: path, prefix: "", identity: undefined, url: undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- reading needs no more of a source
  return localTexts().open(authorized(namespace), [source as never]);
}

function textIn(result: TextResult): string {
  return "problem" in result ? result.problem : result.text;
}

test("each path is read in its namespace, now and ahead; others have no text", async () => {
  const texts = multiTexts(
    new Map([
      ["one", textsOf({ "a.md": "first\n", "sub/b.md": "below\n" }, "one")],
      ["other", textsOf({ "a.md": "second\n" }, "other")],
    ]),
  );
  const expected = [
    ["one/a.md", "first\n"],
    ["other/a.md", "second\n"],
    ["one/sub/b.md", "below\n"],
    ["other/sub/b.md", "gone"],
    ["third/a.md", "gone"],
    ["a.md", "gone"],
    ["one/../other/a.md", "outside"],
  ] as const;
  const readNow = await texts.prefetch(expected.map(([path]) => path));
  for (const [path, text] of expected) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    expect([path, textIn(await texts.read(path))]).toEqual([path, text]);
    expect([path, textIn(readNow(path))]).toEqual([path, text]);
  }
  expect(await texts.stampOf("one/a.md")).not.toBe("");
  expect(await texts.stampOf("third/a.md")).toBe("");
});
