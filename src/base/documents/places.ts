// The names of places in documents, as people know them: `file.pdf:p12`, `deck.pptx:slide 3`, `nb.ipynb:cell 7:4-9`,
// `budget.xlsx:sheet Costs:12-20`, `book.epub#chapter`. Inside svc, a place is a range of lines of the extracted text.

import type { DocumentText, PlaceStart, PlaceUnit } from "./document.ts";

/** 1-based and inclusive. */
export interface DocumentLines {
  readonly startLine: number;
  readonly endLine: number;
}

type DocumentParts = Pick<DocumentText, "unit" | "places">;

/** What comes between the path of a document and the name of its part. */
const MARKS: Readonly<Record<PlaceUnit, string>> = {
  page: ":p",
  slide: ":slide ",
  sheet: ":sheet ",
  cell: ":cell ",
  section: "#",
};

/**
 * Returns what to add to the path of a document for a range of lines of its text; undefined if the document has no parts
 * or the lines are before the first one.
 */
export function placeOfLines(
  { unit, places }: DocumentParts,
  { startLine, endLine }: DocumentLines,
): string | undefined {
  const first = lastBefore(places, startLine);
  const last = lastBefore(places, endLine);
  if (unit === undefined || first === undefined || last === undefined) return undefined;
  const start = `${MARKS[unit]}${first.name}`;
  // A section is where it begins; the others are counted, and a range of them has a first and a last.
  if (unit === "section") return start;
  if (first.name !== last.name) return `${start}-${last.name}`;
  if (first.firstNumber === undefined || last.firstNumber === undefined) return start;
  const from = first.firstNumber + startLine - first.line;
  const to = last.firstNumber + endLine - last.line;
  return from === to ? `${start}:${from}` : `${start}:${from}-${to}`;
}

/** Returns the lines of a range that are in the same part of the document as one of them; all of them without parts. */
export function linesInPart(
  { places }: DocumentParts,
  { startLine, endLine }: DocumentLines,
  line: number,
): DocumentLines {
  const part = lastBefore(places, line);
  const next = places.find((one) => one.line > line);
  return {
    startLine: Math.max(startLine, part?.line ?? startLine),
    endLine: Math.min(endLine, (next?.line ?? endLine + 1) - 1),
  };
}

/** Returns whether two lines are on the same page, in the same cell … */
export function areInSamePart({ places }: DocumentParts, one: number, other: number): boolean {
  return lastBefore(places, one)?.name === lastBefore(places, other)?.name;
}

/** Returns `path` with the place of lines, as `read_context` takes it; undefined if the file has no places. */
export function documentPlace(
  path: string,
  document: DocumentParts | undefined,
  lines: DocumentLines,
): string | undefined {
  const place = document && placeOfLines(document, lines);
  return place === undefined ? undefined : path + place;
}

interface LocatedLines extends DocumentLines {
  readonly path: string;
  readonly place?: string | undefined;
}

/** `src/a.ts:12-40`; in a document `manual.pdf:p12 (lines 812-830)`, or its place alone if that has numbers of lines. */
export function locationText({ path, startLine, endLine, place }: LocatedLines): string {
  if (place === undefined) return `${path}:${startLine}-${endLine}`;
  const hasLines = /:(?:cell|sheet) .*:\d+(?:-\d+)?$/su.test(place);
  return hasLines ? place : `${place} (lines ${startLine}-${endLine})`;
}

/** Returns the lines of the text that a place means; undefined if the document has no such place. */
export function linesOfPlace(
  { unit, places }: DocumentParts,
  place: string,
  lineCount: number,
): DocumentLines | undefined {
  if (unit === undefined || !place.startsWith(MARKS[unit])) return undefined;
  const name = place.slice(MARKS[unit].length);
  const whole = rangeOf(places, name, name, lineCount);
  if (whole !== undefined || unit === "section") return whole;
  const numbered = /^(.+):(\d+)(?:-(\d+))?$/su.exec(name);
  if (numbered !== null && (unit === "cell" || unit === "sheet")) {
    const [, part = "", from, to = from] = numbered;
    return numberedLines(places, part, { from: Number(from), to: Number(to) }, lineCount);
  }
  // Names of sheets may have a hyphen, so the whole name comes first.
  for (let hyphen = name.indexOf("-"); hyphen !== -1; hyphen = name.indexOf("-", hyphen + 1)) {
    const range = rangeOf(places, name.slice(0, hyphen), name.slice(hyphen + 1), lineCount);
    if (range !== undefined) return range;
  }
  return undefined;
}

/** From the first line of one part to the last line of another. */
function rangeOf(
  places: readonly PlaceStart[],
  first: string,
  last: string,
  lineCount: number,
): DocumentLines | undefined {
  const start = places.find(({ name }) => name === first);
  const end = places.findLastIndex(({ name }) => name === last);
  if (start === undefined || end === -1) return undefined;
  const endLine = (places[end + 1]?.line ?? lineCount + 1) - 1;
  return endLine < start.line ? undefined : { startLine: start.line, endLine };
}

/** The lines of a part that have these numbers. */
function numberedLines(
  places: readonly PlaceStart[],
  part: string,
  { from, to }: { readonly from: number; readonly to: number },
  lineCount: number,
): DocumentLines | undefined {
  let startLine: number | undefined;
  let endLine: number | undefined;
  for (const [at, { line, name, firstNumber = 1 }] of places.entries()) {
    if (name !== part) continue;
    const length = (places[at + 1]?.line ?? lineCount + 1) - line;
    const first = Math.max(from, firstNumber);
    const last = Math.min(to, firstNumber + length - 1);
    if (first > last) continue;
    startLine ??= line + first - firstNumber;
    endLine = line + last - firstNumber;
  }
  return startLine === undefined || endLine === undefined ? undefined : { startLine, endLine };
}

/** The part that a line is in. */
function lastBefore(places: readonly PlaceStart[], line: number): PlaceStart | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}
