// Folds files of an answer that repeat another one: translations, build output, amalgamations, exact copies. The
// original is shown in the best place of all, and the others are listed with it.

import type { FileFacts } from "../../index/types.ts";
import {
  areVariants,
  copyRank,
  isOutput,
  isOutputOf,
  versionedPath,
} from "../../search/copies/copy-paths.ts";
import { linesInCommon, textSimilarity } from "../../search/copies/same-text.ts";
import {
  isForeign,
  questionLanguages,
  translatedPath,
  type TranslatedPath,
} from "../../search/copies/translations.ts";
import type { RankedChunk, RankedFile } from "../../search/rank.ts";
import type { CurrentText } from "./places.ts";

/** A file of the ranking, with the files that it stands for. */
export interface UnfoldedFile extends RankedFile {
  /** Paths of files with the same content, in the order of the ranking. */
  readonly copies: readonly string[];
  /** Paths of the same document in other languages. */
  readonly translations: readonly string[];
}

export interface FoldOptions {
  readonly question: string;
  /** Number of files to return. */
  readonly wanted: number;
  /** Returns the current text of a file; undefined if it cannot be read. */
  readonly textOf: (file: FileFacts) => Promise<CurrentText | undefined>;
  /** Returns what a copy must have in common with its original, such as the namespace. */
  readonly scopeOf: (path: string) => string;
}

/** Share of word pairs that the shown parts have in common: of copies, of a build's output and its source. */
const MIN_COPY = 0.9;
const MIN_OUTPUT = 0.6;
/** Shares of lines that two files have in common. */
const MIN_SAME_FILE = 0.97;
const MIN_SAME_OUTPUT = 0.8;
const MIN_AMALGAMATED = 0.95;
const MIN_LIKELY_AMALGAMATED = 0.8;
/**
 * Maximum differences of scores of the text of parts that are compared: of those that have the same name or of which one is
 * in a folder of copies, and of others.
 */
const MAX_LIKELY_SCORE_GAP = 0.06;
const MAX_SCORE_GAP = 0.002;

interface Group {
  /** In the order of the ranking. */
  readonly members: Candidate[];
}

interface Candidate {
  readonly file: RankedFile;
  readonly path: TranslatedPath;
}

/**
 * Returns the first `wanted` files of a ranking without those that repeat one of them. A longer ranking with the same
 * beginning gives the same files and more. A file that repeats a better one only counts where the ranking has it.
 */
export async function foldCopies(
  ranked: readonly RankedFile[],
  options: FoldOptions,
): Promise<readonly UnfoldedFile[]> {
  const folding = new Folding(options);
  const groups: Group[] = [];
  for (const file of ranked) {
    const candidate = { file, path: documentOf(file.file) };
    // eslint-disable-next-line no-await-in-loop -- a file belongs to the first group that it fits
    const group = await folding.groupOf(candidate, groups);
    if (group !== undefined) group.members.push(candidate);
    else if (groups.length < options.wanted) groups.push({ members: [candidate] });
  }
  const languages = questionLanguages(options.question);
  return groups.map(({ members }) => unfolded(members, languages, options.question));
}

class Folding {
  readonly #options: FoldOptions;
  readonly #foreign = new Map<string, boolean>();

  constructor(options: FoldOptions) {
    this.#options = options;
  }

