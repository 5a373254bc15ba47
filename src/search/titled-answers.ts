// Finds the pages and sections that answer a question by their titles.

import { FileFlag, type FileFacts } from "../index/types.ts";
import { partTerms, scanWords } from "../parse/tokenizer.ts";
import type { CandidateChunk } from "../index/scoring/candidates.ts";
import type { Query } from "./parse-query.ts";

/** Both are loaded together, for the few questions that have a topic. */
export { topicOf } from "./topic-questions.ts";

/** How well the title of a page or a section answers. */
export interface TitleGrade {
  /** 0 to 1; 0 if it does not answer. */
  readonly grade: number;
  /** The section; undefined if the title is that of the page, and the page has no such section. */
  readonly chunk: CandidateChunk | undefined;
}

/** A file with all of its chunks. */
export interface TitledPage {
  readonly file: FileFacts;
  readonly all: readonly CandidateChunk[];
}

/** A title with a lower grade does not answer. */
const MIN_TITLE_GRADE = 0.5;
/** Grade of a title of the usual kind, and how much less a deeper page or section has. */
const USUAL_TITLE = 0.8;
/** The same of a README for a question that another page answers better. */
const README_TITLE = 0.65;
const FOLDER_LOSS = 0.04;
const SECTION_LOSS = 0.02;
const NO_GRADE: TitleGrade = { grade: 0, chunk: undefined };

/** Words of titles that say nothing about the subject. */
const COMMON = new Set(
  "a an the of to in on for and or is are what how why where when does do with your our overview introduction intro about guide documentation docs reference concepts basics readme index".split(
    " ",
  ),
);
/** Files that say what has changed, and posts. */
const HISTORY =
  /(?:^|\/)(?:blog|posts?)\/|(?:^|\/)[^/]*(?:change|news|history|upgrad|migrat|what'?s-?_?new)[^/]*$/i;

/** Returns a function that grades documentation by its titles; undefined if the query has no topic. */
export function titleGrader({
  topic,
  split,
  names,
}: Pick<Query, "topic" | "split" | "names">): ((page: TitledPage) => TitleGrade) | undefined {
  if (topic === undefined) return undefined;
  const termsOf = (title: string): ReadonlySet<string> => {
    const terms = new Set<string>();
    scanWords(title, (word) => {
      const lower = word.toLowerCase();
      if (COMMON.has(lower) || names.has(lower)) return;
      for (const term of partTerms(split(word))) terms.add(term);
    });
    return terms;
  };
  const subject = termsOf(topic.subject.join(" "));
  const gradeOf = (title: string): number => {
    const isUsual = topic.titles?.test(title.toLowerCase()) === true;
    const isFallback = /^read ?me$/i.test(title) && !topic.isAboutAll;
    const usual = isFallback ? README_TITLE : USUAL_TITLE;
    return Math.max(isUsual ? usual : 0, likeness(subject, termsOf(title)));
  };
  return ({ file, all }) => {
    if (file.role !== "docs" || (file.flags & FileFlag.vendored) !== 0) return NO_GRADE;
    const depth = file.path.split("/").length - 1;
    const loss = FOLDER_LOSS * depth + (HISTORY.test(file.path) ? MIN_TITLE_GRADE : 0);
    const ofPage = Math.max(...pageTitles(file.path).map(gradeOf));
    let best: TitleGrade = { grade: ofPage, chunk: topic.isAboutAll ? all[0] : undefined };
    for (const chunk of all) {
      const titles = chunk.facts.symbol.split(" > ");
      const grades = [titles.at(-1) ?? "", ...chunk.facts.names].map(gradeOf);
      const grade = Math.max(...grades) - SECTION_LOSS * titles.length;
      if (grade > best.grade || (best.chunk === undefined && grade > MIN_TITLE_GRADE))
        best = { grade: Math.max(grade, best.grade), chunk };
    }
    const grade = best.grade - loss;
    return grade < MIN_TITLE_GRADE ? NO_GRADE : { ...best, grade };
  };
}

/** Share of the terms of both that they have in common, 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const common = [...one].filter((term) => other.has(term)).length;
  return common / (one.size + other.size - common);
}

/** The name of a file as a title: `02-getting_started.md` is "getting started". A README is also that of its folder. */
function pageTitles(path: string): readonly string[] {
  const [name = "", folder] = path
    .split("/")
    .toReversed()
    .map((part) => part.replaceAll(/[-_.]+/g, " ").replace(/^\d+ /, ""));
  const title = name.replace(/ [a-z0-9]+$/i, "").trim();
  return folder !== undefined && /^(?:readme|index)$/i.test(title) ? [title, folder] : [title];
}
