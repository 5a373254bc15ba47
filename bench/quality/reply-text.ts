// Reads the files that a text names, for the reply of any search tool: at the beginning of a line, with or without line
// numbers after it. Indented and fenced lines are content.
import type { CorpusPaths } from "./corpus-paths.ts";

/** A file that a reply names. */
export interface Mention {
  /** From the root of the corpus. */
  readonly path: string;
  /** 1-based; undefined if the reply has no lines. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** The range of characters in the reply that are about this file. */
  readonly from: number;
  readonly to: number;
}

type Place = Pick<Mention, "path" | "start" | "end">;

/** A line with more leading spaces is content. */
const MAX_INDENT = 3;
const LIST_MARK = /^[\s#>*|+=\-–—•·\d.)\][(]+(?=[\s`*"'([/.\w])/;
const KEY = /^\W*(?:file|path|source|location|document|uri|filename|in)\b\W*[:=]?\s*/i;
const SEPARATORS = /[\s`"'<>|,;*()[\]]+/;
const LINES_BEHIND_PATH =
  /(?::(?<start>\d+)(?:[-:–](?<end>\d+))?|#L(?<hashStart>\d+)(?:[-–]L?(?<hashEnd>\d+))?)?[:.,)]*$/;
const LINES_IN_WORDS =
  /\blines?\s*:?\s*(?<start>\d+)(?:\s*(?:[-–:]|to)\s*(?<end>\d+))?|\bL(?<hashStart>\d+)(?:[-–]L?(?<hashEnd>\d+))?/i;
const LINES_NEXT = /^\s*[([: ]*(?<start>\d+)\s*[-–:]\s*(?<end>\d+)/;

/** The files that a text names, in order. If no other line names one, indented lines count. */
export function mentionsInText(text: string, paths: CorpusPaths): readonly Mention[] {
  const found = mentions(text, paths, MAX_INDENT);
  return found.length > 0 ? found : mentions(text, paths, Infinity);
}

function mentions(text: string, paths: CorpusPaths, maxIndent: number): readonly Mention[] {
  const found: (Place & { readonly from: number })[] = [];
  let offset = 0;
  let isFenced = false;
  for (const line of text.split("\n")) {
    const from = offset;
    offset += line.length + 1;
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      // The line that opens a fence may name the file that it shows.
      if (!isFenced || !/^\s*(?:```|~~~)[\w+-]*[: ]+\S+/.test(line)) continue;
    } else if (isFenced) {
      continue;
    }
    if (isIndented(line, maxIndent)) continue;
    const place = placeIn(line, paths);
    if (place !== undefined) found.push({ ...place, from });
  }
  return found.map((place, at) => Object.assign(place, { to: found[at + 1]?.from ?? text.length }));
}

function isIndented(line: string, maxIndent: number): boolean {
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  return spaces > maxIndent || (line[spaces] === "\t" && maxIndent !== Infinity);
}

function placeIn(line: string, paths: CorpusPaths): Place | undefined {
  const marked = line.replace(LIST_MARK, "").replace(/^(?:📄|📁|🔍)\s*/u, "");
  const key = KEY.exec(marked)?.[0];
  const hasKey = key !== undefined;
  const words = wordsOf(marked.slice(key?.length ?? 0)).slice(0, hasKey ? 2 : 3);
  for (const word of [...words, ...wordsOf(line.trim()).slice(0, 2)]) {
    const place = placeOfWord(word, paths);
    // A word without them is a file only if lines follow: `LICENSE:1-27`.
    if (place === undefined || !(/[/.]|:\d/.test(word) || hasKey)) continue;
    return place.start === undefined
      ? { ...place, ...linesBehind(line.slice(line.indexOf(word) + word.length)) }
      : place;
  }
  return undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.split(SEPARATORS).filter((word) => word !== "");
}

function placeOfWord(word: string, paths: CorpusPaths): Place | undefined {
  const whole = paths.find(word);
  if (whole !== undefined) return { path: whole };
  const lines = LINES_BEHIND_PATH.exec(word);
  const before = word.slice(0, lines?.index ?? 0);
  const path = before === "" ? undefined : paths.find(before);
  return path === undefined ? undefined : { path, ...rangeOf(lines) };
}

function linesBehind(rest: string): Pick<Mention, "start" | "end"> {
  return rangeOf(LINES_IN_WORDS.exec(rest) ?? LINES_NEXT.exec(rest));
}

function rangeOf(match: RegExpExecArray | null): Pick<Mention, "start" | "end"> {
  const { start, end, hashStart, hashEnd } = match?.groups ?? {};
  const first = start ?? hashStart;
  if (first === undefined) return {};
  return { start: Number(first), end: Number(end ?? hashEnd ?? first) };
}
