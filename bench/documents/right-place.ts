// Decides whether a result is at a place that answers a question.
import type { DocumentQuestion } from "./questions.ts";

/** A result of `svc search --json`. */
export interface DocumentResult {
  readonly path: string;
  /** The name of the place in svc: `manual.pdf:p12`. Absent for plain text files. */
  readonly place?: string | undefined;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
}

/** The lines of a heading and its section, in a plain text file. */
export type LinesOfHeading = (title: string) => readonly [number, number] | undefined;

/** A result that names more pages, slides or cells than this is too vague to count. */
const MAX_PARTS = 5;

const COUNTED = {
  pages: /^:p(\d+)(?:-(\d+))?$/u,
  slides: /^:slide (\d+)(?:-(\d+))?$/u,
  cells: /^:cell (\d+)(?:-(\d+)|:.*)?$/u,
} as const;

export function isRightPlace(
  question: DocumentQuestion,
  { path, ...result }: DocumentResult,
  linesOfHeading: LinesOfHeading,
): boolean {
  if (path !== question.document) return false;
  const place = result.place?.startsWith(path) ? result.place.slice(path.length) : "";
  return (
    isCountedPlace(question, place) ||
    isSheetPlace(question, place) ||
    (question.headings ?? []).some((title) =>
      isSection({ ...result, place }, title, linesOfHeading),
    ) ||
    (question.text ?? []).some((text) => plain(result.text).includes(plain(text)))
  );
}

function isCountedPlace(question: DocumentQuestion, place: string): boolean {
  return (["pages", "slides", "cells"] as const).some((unit) => {
    const [, first, last = first] = COUNTED[unit].exec(place) ?? [];
    if (first === undefined || Number(last) - Number(first) >= MAX_PARTS) return false;
    const isIn = (number: number): boolean => number >= Number(first) && number <= Number(last);
    return question[unit]?.some(isIn) ?? false;
  });
}

function isSheetPlace({ sheet, rows }: DocumentQuestion, place: string): boolean {
  if (sheet === undefined || !place.startsWith(`:sheet ${sheet}`)) return false;
  if (rows === undefined) return true;
  const range = /^:(\d+)(?:-(\d+))?$/u.exec(place.slice(`:sheet ${sheet}`.length));
  if (range === null) return false;
  const [, first, last = first] = range;
  return Number(first) <= rows[1] && Number(last) >= rows[0];
}

function isSection(
  result: Omit<DocumentResult, "path">,
  title: string,
  linesOfHeading: LinesOfHeading,
): boolean {
  const wanted = letters(title);
  // A number at the end distinguishes headings with the same title.
  if (result.place?.startsWith("#")) {
    const slug = letters(result.place);
    if (slug === wanted || letters(result.place.replace(/-\d+$/u, "")) === wanted) return true;
  }
  if (result.text.split("\n").some((line) => letters(withoutMarkup(line)) === wanted)) return true;
  const lines = result.place === "" ? linesOfHeading(title) : undefined;
  if (lines === undefined) return false;
  return result.start_line <= lines[1] && result.end_line >= lines[0];
}

/** The normal form that a heading and its anchor have in common. */
function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Without markup, case, and differences of white space. */
function plain(text: string): string {
  return withoutMarkup(text).toLowerCase().replaceAll(/\s+/gu, " ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/gu, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/gu, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** Finds headings of an HTML file by their titles: from the line of its tag to the line before the next heading. */
export function htmlHeadings(html: string): LinesOfHeading {
  const sections: { readonly title: string; readonly line: number }[] = [];
  let line = 1;
  let counted = 0;
  for (const match of html.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gsu)) {
    line += html.slice(counted, match.index).split("\n").length - 1;
    counted = match.index;
    sections.push({ title: letters(withoutMarkup(match[2] ?? "")), line });
  }
  const end = html.split("\n").length;
  return (title) => {
    const at = sections.findIndex((section) => section.title === letters(title));
    const from = sections[at]?.line;
    if (from === undefined) return undefined;
    const next = sections[at + 1]?.line ?? end + 1;
    return [from, Math.max(from, next - 1)];
  };
}
