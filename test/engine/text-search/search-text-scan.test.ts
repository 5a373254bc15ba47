// search_text with an index finds the same lines as a scan without an index.
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { TextSearchRequest } from "../../../src/engine/api/search-text.ts";
import { compilePattern } from "../../../src/engine/text-search/text-pattern.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";
import { textIn } from "../../helpers/picture.ts";

interface Question {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** The answer, computed line by line without an index. */
function naive(files: Readonly<Record<string, Content>>, question: Question): string[] {
  const pattern = compilePattern(question.pattern, question);
  return Object.keys(files)
    .toSorted()
    .flatMap((path) => {
      const lines = (files[path]?.text ?? "").split(/\r?\n/);
      if (lines.at(-1) === "") lines.pop();
      // With the line end, so that an empty line is a line.
      return lines.flatMap((line, at) =>
        pattern(`${line}\n`).length > 0 ? [`${path}:${at + 1}`] : [],
      );
    });
}

interface Content {
  readonly text: string;
  readonly bytes: Buffer;
}

const LETTERS = Array.from("abcABkK1_ .-()\tü漢😀\u2028\u212a\r");
const line = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 12 });
const content = fc
  .tuple(
    fc.array(line, { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.constantFrom("utf8", "utf8", "marked", "utf16le", "utf16be"),
  )
  .map(([lines, end, ended, encoding]): Content => {
    const text = lines.join(end) + (ended ? end : "");
    if (encoding === "utf8") return { text, bytes: Buffer.from(text) };
    if (encoding === "marked") return { text, bytes: Buffer.from(`\ufeff${text}`) };
    const units = Buffer.from(`\ufeff${text}`, "utf16le");
    return { text, bytes: encoding === "utf16le" ? units : units.swap16() };
  });
const corpus = fc.dictionary(
  fc.constantFrom("a.txt", "b.md", "src/c.txt", "d.txt", "src-d/ü.txt"),
  content,
  { minKeys: 1 },
);

const atom = fc.constantFrom(
  ...Array.from("abcABk1_ ü漢😀"),
  ".",
  "\\w",
  "\\d",
  "\\s",
  "[ab]",
  "[^a]",
  "\\.",
  "\\b",
  "^",
  "$",
);
const quantified = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{1,2}", "*?", "{2}", "{3,17}"))
  .map(([one, times]) => (/^(?:\\b|\^|\$)$/.test(one) ? one : one + times));
const sequence = fc.array(quantified, { minLength: 1, maxLength: 4 }).map((all) => all.join(""));
const regex = fc.oneof(
  sequence,
  fc.tuple(sequence, sequence).map(([one, other]) => `(?:${one}|${other})+`),
  fc.tuple(sequence, sequence).map(([one, other]) => `${one}|(${other})`),
);
const question: fc.Arbitrary<Question> = fc
  .tuple(
    fc.boolean(),
    regex,
    line.filter((text) => text !== ""),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([isRegex, expression, text, caseSensitive, wholeWord]) => ({
    pattern: isRegex ? expression : text,
    isRegex,
    caseSensitive,
    wholeWord,
  }));

test("the search finds the same lines as a scan line by line", { timeout: 60_000 }, async () => {
  const questions = fc.array(question, { minLength: 5, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(corpus, questions, async (files, asked) => {
      const indexed = indexedTree(
        Object.fromEntries(Object.entries(files).map(([path, { bytes }]) => [path, bytes])),
      );
      try {
        await indexed.run();
        for (const one of asked) {
          const expected = naive(files, one);
          const paths = [...new Set(expected.map((match) => match.replace(/:\d+$/, "")))];
          const ask = (output: TextSearchRequest["output"]) =>
            textIn(indexed, one.pattern, { ...one, output });
          const [byLine, byFile, count] = [
            await ask("matches"),
            await ask("files"),
            await ask("count"),
          ];
          const found = byLine.matches.map(({ path, line: at }) => `${path}:${at}`);
          expect([one, found]).toEqual([one, expected]);
          expect(byFile.files.map(({ path }) => path)).toEqual(paths);
          for (const answer of [byLine, byFile, count]) {
            expect(answer).toMatchObject({
              totalMatches: expected.length,
              totalFiles: paths.length,
              isComplete: true,
              isPartial: false,
            });
          }
        }
      } finally {
        indexed.dispose();
      }
    }),
    { numRuns: 40 },
  );
});
