// Groups files of an answer that repeat each other: translations, build output, amalgamations, exact copies. The
// original is shown at the best rank of the group, and the others are listed with it.

import { isForeign, questionLanguages } from "../../base/prose-language.ts";
import type { FileFacts } from "../../index/types.ts";
import {
  areVariants,
  copyRank,
  pathFacts,
  withoutExtension,
  type PathFacts,
  versionedPath,
} from "../../search/copies/copy-paths.ts";
import {
  linesInCommon,
  textSimilarity,
  type LinesInCommon,
} from "../../search/copies/same-text.ts";
import { catalogPath, haveSameKeys } from "../../search/copies/message-catalogs.ts";
import {
  hasCountry,
  translatedPath,
  type TranslatedPath,
} from "../../search/copies/translations.ts";
import type { RankedChunk, RankedFile } from "../../search/rank.ts";
import type { CurrentText } from "./places.ts";

/** A file of the ranking, with the files that it stands for. */
export interface FoldedFile extends RankedFile {
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
 * Maximum differences of scores of the text of parts that are compared: if a path says that a file is a copy, and
 * otherwise. Reading texts takes most of the time of folding, so it begins with what the ranking knows.
 */
const MAX_LIKELY_SCORE_GAP = 0.06;
const MAX_SCORE_GAP = 0.002;
const MAX_LINES_GAP = 0.1;

/** A file of the ranking, with what its path says. */
interface Candidate {
  readonly file: RankedFile;
  readonly chunk: RankedChunk | undefined;
  /** The last part of the name of its best chunk. */
  readonly name: string;
  readonly scope: string;
  readonly document: TranslatedPath;
  readonly facts: PathFacts;
  readonly copyRank: number;
  /** For documentation, the page whose path has no version. */
  readonly page: string;
}

/** Files that have the same content, in the order of the ranking. */
type Group = Candidate[];

/**
 * Returns the first `wanted` files of a ranking without those that repeat one of them. A longer ranking with the same
 * beginning gives the same files and more.
 */
export async function foldCopies(
  ranked: readonly RankedFile[],
  options: FoldOptions,
): Promise<readonly FoldedFile[]> {
  const folding = new Folding(options.textOf);
  const groups: Group[] = [];
  for (const file of ranked) {
    const candidate = candidateOf(file, options);
    let known: Group | undefined;
    for (const group of groups) {
      // Only with the first one: a chain of small differences would lead from one page of a site to all others.
      const [best] = group;
      if (best === undefined || !mayRepeat(best, candidate)) continue;
      // eslint-disable-next-line no-await-in-loop -- a file belongs to the first group that it fits
      if (await folding.repeats(best, candidate)) {
        known = group;
        break;
      }
    }
    if (known !== undefined) known.push(candidate);
    else if (groups.length < options.wanted) groups.push([candidate]);
  }
  const { amalgamations } = folding;
  return groups.map((members) => foldedFile(members, options.question, amalgamations));
}

function candidateOf(file: RankedFile, { scopeOf }: FoldOptions): Candidate {
  const { path, role } = file.file;
  const [chunk] = file.chunks;
  const facts = pathFacts(path);
  return {
    file,
    chunk,
    name: chunk === undefined ? "" : lastName(chunk),
    scope: scopeOf(path),
    // Documentation is translated as a whole. Code for several languages differs in what it does, but for its messages.
    document:
      role === "docs"
        ? translatedPath(path)
        : (catalogPath(path) ?? { document: path, language: "" }),
    facts,
    copyRank: copyRank(file.file, facts),
    page: role === "docs" ? (versionedPath(path)?.document ?? path) : path,
  };
}

/** Whether one of two files may repeat the other, by what is known without their texts. */
function mayRepeat(one: Candidate, other: Candidate): boolean {
  if (one.scope !== other.scope) return false;
  return areOneDocument(one, other) || mayBeCopies(one, other);
}

function mayBeCopies(one: Candidate, other: Candidate): boolean {
  if (one.chunk === undefined || other.chunk === undefined) return false;
  const gap = Math.abs(one.chunk.textScore - other.chunk.textScore);
  if (gap > MAX_LIKELY_SCORE_GAP) return areMinified(one, other);
  if ((one.file.file.role === "tests") !== (other.file.file.role === "tests")) return false;
  if (areLikely(one, other)) return true;
  if (gap > MAX_SCORE_GAP || one.name !== other.name) return false;
  const lines = lineCount(one.chunk);
  return Math.abs(lines - lineCount(other.chunk)) <= lines * MAX_LINES_GAP;
}

/** Whether the paths of two files make it likely that one is a copy of the other. */
function areLikely(one: Candidate, other: Candidate): boolean {
  return isOnlyOneOriginal(one, other) || areVersions(one, other) || isBuilt(one, other);
}

/** Whether the path of one of two files is that of a copy, and the path of the other is not. */
function isOnlyOneOriginal(one: Candidate, other: Candidate): boolean {
  return (one.copyRank === 0) !== (other.copyRank === 0);
}

/** Whether two files are versions of one page of documentation. */
function areVersions(one: Candidate, other: Candidate): boolean {
  return one.page === other.page && one.file.file.role === "docs";
}

function isBuilt(one: Candidate, other: Candidate): boolean {
  return isCompiledFrom(one, other) || isCompiledFrom(other, one);
}

function isCompiledFrom({ facts: { compiledFrom } }: Candidate, source: Candidate): boolean {
  return compiledFrom !== undefined && compiledFrom === withoutExtension(source.file.file.path);
}

function areMinified(one: Candidate, other: Candidate): boolean {
  return one.facts.minified === other.file.file.path || other.facts.minified === one.file.file.path;
}

function areOneDocument({ document: one }: Candidate, { document: other }: Candidate): boolean {
  return one.document === other.document && one.language !== other.language;
}

function lineCount({ chunk: { startLine, endLine } }: RankedChunk): number {
  return endLine - startLine + 1;
}

class Folding {
  readonly #textOf: FoldOptions["textOf"];
  /** Whether a file is in the language that its path names, by path. */
  readonly #translations = new Map<string, boolean>();
  /** Paths of files that contain other ones. */
  readonly amalgamations = new Set<string>();

