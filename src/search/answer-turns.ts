// Orders the answers to a question that asks for one kind of file (documentation, settings or tests): files of that
// kind alternate with other matches.

import type { CandidateChunk } from "../index/scoring/candidates.ts";
import type { FileFacts } from "../index/types.ts";
import { isFirst, subjectShare, withDocsFirst } from "./docs-first.ts";
import { settingIntentFor } from "./features.ts";
import type { Query } from "./parse-query.ts";
import { describesSettings } from "./settings-files.ts";
import type { SettingGrade } from "./setting-answers.ts";
import type { TitleGrade } from "./titled-answers.ts";
import type { WordMatches } from "./word-matches.ts";

/**
 * Number of tests before each other file in the answer to a question about tests; the tested code only completes the
 * answer.
 */
const TESTS_PER_TURN = 3;

interface ScoredChunk {
  readonly chunk: CandidateChunk;
  readonly score: number;
}

interface ScoredFile {
  readonly file: FileFacts;
  readonly score: number;
  /** Best first. */
  readonly chunks: readonly ScoredChunk[];
  /** All chunks of the file. */
  readonly all: readonly CandidateChunk[];
}

interface Judged<File> {
  /** Returns the words of the query in the best passage of a file. */
  readonly matchesOf: (file: File) => WordMatches | undefined;
  /** Undefined unless the query names a setting. */
  readonly grade: SettingGrade | undefined;
  /** Undefined unless the query has a topic. */
  readonly titleOf: ((file: File) => TitleGrade) | undefined;
}

/**
 * Returns the order of the files of a block. For a question with intent, documentation alternates with everything else;
 * for one about tests, tests do. `first`: the first block, sorted by score.
 */
export function turnsOf<File extends ScoredFile>(
  query: Query,
  first: readonly File[],
  { matchesOf, grade, titleOf }: Judged<File>,
): (block: readonly File[]) => readonly File[] {
  const { asksHow, asksForTests } = query;
  if (!asksHow && !asksForTests) return (block) => block;
  if (grade !== undefined) return (block) => settingsFirst(block, grade);
  const isOfKind = ({ file }: File): boolean =>
    asksForTests
      ? file.role === "tests"
      : file.role === "docs" || settingIntentFor(file, query) > 0;
  const shareOf = (one: File | undefined): number => {
    const matches = one && matchesOf(one);
    return matches === undefined ? 0 : subjectShare(matches);
  };
  if (titleOf !== undefined) return (block) => titlesFirst(block, { titleOf, shareOf }, query);
  const rivalShare = shareOf(first.find((one) => !isOfKind(one)));
  const isAnswer = (one: File): boolean => isOfKind(one) && isFirst(shareOf(one), rivalShare);
  return (block) => withDocsFirst(block, isAnswer, asksForTests ? TESTS_PER_TURN : 1);
}

/** Files that say how a setting has changed. */
const HISTORY = /(?:^|\/)[^/]*(?:change|news|history|release|upgrad|migrat|what'?s-?_?new)[^/]*$/i;

/**
 * Only a file with the name of the setting answers. Passages named after it come first, then documentation, because
 * settings files often have a value without an explanation.
 */
function settingsFirst<File extends ScoredFile>(
  block: readonly File[],
  grade: SettingGrade,
): readonly File[] {
  const gradeOf = ({ chunks: [best] }: File): number => (best ? grade(best.chunk) : 0);
  const placeOf = (one: File): number => {
    const { role, path } = one.file;
    const graded = describesSettings(one.file) ? 2 * gradeOf(one) : 0;
    return graded > 0 && role === "docs" && !HISTORY.test(path) ? graded + 1 : graded;
  };
  const files = block
    .map((file) => ({ ...file, chunks: bestGradeFirst(file.chunks, grade) }))
    .toSorted((one, other) => placeOf(other) - placeOf(one) || other.score - one.score);
  return withDocsFirst(files, (file) => placeOf(file) > 0);
}

/** The first one keeps the score of the best. */
function bestGradeFirst<Chunk extends ScoredChunk>(
  chunks: readonly Chunk[],
  grade: SettingGrade,
): readonly Chunk[] {
  const [top] = chunks;
  const [first, ...rest] = chunks.toSorted(
    (one, other) => grade(other.chunk) - grade(one.chunk) || other.score - one.score,
  );
  if (top === undefined || first === undefined) return chunks;
  return [{ ...first, score: top.score }, ...rest];
}

interface TopicJudged<File> {
  readonly titleOf: (file: File) => TitleGrade;
  /** Returns the share of the words of the subject in the best passage of a file. */
  readonly shareOf: (file: File) => number;
}

/** Number of titled pages before each other file, if only they answer. */
const PAGES_PER_TURN = 3;

/** Pages and sections with the asked title come first, best title first, then documentation alternates with the rest. */
function titlesFirst<File extends ScoredFile>(
  block: readonly File[],
  { titleOf, shareOf }: TopicJudged<File>,
  { topic }: Pick<Query, "topic">,
): readonly File[] {
  const graded = block.map((one) => {
    const { grade, chunk } = titleOf(one);
    const isTitled = grade > 0;
    const chunks = isTitled && chunk !== undefined ? withFirst(one.chunks, chunk) : one.chunks;
    return { place: grade, file: { ...one, chunks, isTitled } };
  });
  const sorted = graded.toSorted(
    (one, other) => other.place - one.place || other.file.score - one.file.score,
  );
  const places = new Map(sorted.map(({ file, place }) => [file, place]));
  const isCertain = topic?.isCertain === true;
  const isAnswer = (file: (typeof graded)[number]["file"]): boolean =>
    (places.get(file) ?? 0) > 0 ||
    (file.file.role === "docs" && (isCertain || shareOf(file) === 1));
  return withDocsFirst(
    sorted.map(({ file }) => file),
    isAnswer,
    isCertain ? PAGES_PER_TURN : 1,
  );
}

/** The chunks with this one first, which has the score of the best. */
function withFirst<Chunk extends ScoredChunk>(
  chunks: readonly Chunk[],
  chunk: CandidateChunk,
): readonly Chunk[] {
  const [top] = chunks;
  if (top === undefined) return chunks;
  return [{ ...top, chunk }, ...chunks.filter((one) => one.chunk !== chunk)];
}
