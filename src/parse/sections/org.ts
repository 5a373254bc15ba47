// The headlines, named blocks and targets of Org.
import type { TextLines } from "../text-lines.ts";
import {
  labelEntry,
  MAX_TITLE_CHARS,
  tidyTitle,
  type Entry,
  type FoundParts,
  type Heading,
} from "./section-parts.ts";

const HEADLINE = /^(\*+)[ \t]+(\S.*)$/;
const BLOCK = /^[ \t]*#\+(begin|end)_(\S+)/i;
const KEYWORD = /^[ \t]*#\+(title|name|todo|seq_todo|typ_todo):[ \t]*(\S.*)$/i;
const CUSTOM_ID = /^[ \t]*:custom_id:[ \t]+(\S+)/i;
const TARGET = /<<([^<>\s][^<>]{0,100})>>/g;
const TODO_KEYWORDS =
  "TODO DONE NEXT WAITING WAIT HOLD STARTED INPROGRESS IN-PROGRESS DOING SOMEDAY CANCELED CANCELLED";

/** Finds the headlines, named blocks and targets of Org. */
export function orgParts(lines: TextLines): FoundParts {
  const scan: OrgScan = {
    headings: [],
    entries: [],
    todo: new Set(TODO_KEYWORDS.split(" ")),
    hasTitle: false,
  };
  const verbatim = new Uint8Array(lines.count + 2);
  const ends = lastEnds(lines);
  let block: string | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    if (block !== undefined) verbatim[line] = 1;
    const text = structureAt(lines, line);
    if (text === undefined) continue;
    const [, edge = "", type = ""] = BLOCK.exec(text) ?? [];
    const isEnd = edge.toLowerCase() === "end";
    if (block !== undefined) {
      if (isEnd && type.toLowerCase() === block) block = undefined;
    } else if (edge !== "") {
      // A block without an end is text.
      if (isEnd || (ends.get(type.toLowerCase()) ?? 0) <= line) continue;
      block = type.toLowerCase();
      verbatim[line] = 1;
    } else {
      readLine(scan, line, text);
    }
  }
  return { headings: scan.headings, verbatim, entries: scan.entries };
}

interface OrgScan {
  readonly headings: Heading[];
  readonly entries: Entry[];
  readonly todo: Set<string>;
  hasTitle: boolean;
}

/** Returns a line that may be structure. */
function structureAt(lines: TextLines, line: number): string | undefined {
  const start = lines.starts[line - 1] ?? 0;
  const first = lines.firsts[line - 1] ?? 0;
  const mark = lines.text.charAt(first);
  const isHeadline = mark === "*" && first === start;
  if (!isHeadline && mark !== "#" && mark !== ":" && mark !== "<") return undefined;
  return lines.endOf(line) - start > MAX_TITLE_CHARS ? undefined : lines.at(line);
}

/** Returns the last end of each type of block, in lower case. */
function lastEnds(lines: TextLines): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (let line = 1; line <= lines.count; line += 1) {
    if (lines.text.charAt(lines.firsts[line - 1] ?? 0) !== "#") continue;
    const [, edge, type = ""] = BLOCK.exec(structureAt(lines, line) ?? "") ?? [];
    if (edge?.toLowerCase() === "end") ends.set(type.toLowerCase(), line);
  }
  return ends;
}

function readLine(scan: OrgScan, line: number, text: string): void {
  const { headings, entries } = scan;
  const [, stars, headline] = HEADLINE.exec(text) ?? [];
  if (stars !== undefined && headline !== undefined) {
    const title = titleOf(headline, scan.todo);
    headings.push({ startLine: line, line, level: stars.length, title });
    return;
  }
  const [, keyword, value] = KEYWORD.exec(text) ?? [];
  if (keyword !== undefined && value !== undefined) {
    readKeyword(scan, line, { name: keyword.toLowerCase(), value });
  }
  const label = CUSTOM_ID.exec(text)?.[1];
  if (label !== undefined) entries.push(labelEntry(line, label));
  for (const [, target = ""] of text.matchAll(TARGET)) entries.push(labelEntry(line, target));
}

function readKeyword(
  scan: OrgScan,
  line: number,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  if (name === "name") {
    scan.entries.push(labelEntry(line, value.trim()));
  } else if (name !== "title") {
    for (const word of value.split(/\s+/)) {
      const state = word.replace(/\(.*$/, "");
      if (/^[\p{L}_-]+$/u.test(state)) scan.todo.add(state);
    }
  } else if (!scan.hasTitle && scan.headings.length === 0) {
    scan.hasTitle = true;
    const title = tidyTitle(withoutMarkup(value));
    scan.headings.push({ startLine: line, line, level: 0, title });
  }
}

/** Returns a headline without its state, priority, progress and tags. */
function titleOf(headline: string, todo: ReadonlySet<string>): string {
  let title = headline.trimEnd().replace(/(?<![ \t])[ \t]+:[\p{L}\p{N}_@#%:]+:$/u, "");
  const [, state = ""] = /^(\S+)(?:\s|$)/.exec(title) ?? [];
  if (todo.has(state)) title = title.slice(state.length).trimStart();
  title = title.replace(/^\[#\w\]\s*/, "").replace(/^COMMENT\s+/, "");
  return tidyTitle(withoutMarkup(title.replace(/\[(?:\d*\/\d*|\d*%)\]/g, "")));
}

function withoutMarkup(text: string): string {
  return text
    .replace(/\[\[[^[\]]*\]\[([^[\]]*)\]\]/g, "$1")
    .replace(/\[\[([^[\]]*)\]\]/g, "$1")
    .replace(/<<<?([^<>]*)>>>?/g, "")
    .replace(
      /(?<![\p{L}\p{N}])([*/=~+])([^\s*/=~+](?:[^*/=~+]*[^\s*/=~+])?)\1(?![\p{L}\p{N}])/gu,
      "$2",
    );
}
