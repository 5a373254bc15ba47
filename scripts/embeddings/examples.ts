// The pairs in the form for the trainer: the rows of the table that each side sums, and their counts.
import type { EmbeddingTable } from "../../src/embed/embedding-table.ts";
import type { Corpus } from "./corpus.ts";
import { NumberLists } from "./number-lists.ts";

/** By example: the rows of its words, each once, and their counts. */
export interface Bags {
  readonly rows: NumberLists;
  readonly counts: NumberLists;
}

export interface Examples {
  readonly questions: Bags;
  readonly answers: Bags;
  /** By example: the number of its package; ascending. */
  readonly packages: Int32Array;
}

/** The minimum number of rows for training. */
const QUESTION_ROWS = 2;
const ANSWER_ROWS = 4;

/** `rowsOf` is that of the table at lookup time, so that training and lookup use the same rows. */
export function toExamples(corpus: Corpus, rowsOf: EmbeddingTable["rowsOf"]): Examples {
  const rowsOfWord = corpus.words.map(({ word }) => rowsOf(word));
  const questions: Bags = { rows: new NumberLists(), counts: new NumberLists() };
  const answers: Bags = { rows: new NumberLists(), counts: new NumberLists() };
  const packages: number[] = [];
  for (const [pair, packageNumber] of corpus.packages.entries()) {
    const question = countRows(corpus.questions.at(pair), rowsOfWord);
    const answer = countRows(corpus.answers.at(pair), rowsOfWord);
    if (question.size < QUESTION_ROWS || answer.size < ANSWER_ROWS) continue;
    addBag(questions, question);
    addBag(answers, answer);
    packages.push(packageNumber);
  }
  return { questions, answers, packages: Int32Array.from(packages) };
}

function countRows(
  words: Int32Array,
  rowsOfWord: readonly (readonly number[])[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const word of words) {
    for (const row of rowsOfWord[word] ?? []) counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  return counts;
}

function addBag(bags: Bags, counts: ReadonlyMap<number, number>): void {
  bags.rows.add([...counts.keys()]);
  bags.counts.add([...counts.values()]);
}
