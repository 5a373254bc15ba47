// The form in which the page shows a result of any search mode.
import { linesOf, type Line } from "./code-lines.ts";
import { tokensOf } from "./code-tokens.ts";
import { previewOf } from "./preview.ts";
import { marksIn } from "./query-words.ts";
import type { Range } from "./ranges.ts";
import type { FileKind, SymbolRecord, SearchResult, MatchRecord } from "./search-response.ts";

/** A numbered line. */
export interface ShownLine {
  readonly number: number;
  readonly line: Line;
  /** True for a line that matches without a mark in it. */
  readonly isHit: boolean;
  /** False for lines that the user has to ask for. */
  readonly isPreview: boolean;
}

/** One result. */
export interface ShownResult {
  readonly path: string;
  readonly namespace: string;
  readonly start: number;
  /** Equal to `start` if only one line is meant. */
  readonly end: number;
  /** In a document, where it is: `manual.pdf:p12`; "" for other files. */
  readonly place: string;
  /** The line to open; the first one that matches. */
  readonly target: number;
  /** Qualified name or signature; "" for none. */
  readonly symbol: string;
  /** Short facts, in order. */
  readonly facts: readonly string[];
  readonly isChanged: boolean;
  /** "" when unknown. */
  readonly language: string;
  readonly kind: FileKind | "";
  readonly lines: readonly ShownLine[];
  /** A sentence below the heading; "" for none. */
  readonly note: string;
  /** Files that the result stands for: `2 copies`, and their paths. */
  readonly folded: readonly FoldedFiles[];
}

export interface FoldedFiles {
  readonly title: string;
  readonly paths: readonly string[];
}

function foldedFiles({ copies = [], translations = [] }: SearchResult): readonly FoldedFiles[] {
  const [copy, translation] = [copies.length, translations.length];
  return [
    { title: `+ ${copy === 1 ? "1 copy" : `${copy} copies`}`, paths: copies },
    {
      title: `+ ${translation === 1 ? "1 translation" : `${translation} translations`}`,
      paths: translations,
    },
  ].filter(({ paths }) => paths.length > 0);
}

/** A passage, with the words of the query marked. */
export function passageResult(
  passage: SearchResult,
  namespace: string,
  stems: ReadonlySet<string>,
): ShownResult {
  const {
    path,
    start_line: start,
    end_line: end,
    language,
    kind,
    text,
    symbol,
    confidence,
  } = passage;
  const lines = text === "" ? [] : linesOf(text, tokensOf(text, language), marksIn(text, stems));
  const isPreview = previewOf(lines);
  const marked = lines.findIndex(
    (line, at) => isPreview[at] === true && line.some(({ isMarked }) => isMarked),
  );
  const languageFact = language === "" ? [] : [language];
  return {
    path,
    namespace: passage.namespace ?? namespace,
    start,
    end,
    place: passage.place ?? "",
    target: start + Math.max(0, marked),
    symbol,
    facts: [kind, ...languageFact, percentOf(confidence)],
    isChanged: passage.changed,
    language,
    kind,
    lines: lines.map((line, at) => ({
      number: start + at,
      line,
      isHit: false,
      isPreview: isPreview[at] ?? true,
    })),
    note: text === "" ? "The lines are too long to show here." : "",
    folded: foldedFiles(passage),
  };
}

/** `87 %` of 0.87. */
export function percentOf(probability: number): string {
  return `${Math.round(probability * 100)} %`;
}

/** Lines of a file beyond this number are shown on request. */
const MAX_PREVIEW_MATCHES = 12;

/** The matching lines of one file. `marked` finds what to mark in a line. */
export function textResult(
  matches: readonly MatchRecord[],
  namespace: string,
  marked: (line: string) => readonly Range[],
): ShownResult {
  const [first] = matches;
  const { path = "", line: target = 1, language = "", kind = "" } = first ?? {};
  const count = matches.length === 1 ? "1 line" : `${matches.length} lines`;
  return {
    path,
    namespace: first?.namespace ?? namespace,
    start: 0,
    end: 0,
    place: "",
    target,
    symbol: "",
    facts: [count, kind, ...(language === "" ? [] : [language])],
    isChanged: false,
    language,
    kind,
    lines: numberedLines(matches).map(({ number, text, isMatch, isPreview }) => {
      const marks = isMatch ? marked(text) : [];
      const [line = []] = linesOf(text, tokensOf(text, language), marks);
      return { number, line, isHit: isMatch && marks.length === 0, isPreview };
    }),
    note: "",
    folded: [],
  };
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
  readonly isPreview: boolean;
}

/** The lines of matches that are near each other, each once, in order. */
function numberedLines(matches: readonly MatchRecord[]): readonly NumberedLine[] {
  const lines = new Map<number, NumberedLine>();
  for (const [at, match] of matches.entries()) {
    for (const { line: number, text, match: isHit } of match.lines) {
      const known = lines.get(number);
      const isMatch = isHit || known?.isMatch === true;
      const isPreview = at < MAX_PREVIEW_MATCHES || known?.isPreview === true;
      lines.set(number, { number, text, isMatch, isPreview });
    }
  }
  return [...lines.values()].toSorted((one, other) => one.number - other.number);
}

/** A definition. */
export function symbolResult(found: SymbolRecord, namespace: string): ShownResult {
  const { path, start_line: start, end_line: end, name_line: target, language, kind } = found;
  const { signature, doc, used_in_files: users } = found;
  const usage = users === 1 ? "used in 1 file" : `used in ${users} files`;
  const line = linesOf(signature, tokensOf(signature, language), [])[0] ?? [];
  return {
    path,
    namespace: found.namespace ?? namespace,
    start,
    end,
    place: found.place ?? "",
    target,
    symbol: found.symbol,
    facts: [kind, ...(language === "" ? [] : [language]), usage],
    isChanged: false,
    language,
    kind: "",
    lines: [{ number: target, line, isHit: false, isPreview: true }],
    note: doc,
    folded: [],
  };
}
