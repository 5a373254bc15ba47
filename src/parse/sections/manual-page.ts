// The headings of manual pages, in the macros of man(7) and mdoc(7).
import type { TextLines } from "../text-lines.ts";
import { MAX_TITLE_CHARS, tidyTitle, type FoundParts, type Heading } from "./section-parts.ts";

/** Macros at the beginning of a page. A page that begins with neither has headings nevertheless. */
const PAGE = /^[.'][ \t]*(?:TH|Dt|SH|Sh)\b/mu;
const NAME_OF_PAGE = /\.[1-9][a-z]{0,6}(?:\.in)?$/iu;
/** How much of a file shows whether it is a page. Licences in comments come first. */
const HEAD_CHARS = 16_384;
const MACRO = /^[.'][ \t]*(TH|Dt|SH|Sh|SS|Ss|nf|fi|EX|EE|Bd|Ed)(?:[ \t]+(.*))?$/u;
const LEVELS: Readonly<Record<string, number>> = { TH: 0, Dt: 0, SH: 1, Sh: 1, SS: 2, Ss: 2 };
const BEGINS_CODE = new Set(["nf", "EX", "Bd"]);
const ENDS_CODE = new Set(["fi", "EE", "Ed"]);
const DOT = 46;
const APOSTROPHE = 39;

/** Characters by their names in roff. */
const CHARACTERS: Readonly<Record<string, string>> = {
  aq: "'",
  oq: "‘",
  cq: "’",
  lq: "“",
  rq: "”",
  dq: '"',
  em: "—",
  en: "–",
  bu: "•",
  co: "©",
  ha: "^",
  ti: "~",
  rs: "\\",
};

/** Characters after a backslash that do not stand for themselves. */
const SINGLE: Readonly<Record<string, string>> = {
  "~": " ",
  e: "\\",
  "&": "",
  "|": "",
  "^": "",
  ":": "",
  "/": "",
  ",": "",
};

/** Returns whether a file is a manual page: `app.log.1` has the name of one, but no macros. */
export function isManualPage(path: string, text: string): boolean {
  return NAME_OF_PAGE.test(path) && PAGE.test(text.slice(0, HEAD_CHARS));
}

/** Finds the title and the headings of a manual page. */
export function manualParts(lines: TextLines): FoundParts {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings: Heading[] = [];
  let isCode = false;
  for (let line = 1; line <= lines.count; line += 1) {
    const [, macro = "", rest = ""] = macroAt(lines, line);
    if (ENDS_CODE.has(macro)) isCode = false;
    if (isCode) verbatim[line] = 1;
    if (BEGINS_CODE.has(macro)) isCode = true;
    const level = LEVELS[macro];
    if (level === undefined) continue;
    isCode = false;
    // A heading without a title on its line has it on the next one.
    const isBelow = rest.trim() === "" && level > 0;
    const title = titleOf(isBelow ? textAt(lines, line + 1) : rest, level === 0);
    if (title !== "") headings.push({ startLine: line, line, level, title });
  }
  return { headings, verbatim };
}

function macroAt(lines: TextLines, line: number): readonly (string | undefined)[] {
  const start = lines.starts[line - 1] ?? 0;
  const first = lines.text.charCodeAt(start);
  if (first !== DOT && first !== APOSTROPHE) return [];
  if (lines.endOf(line) - start > MAX_TITLE_CHARS) return [];
  return MACRO.exec(lines.at(line)) ?? [];
}

/** The text of a line that is not a macro, or the arguments of one for fonts: `.B NAME`. */
function textAt(lines: TextLines, line: number): string {
  if (line > lines.count) return "";
  const text = lines.at(line).slice(0, MAX_TITLE_CHARS);
  return /^[.']/u.test(text) ? (/^\.[BIR]{1,2}[ \t]+(.*)$/u.exec(text)?.[1] ?? "") : text;
}

/** `isPage`: the arguments are the name of the page and its section. */
function titleOf(rest: string, isPage: boolean): string {
  const words = argumentsOf(rest.replace(/\\".*$/u, ""));
  const [name = "", section] = words;
  return tidyTitle(isPage && section !== undefined ? `${name}(${section})` : words.join(" "));
}

/** Returns the arguments of a macro. One in quotes may contain blanks, and quotes that are doubled. */
function argumentsOf(rest: string): readonly string[] {
  const words = rest.match(/"(?:[^"]|"")*"?|\S+/gu) ?? [];
  return words.map((word) =>
    withoutEscapes(word.startsWith('"') ? word.replace(/^"|"$/gu, "").replaceAll('""', '"') : word),
  );
}

function withoutEscapes(text: string): string {
  return text
    .replace(/\\f(?:\[[^\]]{0,20}\]|\(..|.)/gu, "")
    .replace(/\\s[+-]?\d{1,2}/gu, "")
    .replace(/\\\((..)/gu, (escape, name: string) => CHARACTERS[name] ?? escape)
    .replace(/\\\[(\w{1,12})\]/gu, (escape, name: string) => CHARACTERS[name] ?? escape)
    .replace(/\\(.)/gu, (_, character: string) => SINGLE[character] ?? character);
}
