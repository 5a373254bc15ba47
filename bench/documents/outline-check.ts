// Compares the pages, slides, cells, sheets and headings that svc finds with those that another program finds.
import type { DocumentText } from "../../src/base/documents/document.ts";
import { table } from "../quality/table.ts";
import { groupOf, type Group } from "./manifest.ts";
import type { ReaderOutline } from "./outline.ts";

export interface Compared {
  readonly right: number;
  readonly of: number;
  /** The first few wrong ones. */
  readonly wrong: readonly string[];
}

export interface OutlineCheck {
  readonly file: string;
  /** Pages, slides or cells whose text is under their own number. */
  readonly parts?: Compared;
  /** Headings of the other program that svc finds on the same page. */
  readonly headings?: Compared;
  /** Headings that only svc finds. */
  readonly ownHeadings?: number;
  readonly sheets?: Compared;
}

/** Fewer words do not identify a page. */
const MIN_WORDS = 5;
/** Below this share it would be another text. */
const MIN_SHARED = 0.5;
/** Words of a header and a footer. */
const MAX_FURNITURE_WORDS = 12;
const SHOWN = 5;

export function checkOutline(
  file: string,
  document: DocumentText,
  reader: ReaderOutline,
): OutlineCheck {
  const parts = textsOfParts(document);
  return {
    file,
    ...(reader.parts === undefined ? {} : { parts: compareParts(reader.parts, parts) }),
    ...(reader.sheets === undefined
      ? {}
      : { sheets: compareLists(reader.sheets, [...parts.keys()]) }),
    ...(reader.headings === undefined ? {} : compareHeadings(reader.headings, document)),
  };
}

/** Texts by the names of the parts; a part that continues later has its whole text. */
function textsOfParts({ text, places }: DocumentText): ReadonlyMap<string, string> {
  const lines = text.split("\n");
  const texts = new Map<string, string>();
  for (const [at, { line, name }] of places.entries()) {
    const part = lines.slice(line - 1, (places[at + 1]?.line ?? lines.length + 1) - 1).join("\n");
    texts.set(name, `${texts.get(name) ?? ""}${part}\n`);
  }
  return texts;
}

/**
 * A part is right if more of its words are under its number than under the numbers next to it. Headers and footers that
 * svc leaves out do not count: a part without text in svc must have few words.
 */
function compareParts(reader: readonly string[], parts: ReadonlyMap<string, string>): Compared {
  const words = new Map([...parts].map(([name, text]) => [Number(name), wordsOf(text)] as const));
  const wrong: string[] = [];
  let of = 0;
  for (const [at, text] of reader.entries()) {
    const wanted = wordsOf(text);
    if (wanted.size < MIN_WORDS) continue;
    of += 1;
    const number = at + 1;
    const own = sharedWith(wanted, words.get(number));
    const next = Math.max(
      sharedWith(wanted, words.get(number - 1)),
      sharedWith(wanted, words.get(number + 1)),
    );
    const isShort = wanted.size <= MAX_FURNITURE_WORDS;
    const isLeftOut = isShort && !words.has(number);
    if (!isLeftOut && (next > own || (own < MIN_SHARED && !isShort))) {
      wrong.push(`${number} (${(100 * own).toFixed(0)} %)`);
    }
  }
  return { right: of - wrong.length, of, wrong: wrong.slice(0, SHOWN) };
}

function wordsOf(text: string): ReadonlySet<string> {
  // Without hyphens at line ends, which some programs remove and others keep.
  const plain = text
    .normalize("NFKC")
    .replaceAll(/[-\u{ad}]\n/gu, "")
    .toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}]{4,}/gu));
}

function sharedWith(wanted: ReadonlySet<string>, words: ReadonlySet<string> | undefined): number {
  return words === undefined
    ? 0
    : [...wanted].filter((word) => words.has(word)).length / wanted.size;
}

function compareHeadings(
  reader: NonNullable<ReaderOutline["headings"]>,
  document: DocumentText,
): Pick<OutlineCheck, "headings" | "ownHeadings"> {
  const own = document.headings.map(({ title, line }) =>
    document.unit === "page" ? `${letters(title)} ${partOf(document, line)}` : letters(title),
  );
  const wanted = reader.map(({ title, part }) =>
    part === undefined ? letters(title) : `${letters(title)} ${part}`,
  );
  const headings = compareLists(wanted, own);
  return { headings, ownHeadings: Math.max(0, own.length - headings.right) };
}

function partOf({ places }: DocumentText, line: number): string {
  return places.findLast((place) => place.line <= line)?.name ?? "";
}

/** The number of elements that two lists have in common, counting repeats. */
export function compareLists(wanted: readonly string[], found: readonly string[]): Compared {
  const left = new Map<string, number>();
  for (const name of found) left.set(name, (left.get(name) ?? 0) + 1);
  const wrong = wanted.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
  return { right: wanted.length - wrong.length, of: wanted.length, wrong: wrong.slice(0, SHOWN) };
}

function letters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** One row for each group of documents. */
export function outlineTable(checks: readonly OutlineCheck[]): string {
  const groups = Map.groupBy(checks, ({ file }) => groupOf(file));
  return table(
    ["outlines of", "documents", "pages, slides, cells", "sheets", "headings", "only svc's"],
    [...groups].map(([group, of]) => rowOf(group, of)),
  );
}

function rowOf(group: Group, checks: readonly OutlineCheck[]): readonly (string | number)[] {
  const sum = (member: "parts" | "sheets" | "headings"): string => {
    const all = checks.flatMap((check) => check[member] ?? []);
    const of = all.reduce((total, one) => total + one.of, 0);
    return of === 0 ? "-" : `${all.reduce((total, one) => total + one.right, 0)} of ${of}`;
  };
  const own = checks.reduce((total, { ownHeadings = 0 }) => total + ownHeadings, 0);
  return [group, checks.length, sum("parts"), sum("sheets"), sum("headings"), own];
}