  constructor(textOf: FoldOptions["textOf"]) {
    this.#textOf = textOf;
  }

  async repeats(one: Candidate, other: Candidate): Promise<boolean> {
    if (areOneDocument(one, other)) {
      if (one.file.file.role !== "docs") return this.#areCatalogs(one, other);
      if ((await this.#isTranslation(one)) && (await this.#isTranslation(other))) return true;
    }
    if (!mayBeCopies(one, other)) return false;
    return areMinified(one, other) || (await this.#areCopies(one, other));
  }

  async #areCatalogs(one: Candidate, other: Candidate): Promise<boolean> {
    const text = await this.#textOf(one.file.file);
    const otherText = await this.#textOf(other.file.file);
    return (
      text !== undefined && otherText !== undefined && haveSameKeys(text.lines, otherText.lines)
    );
  }

  async #isTranslation({ file: { file }, document: { language } }: Candidate): Promise<boolean> {
    if (language === "" || language === "en" || language.startsWith("en-")) return true;
    // A page that is translated in part may be English.
    if (hasCountry(language)) return true;
    const known = this.#translations.get(file.path);
    if (known !== undefined) return known;
    const text = await this.#textOf(file);
    const result = text !== undefined && isForeign(text.lines.join("\n"));
    this.#translations.set(file.path, result);
    return result;
  }

  async #areCopies(one: Candidate, other: Candidate): Promise<boolean> {
    const text = await this.#textOf(one.file.file);
    const otherText = await this.#textOf(other.file.file);
    if (text === undefined || otherText === undefined || text.changed || otherText.changed)
      return false;
    const similarity = textSimilarity(
      shownText(text, one.chunk),
      shownText(otherText, other.chunk),
    );
    if (similarity < MIN_COPY)
      return similarity >= MIN_OUTPUT && one.name === other.name && isCompiled(one, other);
    if (areVersions(one, other) || hasCopyPath(one, other)) return true;
    const common = linesInCommon(text.lines, otherText.lines);
    if (areFilesCopies(one, other, common)) return true;
    if (!isAmalgamation(one, other, common)) return false;
    const { path } = (text.lines.length > otherText.lines.length ? one : other).file.file;
    this.amalgamations.add(path);
    return true;
  }
}

/** Whether one of two files of code is the output of a build, and the other is not. */
function isCompiled(one: Candidate, other: Candidate): boolean {
  if (one.name === "" || !areCode(one, other)) return false;
  return one.facts.isOutput !== other.facts.isOutput || isBuilt(one, other);
}

/** Whether one of two files whose shown parts are the same is a copy by its path. */
function hasCopyPath(one: Candidate, other: Candidate): boolean {
  if (!isOnlyOneOriginal(one, other)) return false;
  const [file, otherFile] = [one.file.file, other.file.file];
  if (fileName(file.path) === fileName(otherFile.path)) return true;
  return areCode(one, other) && one.name !== "" && one.name === other.name;
}

/** Whether two files whose shown parts are the same are the same as a whole. */
function areFilesCopies(one: Candidate, other: Candidate, { shared }: LinesInCommon): boolean {
  const [file, otherFile] = [one.file.file, other.file.file];
  if (one.facts.isOutput && other.facts.isOutput && shared >= MIN_SAME_OUTPUT) return true;
  if (file.role !== otherFile.role) return false;
  const isExact = file.role === "tests" || areVariants(file.path, otherFile.path);
  return isExact ? shared === 1 : shared >= MIN_SAME_FILE;
}

/** Whether one of two files whose shown parts are the same contains the other one. */
function isAmalgamation(one: Candidate, other: Candidate, { amalgamated }: LinesInCommon): boolean {
  const { language } = one.file.file;
  // Pages of a site contain each other's navigation.
  if (!areCode(one, other) || language !== other.file.file.language || language === "html")
    return false;
  const isLikely = isOnlyOneOriginal(one, other);
  return amalgamated >= (isLikely ? MIN_LIKELY_AMALGAMATED : MIN_AMALGAMATED);
}

function areCode(one: Candidate, other: Candidate): boolean {
  return one.file.file.role === "code" && other.file.file.role === "code";
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The last part of the name of a definition or section. */
function lastName({ chunk: { symbol } }: RankedChunk): string {
  const title = symbol.lastIndexOf(" > ");
  return title >= 0 ? symbol.slice(title + 3) : symbol.slice(symbol.lastIndexOf(".") + 1);
}

function shownText({ lines }: CurrentText, found: RankedChunk | undefined): string {
  return lines.slice((found?.chunk.startLine ?? 1) - 1, found?.chunk.endLine ?? 0).join("\n");
}

/** The original of a group, in the place of its best member. */
function foldedFile(
  members: readonly Candidate[],
  question: string,
  amalgamations: ReadonlySet<string>,
): FoldedFile {
  const [best] = members;
  // A group begins with one member.
  if (best === undefined) throw new Error("an empty group of copies");
  if (members.length === 1) return { ...best.file, copies: [], translations: [] };
  const languages = questionLanguages(question);
  const preference = (candidate: Candidate): readonly number[] => [
    Number(!isAskedFor(candidate, question)),
    languagePlace(candidate.document.language, languages),
    candidate.copyRank,
    Number(amalgamations.has(candidate.file.file.path)),
  ];
  const [original = best] = members.toSorted((one, other) => {
    const [own, others] = [preference(one), preference(other)];
    const at = own.findIndex((value, index) => value !== others[index]);
    return at < 0 ? newerFirst(one, other) : (own[at] ?? 0) - (others[at] ?? 0);
  });
  const others = members.filter((member) => member !== original);
  const pathOf = ({ file }: Candidate): string => file.file.path;
  return {
    ...raisedTo(original.file, best.file.score),
    copies: others.filter((member) => !areOneDocument(member, original)).map(pathOf),
    translations: others.filter((member) => areOneDocument(member, original)).map(pathOf),
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
