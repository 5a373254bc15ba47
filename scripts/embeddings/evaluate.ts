// Measures whether a table finds the code of a comment among the code of all held-out comments.
import { scanWords } from "../../src/parse/tokenizer.ts";
import { Pooler } from "../../src/embed/pooler.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import type { Pair } from "./pairs.ts";
import { permutation, randomFrom } from "./random.ts";

/** The vector of a text, as the program stores it; all vectors have about the same length. */
type Embed = (text: string) => Int8Array;

/** With fewer comments, a figure is luck. */
export const MIN_QUESTIONS = 20;
/** More comments do not make the figure more accurate, and the cost is quadratic. */
const MAX_QUESTIONS = 2000;
const MAX_RANK = 10;

/** The comments with their code: all, or 2000 of them that the seed determines. */
export function questionsOf(heldOut: readonly Pair[], seed: number): Pair[] {
  const pairs = heldOut.filter(({ kind }) => kind === "comment");
  if (pairs.length <= MAX_QUESTIONS) return pairs;
  const chosen = permutation(pairs.length, randomFrom(seed)).subarray(0, MAX_QUESTIONS);
  return Array.from(chosen, (index) => pairs[index]).filter((pair) => pair !== undefined);
}

/** Embeds with a packed table, like the program. */
export function createEmbedder(bytes: Uint8Array): Embed {
  const table = readEmbeddingTable(bytes);
  const pooler = new Pooler(table);
  return (text) => {
    scanWords(text, (word) => {
      for (const row of table.rowsOf(word)) pooler.count(row);
    });
    return pooler.finishQuery();
  };
}

/**
 * Mean reciprocal rank at 10 of comments among the code of all: 1 if each finds its own code first, 0 if
 * none does among the first ten. Among equally close ones, the right one counts as the last.
 */
export function meanReciprocalRank(questions: readonly Pair[], embed: Embed): number {
  const answers = questions.map(({ answer }) => embed(answer));
  let sum = 0;
  for (const [index, { question }] of questions.entries()) {
    const vector = embed(question);
    const bar = dot(vector, answers[index] ?? vector);
    let rank = 0;
    for (const answer of answers) if (dot(vector, answer) >= bar) rank += 1;
    if (rank <= MAX_RANK) sum += 1 / rank;
  }
  return sum / questions.length;
}

function dot(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
