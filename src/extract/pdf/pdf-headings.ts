// Headings of a document by its outline: where its titles are on the pages.

import type { PdfConnection, PdfOutlineItem } from "./pdf-connection.ts";
import type { PdfLine } from "./pdf-lines.ts";

/** A title of the outline and where it leads. */
export interface PdfTitle {
  readonly title: string;
  readonly level: number;
  /** From 0. */
  readonly page: number;
  /** Height on the page, in points; undefined if the outline does not say. */
  readonly y: number | undefined;
}

/** A heading at a line of a page. */
export interface PlacedHeading {
  readonly title: string;
  readonly level: number;
  /** Index of the line on the page. */
  readonly line: number;
  /** So many lines of the page are the title itself; 0 if it is not there. */
  readonly lineCount: number;
}

/** More titles are left out: an outline of a book has some hundreds. */
const MAX_TITLES = 20_000;
const MAX_LEVEL = 12;
/** More titles of one page are left out. */
const MAX_TITLES_ON_PAGE = 200;
const MAX_TITLE_CHARS = 500;
export const MAX_TITLE_LINES = 3;
/** More text than this around a title is not a number. */
const MAX_EXTRA_CHARS = 30;
/** Returns the titles of the outline in its order. `pageOf`: index of the page with a reference. */
export async function titlesOf(
  connection: PdfConnection,
  pageOf: (reference: string) => number | undefined,
): Promise<readonly PdfTitle[]> {
  const titles: PdfTitle[] = [];
  const known = new Map<string, unknown>();
  const visit = async (items: readonly PdfOutlineItem[], level: number): Promise<void> => {
    for (const item of items) {
      if (titles.length >= MAX_TITLES) return;
      const target = await targetOf(connection, item.dest, known);
      const page = pageIndex(target?.[0], pageOf);
      if (page !== undefined && typeof item.title === "string")
        titles.push({ title: clean(item.title), level, page, y: heightOf(target ?? []) });
      if (level < MAX_LEVEL) await visit(item.items, level + 1);
    }
  };
  await visit(await connection.outline(), 1);
  return titles.filter(({ title }) => title !== "");
}

async function targetOf(
  connection: PdfConnection,
  dest: unknown,
  known: Map<string, unknown>,
): Promise<readonly unknown[] | undefined> {
  if (typeof dest !== "string") return Array.isArray(dest) ? dest : undefined;
  if (!known.has(dest)) known.set(dest, await connection.destination(dest).catch(() => null));
  const found = known.get(dest);
  return Array.isArray(found) ? found : undefined;
}

function pageIndex(
  page: unknown,
  pageOf: (reference: string) => number | undefined,
): number | undefined {
  if (typeof page === "number") return Number.isInteger(page) && page >= 0 ? page : undefined;
  const number: unknown = Reflect.get(Object(page), "num");
  const generation: unknown = Reflect.get(Object(page), "gen");
  if (typeof number !== "number" || typeof generation !== "number") return undefined;
  // As pdf.js writes references.
  return pageOf(generation === 0 ? `${number}R` : `${number}R${generation}`);
}

/** The height in a target such as [page, /XYZ, left, top, zoom] or [page, /FitH, top]. */
function heightOf(target: readonly unknown[]): number | undefined {
  const kind: unknown = Reflect.get(Object(target[1]), "name");
  const height = kind === "XYZ" ? target[3] : kind === "FitH" ? target[2] : undefined;
  return typeof height === "number" ? height : undefined;
}

/** Returns the headings of a page by the titles that lead to it, in the order of its lines. */
export function placeTitles(
  titles: readonly PdfTitle[],
  lines: readonly PdfLine[],
): readonly PlacedHeading[] {
  const shapes = lines.map(({ text }) => shapeOf(text));
  const taken = new Set<number>();
  let last = 0;
  const placed = titles.slice(0, MAX_TITLES_ON_PAGE).map(({ title, level, y }): PlacedHeading => {
    const shape = shapeOf(title);
    const found = matchesOf(shape, shapes)
      .filter(({ line }) => !taken.has(line))
      .toSorted((a, b) => distance(lines[a.line], y) - distance(lines[b.line], y))[0];
    const line = found?.line ?? below(lines, y, last);
    const lineCount = found?.lineCount ?? 0;
    for (let at = line; at < line + lineCount; at += 1) taken.add(at);
    last = line;
    return { title, level, line, lineCount };
  });
  return placed.toSorted((a, b) => a.line - b.line);
}

/** The places where lines, from their beginning to their end, are the title. */
function matchesOf(
  title: string,
  shapes: readonly string[],
): readonly Pick<PlacedHeading, "line" | "lineCount">[] {
  if (title === "") return [];
  const found: Pick<PlacedHeading, "line" | "lineCount">[] = [];
  for (const [line, shape] of shapes.entries()) {
    if (shape === "") continue;
    let whole = "";
    for (let lineCount = 1; lineCount <= MAX_TITLE_LINES; lineCount += 1) {
      whole += shapes[line + lineCount - 1] ?? "";
      if (whole === title || isNumbered(whole, title) || isNumbered(title, whole)) {
        found.push({ line, lineCount });
        break;
      }
      if (whole.length > title.length + MAX_EXTRA_CHARS) break;
    }
  }
  return found;
}

/** Whether `longer` is `shorter` after a number such as "4.2" or "Chapter 4". */
function isNumbered(longer: string, shorter: string): boolean {
  if (shorter.length < 3 || !longer.endsWith(shorter)) return false;
  return /^(?:chapter|part|appendix|section)?[\divxlc]{0,8}[a-z]?\d{0,6}$/u.test(
    longer.slice(0, longer.length - shorter.length),
  );
}

function distance(line: PdfLine | undefined, y: number | undefined): number {
  return line === undefined || y === undefined ? 0 : Math.abs(line.y - y);
}

/** The first line that is not above the height; `last` if the height is unknown. */
function below(lines: readonly PdfLine[], y: number | undefined, last: number): number {
  if (y === undefined) return last;
  const found = lines.findIndex((line) => line.y <= y);
  return Math.max(0, found);
}

/** Letters and digits only: outlines and pages differ in spaces, quotes and dashes. */
function shapeOf(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function clean(title: string): string {
  return title.slice(0, MAX_TITLE_CHARS).replace(/\s+/gu, " ").trim();
}
