// The questions about documents, with the places that answer them.
import { join } from "node:path";

import * as v from "valibot";

import { GROUPS, readJsonLines, type Group } from "./manifest.ts";

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

const QUESTION = v.object({
  /** Questions of `judge` are never looked at while svc is improved. Documents are divided, so no document is in both. */
  set: v.picklist(["develop", "judge"]),
  ...PLACES,
});

export type DocumentQuestion = v.InferOutput<typeof QUESTION>;

export interface GroupQuestion extends DocumentQuestion {
  readonly group: Group;
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

/** Those from which only ranking learns: no figure is for them. None is about a document of `judge`. */
export function readLearningQuestions(): readonly Omit<DocumentQuestion, "set">[] {
  return readJsonLines(join(FOLDER, "learn.jsonl"), v.object(PLACES));
}

/** Questions about the code next to the documents, with the file that answers. Only ranking learns from them, too. */
export function readCodeQuestions(): readonly Omit<DocumentQuestion, "set">[] {
  return readJsonLines(join(FOLDER, "code.jsonl"), v.object(PLACES));
}
