// Finds files whose current text contains given names.

import type { Role } from "../../index/types.ts";
import { anyOf, literal } from "../../index/literal-query.ts";
import { readFences } from "../../search/fences.ts";
import type { RelatedContext, DistinctiveName } from "./find-related-subject.ts";
import { searchableText } from "../text-search/searchable-text.ts";

/** Maximum files read. When a name is in more files, the rest adds little. */
const MAX_FILES = 80;
/** Maximum places checked in one file. */
const MAX_PLACES = 200;

/** Form of a mention: in a heading, as code in running text, in a code block, or as a plain word. */
export type MentionForm = "heading" | "code" | "block" | "plain";

/** Factor of each form. */
const FORM_SCORES: Readonly<Record<MentionForm, number>> = {
  heading: 1,
  code: 0.8,
  block: 0.6,
  plain: 0.4,
};

export interface Mention {
  readonly line: number;
  readonly name: DistinctiveName;
  readonly form: MentionForm;
  readonly score: number;
}

export interface Mentions {
  readonly path: string;
  /** The distinct names that occur. */
  readonly names: readonly DistinctiveName[];
  readonly best: Mention;
  readonly count: number;
}

interface MentionQuery {
  /** Paths to leave out: the subject. */
  readonly without: ReadonlySet<string>;
  readonly names: readonly DistinctiveName[];
  readonly role: Role;
}

/** The files of a role that contain any of the names, sorted by path. */
export async function findMentions(
  { reader, texts }: Pick<RelatedContext, "reader" | "texts">,
  { without, names, role }: MentionQuery,
): Promise<readonly Mentions[]> {
  if (names.length === 0) return [];
  const pattern = patternOf(names);
  const found: Mentions[] = [];
  let read = 0;
  const filter = (file: { role: Role; path: string }): boolean =>
    file.role === role && !without.has(file.path);
  const query = anyOf(names.map(({ name }) => literal(name)));
  for await (const { path } of reader.textCandidates(query, { filter })) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const text = (await searchableText(texts, path))?.text;
    const mentions =
      text === undefined ? undefined : mentionsIn(text, { path, names, pattern, role });
    if (mentions !== undefined) found.push(mentions);
    read += 1;
    if (read === MAX_FILES) break;
  }
  return found;
}

/** Matches the names as whole words, the longest first, so that a path wins over its last part. */
function patternOf(names: readonly DistinctiveName[]): RegExp {
  const texts = names.map(({ name }) => name).toSorted((one, other) => other.length - one.length);
  const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`(?<![\\w$-])(?:${escaped.join("|")})(?![\\w$]|-\\w)`, "g");
}

function mentionsIn(
  text: string,
  { path, names, pattern, role }: Omit<MentionQuery, "without"> & { path: string; pattern: RegExp },
): Mentions | undefined {
  const known = new Map(names.map((name) => [name.name, name]));
  const counted = new Set<DistinctiveName>();
  // Split on the first match: most candidate files have none.
  let lines: readonly string[] | undefined;
  let isBlock = (_line: number): boolean => role !== "docs";
  let best: Mention | undefined;
  let count = 0;
  let line = 1;
  let at = 0;
  for (const { 0: name, index } of text.matchAll(pattern)) {
    for (
      let end = text.indexOf("\n", at);
      end !== -1 && end < index;
      end = text.indexOf("\n", at)
    ) {
      line += 1;
      at = end + 1;
    }
    const scored = known.get(name);
    if (lines === undefined) {
      lines = text.split("\n");
      if (role === "docs") isBlock = fenceCheck(lines);
    }
    const form = isBlock(line) ? "block" : formOf(lines, line, { start: index - at, name });
    if (scored === undefined || form === undefined) continue;
    count += 1;
    counted.add(scored);
    const score = scored.weight * FORM_SCORES[form];
    if (best === undefined || score > best.score) best = { line, name: scored, form, score };
    if (count === MAX_PLACES) break;
  }
  return best && { path, names: [...counted], best, count };
}

/** Undefined for an ordinary word in running text, which is not a mention. */
function formOf(
  lines: readonly string[],
  line: number,
  { start, name }: { start: number; name: string },
): MentionForm | undefined {
  const text = lines[line - 1] ?? "";
  const isOrdinary = /^[A-Za-z]?[a-z]+$/.test(name);
  const before = text.slice(0, start);
  const after = text.slice(start + name.length);
  const isMarked = (before.split("`").length - 1) % 2 === 1 && after.includes("`");
  const isCall = after.startsWith("(");
  const isHeading =
    /^(?:#{1,6}|={1,6})\s/.test(text) || /^([=\-~^"'*+#])\1{2,}\s*$/.test(lines[line] ?? "");
  if (isHeading && (!isOrdinary || isMarked || isCall || /^\W*\w+\W*$/.test(text)))
    return "heading";
  if (isMarked || isCall) return "code";
  return isOrdinary ? undefined : "plain";
}

/** A predicate for the lines inside fenced code. */
function fenceCheck(lines: readonly string[]): (line: number) => boolean {
  const { pairs } = readFences(lines);
  return (line) => pairs.some(({ open, close }) => line > open && line < close);
}
