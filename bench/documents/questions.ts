// The questions about documents, with the places that answer them.
import { join } from "node:path";

import * as v from "valibot";

import { GROUPS, groupOf, readJsonLines, type Group } from "./manifest.ts";

const FOLDER = join(import.meta.dirname, "questions");

const numbers = v.optional(v.array(v.number()));
const texts = v.optional(v.array(v.string()));

/** Each kind of place is right on its own. */
const PLACES = {
  /** A file of the manifest. */
  document: v.string(),
  question: v.string(),
  pages: numbers,
  slides: numbers,
  /** Numbers of cells from 1, of all kinds. */
  cells: numbers,
  sheet: v.optional(v.string()),
  /** First and last row of the sheet. */
  rows: v.optional(v.tuple([v.number(), v.number()])),
  headings: texts,
  /** Texts of the document; one of them is in the passage. */
  text: texts,
};

const PLACED = v.object(PLACES);
const QUESTION = v.object({
  /** Questions of `judge` are never looked at while svc is improved. Documents are divided, so no document is in both. */
  set: v.picklist(["develop", "judge"]),
  ...PLACES,
});

/** A question with the places that answer it. */
export type DocumentQuestion = v.InferOutput<typeof PLACED>;

/** `further`: written later, about documents of `judge`, and judges like it. */
export type QuestionSet = v.InferOutput<typeof QUESTION>["set"] | "further";

export interface GroupQuestion extends DocumentQuestion {
  readonly group: Group;
  readonly set: QuestionSet;
}

/** Those of all groups, 20 of each. */
export function readQuestions(): readonly GroupQuestion[] {
  return GROUPS.flatMap((group) =>
    readJsonLines(join(FOLDER, `${group}.jsonl`), QUESTION).map((question) => ({
      ...question,
      group,
    })),
  );
}

/** 40 that only judge, about documents of `judge` in the formats that had the fewest right places. */
export function readFurtherQuestions(): readonly GroupQuestion[] {
  return readJsonLines(join(FOLDER, "further.jsonl"), PLACED).map((question) => ({
    ...question,
    group: groupOf(question.document),
    set: "further",
  }));
}

/** Those from which only ranking learns: no figure is for them. None is about a document of `judge`. */
export function readLearningQuestions(): readonly DocumentQuestion[] {
  return readJsonLines(join(FOLDER, "learn.jsonl"), PLACED);
}

/** Questions about the code next to the documents, with the file that answers. Only ranking learns from them, too. */
export function readCodeQuestions(): readonly DocumentQuestion[] {
  return readJsonLines(join(FOLDER, "code.jsonl"), PLACED);
}