  async groupOf(candidate: Candidate, groups: readonly Group[]): Promise<Group | undefined> {
    for (const group of groups) {
      // Only with the first one: a chain of small differences would lead from one page of a site to all others.
      const [best] = group.members;
      // eslint-disable-next-line no-await-in-loop -- most candidates are refused without reading a text
      if (best !== undefined && (await this.#repeats(best, candidate))) return group;
    }
    return undefined;
  }

  async #repeats(one: Candidate, other: Candidate): Promise<boolean> {
    const { scopeOf } = this.#options;
    if (scopeOf(one.file.file.path) !== scopeOf(other.file.file.path)) return false;
    if (areOneDocument(one.path, other.path)) {
      if ((await this.#isTranslation(one)) && (await this.#isTranslation(other))) return true;
    }
    return this.#areCopies(one.file, other.file);
  }

  /** Whether a file is in the language that its path names. */
  async #isTranslation({ file: { file }, path: { language } }: Candidate): Promise<boolean> {
    if (language === "" || language === "en" || language.startsWith("en-")) return true;
    const known = this.#foreign.get(file.path);
    if (known !== undefined) return known;
    const text = await this.#options.textOf(file);
    const result = text !== undefined && isForeign(text.lines.join("\n"));
    this.#foreign.set(file.path, result);
    return result;
  }

  async #areCopies(one: RankedFile, other: RankedFile): Promise<boolean> {
    const [chunk] = one.chunks;
    const [otherChunk] = other.chunks;
    if (chunk === undefined || otherChunk === undefined) return false;
    if ((one.file.role === "tests") !== (other.file.role === "tests")) return false;
    if (isOutputOf(one.file.path, other.file.path) && hasNoNames(one)) return true;
    if (isOutputOf(other.file.path, one.file.path) && hasNoNames(other)) return true;
    const name = ownName(chunk);
    const isSameName = name !== "" && name === ownName(otherChunk);
    const gap = Math.abs(chunk.textScore - otherChunk.textScore);
    const isLikely = isSameName || isOnlyOneOriginal(one.file, other.file);
    if (gap > (isLikely ? MAX_LIKELY_SCORE_GAP : MAX_SCORE_GAP)) return false;
    const text = await this.#options.textOf(one.file);
    const otherText = await this.#options.textOf(other.file);
    if (text === undefined || otherText === undefined || text.changed || otherText.changed)
      return false;
    const similarity = textSimilarity(linesOf(text, chunk), linesOf(otherText, otherChunk));
    if (similarity < MIN_COPY) {
      return isSameName && similarity >= MIN_OUTPUT && isCompiled(one.file, other.file);
    }
    return areFilesCopies([one.file, other.file], {
      lines: [text.lines, otherText.lines],
      isSameName,
    });
  }
}

interface SameParts {
  readonly lines: readonly [readonly string[], readonly string[]];
  readonly isSameName: boolean;
}

/** Whether two files whose shown parts are the same are copies. */
function areFilesCopies(
  [one, other]: readonly [FileFacts, FileFacts],
  { lines: [lines, otherLines], isSameName }: SameParts,
): boolean {
  if (areVersions(one, other)) return true;
  const isLikely = isOnlyOneOriginal(one, other);
  const isCode = one.role === "code" && other.role === "code";
  if (isLikely && (fileName(one.path) === fileName(other.path) || (isCode && isSameName)))
    return true;
  const { shared, amalgamated } = linesInCommon(lines, otherLines);
  if (isOutput(one.path) && isOutput(other.path) && shared >= MIN_SAME_OUTPUT) return true;
  if (one.role !== other.role) return false;
  if (one.role === "tests" || areVariants(one.path, other.path)) return shared === 1;
  if (shared >= MIN_SAME_FILE) return true;
  // Pages of a site contain each other's navigation.
  const isAmalgamation = isCode && one.language === other.language && one.language !== "html";
  return isAmalgamation && amalgamated >= (isLikely ? MIN_LIKELY_AMALGAMATED : MIN_AMALGAMATED);
}

/** Whether the path of one of two files is that of a copy, and the path of the other is not. */
function isOnlyOneOriginal(one: FileFacts, other: FileFacts): boolean {
  return (copyRank(one) === 0) !== (copyRank(other) === 0);
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether one of two files of code is the output of a build, and the other is not. */
function isCompiled(one: FileFacts, other: FileFacts): boolean {
  if (one.role !== "code" || other.role !== "code") return false;
  return (
    isOutput(one.path) !== isOutput(other.path) ||
    isOutputOf(one.path, other.path) ||
    isOutputOf(other.path, one.path)
  );
}

/** Whether two files are versions of one page of documentation. */
function areVersions(one: FileFacts, other: FileFacts): boolean {
  if (one.role !== "docs" || other.role !== "docs") return false;
  const page = versionedPath(one.path);
  const otherPage = versionedPath(other.path);
  if (page === undefined && otherPage === undefined) return false;
  return (page?.document ?? one.path) === (otherPage?.document ?? other.path);
}

function areOneDocument(one: TranslatedPath, other: TranslatedPath): boolean {
  return one.document === other.document && one.language !== other.language;
}

const NO_DOCUMENT: TranslatedPath = { document: "", language: "" };

/** Only documentation is translated as a whole: code for several languages differs in what it does. */
function documentOf({ path, role }: FileFacts): TranslatedPath {
  return role === "docs" ? translatedPath(path) : NO_DOCUMENT;
}

/** A minified file has no definitions that an answer could show. */
function hasNoNames({ chunks }: RankedFile): boolean {
  return chunks.every(({ chunk: { names } }) => names.length === 0);
}

/** The last part of the name of a definition or section. */
function ownName({ chunk: { symbol } }: RankedChunk): string {
  const title = symbol.lastIndexOf(" > ");
  return title >= 0 ? symbol.slice(title + 3) : symbol.slice(symbol.lastIndexOf(".") + 1);
}

function linesOf({ lines }: CurrentText, { chunk: { startLine, endLine } }: RankedChunk): string {
  return lines.slice(startLine - 1, endLine).join("\n");
}

/** The original of a group, in the place of its best member. */
function unfolded(
  members: readonly Candidate[],
  languages: readonly string[],
  question: string,
): UnfoldedFile {
  const preference = (candidate: Candidate): readonly number[] => [
    Number(!isAskedFor(candidate, question)),
    languagePlace(candidate.path.language, languages),
    copyRank(candidate.file.file),
  ];
  const [original = members[0]] = members.toSorted((one, other) => {
    const [own, others] = [preference(one), preference(other)];
    const at = own.findIndex((value, index) => value !== others[index]);
    return at < 0 ? newerFirst(one, other) : (own[at] ?? 0) - (others[at] ?? 0);
  });
  const others = members.filter((member) => member !== original);
  const isTranslation = ({ path }: Candidate): boolean =>
    original !== undefined && areOneDocument(path, original.path);
  const pathOf = ({ file }: Candidate): string => file.file.path;
  // A group has at least one member.
  const file = original?.file as RankedFile;
  return {
    ...raisedTo(file, members[0]?.file.score ?? file.score),
    copies: others.filter((member) => !isTranslation(member)).map(pathOf),
    translations: others.filter(isTranslation).map(pathOf),
  };
}

/** A file with a better score, for its place. */
function raisedTo(file: RankedFile, score: number): RankedFile {
  const raise = score - file.score;
  if (raise <= 0) return file;
  return {
    ...file,
    score,
    signals: { ...file.signals, original: raise },
    chunks: file.chunks.map((chunk) => ({ ...chunk, score: chunk.score + raise })),
  };
}

/** Whether the question names the file, or the version of a page. */
function isAskedFor({ file }: Candidate, question: string): boolean {
  const { path } = file.file;
  if (question.includes(path)) return true;
  const version = versionedPath(path)?.version.split(".")[0];
  return version !== undefined && new RegExp(`\\bv?${version}\\b`, "i").test(question);
}

/** Less is better: a language of the question, no named language, English, any other one. */
function languagePlace(language: string, languages: readonly string[]): number {
  const at = languages.indexOf(language.replace(/-.*/, ""));
  if (at >= 0) return at;
  if (language === "") return languages.length;
  return languages.length + (language === "en" ? 1 : 2);
}

/** The page without a version, then the newest one. */
function newerFirst(one: Candidate, other: Candidate): number {
  const [own, others] = [one, other].map(({ file }) => versionedPath(file.file.path)?.version);
  if (own === others) return 0;
  if (own === undefined || others === undefined) return own === undefined ? -1 : 1;
  return others.localeCompare(own, "en", { numeric: true });
}
