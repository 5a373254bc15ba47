import { expect, test } from "vitest";

import { meanReciprocalRank, questionsOf } from "../../../scripts/embeddings/evaluate.ts";
import type { Pair } from "../../../scripts/embeddings/pairs.ts";

/** A number is the vector with that number in it. */
const embed = (text: string): Int8Array => Int8Array.from(text.split(" "), Number);

const pair = (question: string, answer: string): Pair => ({ kind: "comment", question, answer });

test("the mean reciprocal rank is that of the own answers", () => {
  const found = [pair("1 0", "9 0"), pair("0 1", "0 9"), pair("1 0", "5 0"), pair("9 1", "0 0")];
  // First; first; second after the answer of the first; last of four.
  expect(meanReciprocalRank(found, embed)).toBe((1 + 1 + 1 / 2 + 1 / 4) / 4);
});

test("an answer after the tenth counts nothing", () => {
  const better = Array.from({ length: 10 }, (_, index) => pair("0 1", `${index + 2} 0`));
  const last = pair("1 0", "1 0");
  expect(meanReciprocalRank([...better.slice(1), last], embed)).toBeCloseTo(1 / 10);
  expect(meanReciprocalRank([...better, last], embed)).toBe(0);
});

test("equal answers find nothing: the right one counts as the last of them", () => {
  const alike = Array.from({ length: 20 }, () => pair("1 1", "1 1"));
  expect(meanReciprocalRank(alike, embed)).toBe(0);
});

test("only comments are evaluated, up to 2000 of them", () => {
  const heldOut: Pair[] = [
    { kind: "heading", question: "a", answer: "b" },
    ...Array.from({ length: 3000 }, (_, index) => pair(String(index), "")),
  ];
  const chosen = questionsOf(heldOut, 1);
  expect(new Set(chosen).size).toBe(2000);
  expect(chosen.every(({ kind }) => kind === "comment")).toBe(true);
  expect(questionsOf(heldOut, 1)).toEqual(chosen);
  expect(questionsOf(heldOut.slice(0, 4), 1)).toEqual(heldOut.slice(1, 4));
});
