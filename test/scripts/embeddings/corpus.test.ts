import { expect, test } from "vitest";

import { readCorpus, type Corpus } from "../../../scripts/embeddings/corpus.ts";
import { chooseVocabulary } from "../../../scripts/embeddings/vocabulary.ts";
import { sharedGrammars } from "../../chunk/helpers.ts";

const documented = (comment: string, code: string): string =>
  `/** ${comment} */\nexport const value = ${code};\n`;

/** Packages of TypeScript files by path; those in `asked/` are held out. */
async function read(...packages: readonly Readonly<Record<string, string>>[]): Promise<Corpus> {
  const sources = packages.map((files, number) => ({
    name: `package${number}`,
    files: Object.entries(files).map(([path, text]) => ({ path, language: "typescript", text })),
  }));
  const grammars = await sharedGrammars();
  return readCorpus(sources, { grammars, isHeldOut: (path) => path.startsWith("asked/") });
}

/** The words of a pair, in their order. */
function wordsOf({ words, questions, answers }: Corpus, pair: number): string[] {
  return [questions, answers].map((lists) =>
    Array.from(lists.at(pair), (number) => words[number]?.word).join(" "),
  );
}

test("the words of a pair are counted, and the name of the file counts for the answer", async () => {
  const corpus = await read({ "src/numbers.ts": documented("Adds up two numbers.", "addUp(two)") });
  expect(wordsOf(corpus, 0)).toEqual([
    "adds up two numbers",
    "numbers export const value add up two",
  ]);
  expect(corpus.words.find(({ word }) => word === "two")).toMatchObject({
    occurrences: 2,
    files: 1,
    packages: 1,
  });
});

test("files and packages that have a word are counted once each", async () => {
  const corpus = await read(
    {
      "a.ts": documented("Adds up two numbers.", "first(numbers)"),
      "b.ts": documented("Takes away two numbers.", "second(numbers)"),
    },
    { "c.ts": documented("Adds up three numbers.", "third(numbers)") },
  );
  expect(corpus.words.find(({ word }) => word === "numbers")).toMatchObject({
    occurrences: 6,
    files: 3,
    packages: 2,
  });
  expect(corpus.packages).toEqual([0, 0, 1]);
});

test("held-out packages are not counted", async () => {
  const corpus = await read({
    "asked/a.ts": documented("Adds up two numbers.", "addUp(two)"),
    "b.ts": documented("Takes away two numbers.", "takeAway(two)"),
  });
  expect(corpus.heldOut.map(({ question }) => question)).toEqual(["Adds up two numbers."]);
  expect(corpus.packages).toHaveLength(1);
  expect(corpus.words.map(({ word }) => word)).not.toContain("adds");
});

test("a question that comes again in its package counts once, also when it is held out", async () => {
  const corpus = await read(
    {
      "a.ts": documented("Adds up two numbers.", "addUp(two)"),
      "asked/b.ts": documented("Adds up two numbers.", "addUp(three)"),
      "c.ts": documented("adds up two numbers.", "addUp(four)"),
    },
    { "a.ts": documented("Adds up two numbers.", "addUp(five)") },
  );
  expect(corpus.heldOut).toEqual([]);
  expect(corpus.packages).toEqual([0, 1]);
});

test("a pair that comes again in another package counts once", async () => {
  const copied = documented("Adds up two numbers.", "addUp(two)");
  const corpus = await read({ "a.ts": copied }, { "asked/b.ts": copied }, { "c.ts": copied });
  expect(corpus.packages).toEqual([0]);
  expect(corpus.heldOut).toEqual([]);
});

test("words of most packages get a row first, then those of most files", () => {
  const counts = [
    { word: "rare", occurrences: 3, files: 3, packages: 3 },
    { word: "local", occurrences: 100, files: 1, packages: 1 },
    { word: "common", occurrences: 50, files: 9, packages: 1 },
    { word: "b", occurrences: 10, files: 9, packages: 2 },
    { word: "a", occurrences: 10, files: 9, packages: 2 },
    { word: "x".repeat(25), occurrences: 90, files: 9, packages: 2 },
  ];
  const { words, probabilities } = chooseVocabulary(counts, 10);
  expect(words).toEqual(["a", "b", "common"]);
  expect([...probabilities]).toEqual([10 / 70, 10 / 70, 50 / 70]);
  expect(chooseVocabulary(counts, 2).words).toEqual(["a", "b"]);
});
