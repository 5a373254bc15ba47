import { describe, expect, test } from "vitest";

import { CorpusPaths } from "../../../bench/quality/corpus-paths.ts";
import { readReply } from "../../../bench/quality/reply.ts";

const FILES = ["lib/a.js", "lib/deep/b.js", "lib/index.js", "test/index.js", "docs/My Page.md"];
const paths = new CorpusPaths("/corpora/x", "lib", FILES);

function textReply(...texts: readonly string[]) {
  return readReply({ content: texts.map((text) => ({ type: "text", text })) }, paths);
}

/** `path:start-end` of each mention. */
function named(...texts: readonly string[]): readonly string[] {
  return textReply(...texts).mentions.map(({ path, start, end }) =>
    start === undefined ? path : `${path}:${start}-${end}`,
  );
}

describe("a path", () => {
  test.each([
    ["lib/a.js", "lib/a.js"],
    ["a.js", "lib/a.js"],
    ["./a.js", "lib/a.js"],
    ["/corpora/x/lib/a.js", "lib/a.js"],
    ["file:///corpora/x/docs/My%20Page.md", "docs/My Page.md"],
    ["x/lib/deep/b.js", "lib/deep/b.js"],
    ["project/deep/b.js", "lib/deep/b.js"],
    ["b.js", "lib/deep/b.js"],
    ["index.js", "lib/index.js"],
    ["lib/other/b.js", undefined],
    ["c.js", undefined],
    ["100%25.js", undefined],
    ["%zz%ff", undefined],
  ])("%s is %s", (mention, expected) => {
    expect(paths.find(mention)).toBe(expected);
  });

  test("that several files end with is none of them", () => {
    const whole = new CorpusPaths("/corpora/x", "", FILES);
    expect([whole.find("index.js"), whole.find("test/index.js")]).toEqual([
      undefined,
      "test/index.js",
    ]);
  });
});

describe("text", () => {
  test("names files at the beginning of lines", () => {
    expect(
      named(
        "a.js:1-9  name\nconst x;\n    deep/b.js is content too\n\nlib/deep/b.js:4",
        "index.js:2-3",
      ),
    ).toEqual(["lib/a.js:1-9", "lib/deep/b.js:4-4", "lib/index.js:2-3"]);
  });

  test("names a file without an extension if lines follow", () => {
    const own = new CorpusPaths("/corpora/x", "", ["LICENSE"]);
    const { mentions } = readReply(
      { content: [{ text: "LICENSE:1-27\nCopyright" }, { text: "LICENSE holds" }] },
      own,
    );
    expect(mentions).toMatchObject([{ path: "LICENSE", start: 1, end: 27 }]);
  });

  test.each([
    ["## 1. `a.js` (lines 3-7)", ["lib/a.js:3-7"]],
    ["- File: deep/b.js, line 12", ["lib/deep/b.js:12-12"]],
    ["* a.js#L3-L9", ["lib/a.js:3-9"]],
    ["a.js (10-20)", ["lib/a.js:10-20"]],
    ["📄 a.js", ["lib/a.js"]],
    ["say something about it, and then a.js", []],
  ])("in the form %s", (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test("in fences is content, but for a file that the fence names", () => {
    expect(named("```js deep/b.js\na.js\n```\na.js")).toEqual(["lib/deep/b.js", "lib/a.js"]);
  });

  test("is looked at with its indented lines where no other names a file", () => {
    expect(named("found:\n      a.js:3")).toEqual(["lib/a.js:3-3"]);
  });

  test("is about a file until it names the next", () => {
    const { mentions, characters } = textReply("Found:\na.js:1-2", "x();", "b.js:1-1");
    expect(mentions.map(({ from, to }) => [from, to])).toEqual([
      [7, 21],
      [21, 29],
    ]);
    expect(characters).toBe(29);
  });
});

describe("JSON", () => {
  const results = {
    query: { path: "a.js" },
    results: [
      { file: { path: "deep/b.js" }, startLine: 3, range: { end_line: "9" } },
      { uri: "nowhere.js" },
      { id: "a.js:7-8" },
    ],
  };
  const expected = [
    { path: "lib/deep/b.js", start: 3, end: 9 },
    { path: "lib/a.js", start: 7, end: 8 },
  ];

  test("names files in its array with most of them", () => {
    expect(textReply(JSON.stringify(results)).mentions).toMatchObject(expected);
    expect(
      textReply(results.results.map((one) => JSON.stringify(one)).join("\n")).mentions,
    ).toMatchObject(expected);
    expect(
      textReply(`Found:\n\`\`\`json\n${JSON.stringify(results)}\n\`\`\``).mentions,
    ).toMatchObject(expected);
  });

  test("comes before the text if it names files", () => {
    const content = [{ type: "text", text: "index.js" }];
    const both = readReply({ content, structuredContent: results }, paths);
    expect(both.mentions).toMatchObject(expected);
    const empty = readReply({ content, structuredContent: {} }, paths);
    expect(empty.mentions).toMatchObject([{ path: "lib/index.js" }]);
  });

  test("that names no file leaves it to the text", () => {
    expect(named('[note] x\na.js\n```json\n{"a": 1}\n```')).toEqual(["lib/a.js"]);
  });

  test("of one file counts as one result", () => {
    expect(textReply('{"path":"a.js"}').mentions).toEqual([{ path: "lib/a.js", from: 0, to: 15 }]);
  });
});

test("notes are the parts that are no passage", () => {
  const { notes } = readReply(
    {
      content: [
        { type: "text", text: "a.js:1-2  open\nfunction open() {" },
        { type: "text", text: "b.js:3-4" },
        { type: "text", text: "More results.", _meta: { "dev.svc/partial": false } },
        { type: "text", text: "The end." },
      ],
    },
    paths,
  );
  expect(notes).toBe("More results.\nThe end.");
});

test("a failure of the tool, and what is no result, is thrown", () => {
  const content = [{ type: "text", text: "INVALID_QUERY" }];
  expect(() => readReply({ content, isError: true }, paths)).toThrow("INVALID_QUERY");
  expect(() => readReply({}, paths)).toThrow("content");
});
