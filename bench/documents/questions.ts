// The questions about documents, with the places that answer them.
import { join } from "node:path";

import * as v from "valibot";

import { GROUPS, groupOf, readJsonLines, type Group } from "./manifest.ts";

const FOLDER = join(import.meta.dirname, "questions");

const numbers = v.optional(v.array(v.number()));
const texts = v.optional(v.array(v.string()));

/** A match of any one kind of place is enough. */
const PLACES = {
  /** A file from the manifest. */
  document: v.string(),
  question: v.string(),
  pages: numbers,
  slides: numbers,
  /** Cell numbers from 1, counting cells of all kinds. */
  cells: numbers,
  sheet: v.optional(v.string()),
  /** First and last row of the sheet. */
  rows: v.optional(v.tuple([v.number(), v.number()])),
  headings: texts,
  /** Texts from the document; the passage must contain one of them. */
  text: texts,
};

const PLACED = v.object(PLACES);
const QUESTION = v.object({
  /**
   * Nobody looks at the questions of `judge` while improving svc. The documents are divided, so none is in both sets.
   */
  set: v.picklist(["develop", "judge"]),
  ...PLACES,
});

/** A question with the places that answer it. */
export type DocumentQuestion = v.InferOutput<typeof PLACED>;

/** `further`: written later about documents of `judge`, and used only for judging, too. */
export type QuestionSet = v.InferOutput<typeof QUESTION>["set"] | "further";

export interface GroupQuestion extends DocumentQuestion {
  readonly group: Group;
  readonly set: QuestionSet;
}

/** The questions of all groups, 20 for each group. */
export function readQuestions(): readonly GroupQuestion[] {
  return GROUPS.flatMap((group) =>
    readJsonLines(join(FOLDER, `${group}.jsonl`), QUESTION).map((question) => ({
      ...question,
      group,
    })),
  );
}

/** 40 questions only for judging, about documents of `judge` in the formats with the fewest right places. */
export function readFurtherQuestions(): readonly GroupQuestion[] {
  return readJsonLines(join(FOLDER, "further.jsonl"), PLACED).map((question) => ({
    ...question,
    group: groupOf(question.document),
    set: "further",
  }));
}

/** Questions only for the training of the ranking; no figure covers them. None is about a document of `judge`. */
export function readLearningQuestions(): readonly DocumentQuestion[] {
  return readJsonLines(join(FOLDER, "learn.jsonl"), PLACED);
}

/**
 * Questions about the code next to the documents, with the file that answers each. They are only for the training of
 * the ranking, too.
 */
export function readCodeQuestions(): readonly DocumentQuestion[] {
  return readJsonLines(join(FOLDER, "code.jsonl"), PLACED);
}
