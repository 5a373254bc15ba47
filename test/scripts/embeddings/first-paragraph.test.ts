import { expect, test } from "vitest";

import { firstParagraph, isProseParagraph } from "../../../scripts/embeddings/first-paragraph.ts";

test.each([
  [
    "the tags of JSDoc",
    "Reads the file at a path, if it is there.\n@param path where",
    "Reads the file at a path, if it is there.",
  ],
  [
    "a tag that begins it",
    "@brief Reads the file at a path.\n@return bytes",
    "Reads the file at a path.",
  ],
  ["nothing but tags", "@param path where", ""],
  [
    "the fields of reStructuredText",
    "Reads the file at a path, if it is there.\n:param path: where",
    "Reads the file at a path, if it is there.",
  ],
  [
    "the sections of Google",
    "Reads the file at a path, if it is there.\n\nArgs:\n  path: where",
    "Reads the file at a path, if it is there.",
  ],
  [
    "the headings of Rust",
    "Reads the file at a path, if it is there.\n\n# Examples\n\n```\nread()\n```",
    "Reads the file at a path, if it is there.",
  ],
  [
    "XML",
    "<summary>\nReads the <c>file</c> at a path, if there is one.\n</summary>",
    "Reads the file at a path, if there is one.",
  ],
  [
    "links",
    "Reads the {@link File} at a path, if `path` is there.",
    "Reads the File at a path, if path is there.",
  ],
  [
    "roles",
    "Reads the :class:`~io.File` at a path, if it is there.",
    "Reads the io.File at a path, if it is there.",
  ],
  [
    "a second paragraph",
    "Reads the file at a path, line after line.\n\nMore.",
    "Reads the file at a path, line after line.",
  ],
  [
    "a title before the first",
    "Read.\n\nReads the file\nat a path.",
    "Read. Reads the file at a path.",
  ],
])("without %s", (_what, comment, paragraph) => {
  expect(firstParagraph(comment)).toBe(paragraph);
});

test("a long paragraph ends with a sentence, or else between words", () => {
  const sentence = "Reads the file at a path, line after line.";
  expect(firstParagraph(`${sentence} ${"and so on ".repeat(40)}`)).toBe(sentence);
  expect(firstParagraph("and so on ".repeat(40)).length).toBeLessThanOrEqual(240);
  expect(firstParagraph("and so on ".repeat(40))).toMatch(/(?:and|so|on)$/);
});

test.each([
  ["Reads the file at a path.", true],
  ["Reads it.", false],
  ["Copyright (c) 2020 the authors of this file", false],
  ["eslint-disable-next-line no-console", false],
  ["if (a[0] === b[1]) { return c => d + 1; }", false],
  ["Читает файл по указанному пути, если он есть", false],
])("%j is prose: %j", (paragraph, is) => {
  expect(isProseParagraph(paragraph)).toBe(is);
});
