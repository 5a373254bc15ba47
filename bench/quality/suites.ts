// The queries and their corpora: the suites with their scopes, and the selected part of them.
import { SvcError } from "../../src/base/errors.ts";
import type { Corpus, Library, Question } from "./questions.ts";

/** The indexed place: a corpus, or a folder of it. */
export interface Place {
  readonly corpus: Corpus;
  /** Path relative to the root of the corpus; empty for all of it. */
  readonly root: string;
}

/** A question of a suite at its place. */
export interface Task {
  readonly suite: string;
  readonly question: Question;
  readonly place: Place;
}

export interface Selection {
  /** Undefined: all. */
  readonly suites?: readonly string[] | undefined;
  /** Ids of corpora; undefined: all. */
  readonly only?: readonly string[] | undefined;
  /** Maximum number of queries of each suite and corpus, from the first one. */
  readonly perCorpus?: number | undefined;
}

/** The queries of semble, on whole repositories instead of the folders that their authors chose. */
const SEMBLE_FULL = "semble-full";

/** Suites whose authors index a folder of each repository. */
const ROOT_SUITES: readonly string[] = ["semble", "sivru"];

/** The suites with queries. */
export function suitesOf({ questions }: Library): readonly string[] {
  const suites = [...new Set(questions.map(({ suite }) => suite))];
  return suites.includes("semble") ? [...suites, SEMBLE_FULL] : suites;
}

/** Every question of the selection. Throws USAGE for an unknown corpus id. */
export function tasksOf(library: Library, selection: Selection): readonly Task[] {
  const { suites = suitesOf(library), only, perCorpus = Infinity } = selection;
  const unknown = only?.find((id) => !library.corpora.has(id));
  if (unknown !== undefined) {
    throw new SvcError("USAGE", `There is no corpus "${unknown}".`, {
      hint: "Their ids are in bench/quality/questions/corpora.json.",
    });
  }
  return suites.flatMap((suite) => {
    const counts = new Map<string, number>();
    return library.questions.flatMap((question): readonly Task[] => {
      if (question.suite !== (suite === SEMBLE_FULL ? "semble" : suite)) return [];
      if (only?.includes(question.corpus) === false) return [];
      const corpus = library.corpora.get(question.corpus);
      const count = counts.get(question.corpus) ?? 0;
      if (corpus === undefined || count >= perCorpus) return [];
      counts.set(question.corpus, count + 1);
      return [{ suite, question, place: placeOf(suite, corpus) }];
    });
  });
}

/** The scope of a suite in a corpus. */
export function placeOf(suite: string, corpus: Corpus): Place {
  return { corpus, root: ROOT_SUITES.includes(suite) ? corpus.root : "" };
}

/** A key that is the same for equal places. */
export function placeKey({ corpus, root }: Place): string {
  return root === "" ? corpus.id : `${corpus.id}:${root}`;
}
