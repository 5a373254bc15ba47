// The headings, labels and macros of LaTeX.
import type { TextLines } from "../text-lines.ts";
import {
  labelEntry,
  MAX_TITLE_CHARS,
  tidyTitle,
  type Entry,
  type FoundParts,
  type Heading,
} from "./section-parts.ts";

const LEVELS: Readonly<Record<string, number>> = {
  title: 0,
  part: 1,
  chapter: 2,
  addchap: 2,
  section: 3,
  addsec: 3,
  subsection: 4,
  subsubsection: 5,
  paragraph: 6,
  subparagraph: 7,
  frametitle: 8,
};
const HEADING =
  /\\(title|part|chapter|addchap|(?:sub){0,2}section|addsec|(?:sub)?paragraph|frametitle)\*?\s*(?:\[[^\]]*\]\s*)?\{/;
const FRAME = /\\begin\{frame\}(?:<[^>]*>)?(?:\[[^\]]*\])?\{/;
/** Environments with text that is not LaTeX. */
const VERBATIM =
  /\\begin\{((?:verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents|BVerbatim|LVerbatim|SaveVerbatim|code|pycode|luacode|macrocode|tabular|tabularx|longtable|tikzpicture)\*?)\}/;
const DEFINITION =
  /\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand|newrobustcmd|newif)\*?\s*\{?\s*\\([A-Za-z@]+)|\\(?:long\s*\\)?[gex]?def\s*\\([A-Za-z@]+)|\\cs_(?:new|set|gset)[\w]*:[A-Za-z]+\s*\\([\w:@]+)/;
const ENVIRONMENT =
  /\\(?:(?:re)?newenvironment|newtheorem|(?:New|Renew|Provide|Declare)DocumentEnvironment|newtcolorbox|lstnewenvironment|newmdenv)\*?\s*(?:\[[^\]]*\]\s*)?\{([A-Za-z@*-]+)\}/;
const LABEL = /\\label\s*\{([^{}]{1,100})\}/g;
/** Maximum lines of a title or the definition of a macro. */
const MAX_TITLE_LINES = 6;
const MAX_MACRO_LINES = 80;

/** Finds the headings, labels and macros of LaTeX. */
export function latexParts(lines: TextLines): FoundParts {
  const scan: LatexScan = { lines, headings: [], entries: [], hasTitle: false };
  const verbatim = new Uint8Array(lines.count + 2);
  const ends = lastEnds(lines);
  let environment: string | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    if (environment !== undefined) {
      verbatim[line] = 1;
      if (lines.at(line).slice(0, MAX_TITLE_CHARS).includes(`\\end{${environment}}`)) {
        environment = undefined;
      }
      continue;
    }
    const text = codeAt(lines, line);
    if (text === undefined) continue;
    const opened = VERBATIM.exec(text)?.[1];
    if (opened !== undefined && (ends.get(opened) ?? 0) > line) {
      environment = opened;
      verbatim[line] = 1;
      for (const entry of labelsIn(text, line)) scan.entries.push(entry);
      continue;
    }
    line = readLine(scan, line, text);
  }
  return { headings: scan.headings, verbatim, entries: scan.entries };
}

interface LatexScan {
  readonly lines: TextLines;
  readonly headings: Heading[];
  readonly entries: Entry[];
  hasTitle: boolean;
}

/** Returns a line with a command, without its comment. */
function codeAt(lines: TextLines, line: number): string | undefined {
  const start = lines.starts[line - 1] ?? 0;
  const end = Math.min(lines.endOf(line), start + MAX_TITLE_CHARS * 2);
  const at = lines.text.indexOf("\\", start);
  if (at === -1 || at >= end) return undefined;
  return withoutComment(lines.text.slice(start, end));
}

function withoutComment(text: string): string {
  if (!text.includes("%")) return text;
  let at = text.indexOf("%");
  // An odd number of backslashes before it makes it a percent sign.
  while (at !== -1 && /(?<!\\)(?:\\\\)*\\$/.test(text.slice(Math.max(0, at - 8), at))) {
    at = text.indexOf("%", at + 1);
  }
  return at === -1 ? text : text.slice(0, at);
}

/** Returns the last end of each verbatim environment. */
function lastEnds({ text, count, starts }: TextLines): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  let line = 1;
  for (const { index, 1: name = "" } of text.matchAll(/\\end\{([A-Za-z]{1,20}\*?)\}/g)) {
    while (line < count && (starts[line] ?? 0) <= index) line += 1;
    ends.set(name, line);
  }
  return ends;
}

/** Reads a line, and returns the last line that belongs to what it begins. */
function readLine(scan: LatexScan, line: number, text: string): number {
  const { lines, entries } = scan;
  const defined = definitionIn(text);
  if (defined !== undefined) {
    const endLine = bracesEnd(lines, line);
    entries.push({ ...defined, line, endLine, owner: undefined, isInline: true });
    // Headings and labels in the body of a macro are not those of the document.
    return endLine;
  }
  if (addHeading(scan, line, text)) return line;
  for (const entry of labelsIn(text, line)) entries.push(entry);
  return line;
}

function definitionIn(text: string): Pick<Entry, "name" | "kind"> | undefined {
  const [, command, primitive, expl] = DEFINITION.exec(text) ?? [];
  const name = command ?? primitive ?? expl;
  if (name !== undefined) return { name: `\\${name}`, kind: "function" };
  const environment = ENVIRONMENT.exec(text)?.[1];
  return environment === undefined ? undefined : { name: environment, kind: "type" };
}

function labelsIn(text: string, line: number): Entry[] {
  if (!text.includes("\\label")) return [];
  return [...text.matchAll(LABEL)].map(([, name = ""]) => labelEntry(line, name.trim()));
}

function addHeading(scan: LatexScan, line: number, text: string): boolean {
  const match = HEADING.exec(text) ?? FRAME.exec(text);
  // A heading begins its line, apart from a group or a frame.
  if (
    match === null ||
    !/^\s*(?:\{|\\begin\{frame\}\S*|\\\w+\s+)?\s*$/.test(text.slice(0, match.index))
  ) {
    return false;
  }
  const level = LEVELS[match[1] ?? "frametitle"] ?? 8;
  if (level === 0 && (scan.hasTitle || scan.headings.length > 0)) return true;
  const raw = argumentAt(scan.lines, line, match.index + match[0].length);
  const title = titleOf(raw);
  if (title === "" || title.startsWith("#")) return true;
  scan.hasTitle ||= level === 0;
  scan.headings.push({ startLine: line, line, level, title });
  for (const entry of labelsIn(text, line)) scan.entries.push(entry);
  return true;
}

/** Returns the text up to the brace that closes the one before `column`. It may be on a later line. */
function argumentAt(lines: TextLines, line: number, column: number): string {
  let argument = "";
  let depth = 1;
  for (let at = line; at < line + MAX_TITLE_LINES && at <= lines.count; at += 1) {
    const text = withoutComment(lines.at(at).slice(0, MAX_TITLE_CHARS * 2));
    for (let index = at === line ? column : 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (character === "\\") {
        argument += text.slice(index, index + 2);
        index += 1;
        continue;
      }
      if (character === "{") depth += 1;
      if (character === "}") depth -= 1;
      if (depth === 0 || argument.length >= MAX_TITLE_CHARS) return argument;
      argument += character;
    }
    argument += " ";
  }
  return argument;
}

/** Returns the line in which the braces are closed that begin in a line; the line itself if none are. */
function bracesEnd(lines: TextLines, line: number): number {
  let depth = 0;
  for (let at = line; at < line + MAX_MACRO_LINES && at <= lines.count; at += 1) {
    const text = withoutComment(lines.at(at).slice(0, MAX_TITLE_CHARS * 4));
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (character === "\\") index += 1;
      else if (character === "{") depth += 1;
      else if (character === "}") depth -= 1;
    }
    if (depth <= 0) return at;
  }
  return line;
}

/** Combining characters by accent command. */
const ACCENTS: Readonly<Record<string, string>> = {
  "'": "\u0301",
  "`": "\u0300",
  "^": "\u0302",
  '"': "\u0308",
  "~": "\u0303",
  "=": "\u0304",
  ".": "\u0307",
  c: "\u0327",
  v: "\u030C",
  u: "\u0306",
  H: "\u030B",
};
/** In the order of Unicode, which has a second sigma before the usual one. */
const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho  sigma tau upsilon phi chi psi omega";
const FIRST_GREEK = 0x3b1;
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    GREEK.split(" ").flatMap((name, at) => {
      if (name === "") return [];
      const letter = String.fromCodePoint(FIRST_GREEK + at);
      const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return [
        [name, letter],
        [capital, letter.toUpperCase()],
      ];
    }),
  ),
  LaTeX: "LaTeX",
  TeX: "TeX",
  LaTeXe: "LaTeX2e",
  XeTeX: "XeTeX",
  BibTeX: "BibTeX",
  ss: "ß",
  ae: "æ",
  o: "ø",
  aa: "å",
  ldots: "…",
  dots: "…",
  textbackslash: "\\",
};

/** Returns the argument of a heading without commands: their arguments stay, and so do accented letters. */
function titleOf(argument: string): string {
  let text = argument
    .replace(/\\\\(?:\[[^\]]*\])?|~|\\[,;:! ]/g, " ")
    .replace(
      /\\(['`^"~=.]|[cvuH](?![A-Za-z]))\s*\{?\\?([A-Za-z])\}?/g,
      (_, accent: string, letter: string) => `${letter}${ACCENTS[accent] ?? ""}`.normalize("NFC"),
    )
    .replace(/\\([&%$#_{}])/g, (_, character: string) => ESCAPED[character] ?? character);
  text = text.replace(/\\([A-Za-z]+)(?:\{\})?/g, (command, name: string) => WORDS[name] ?? command);
  for (let depth = 0; depth < 5 && text.includes("\\"); depth += 1) {
    const before = text;
    text = text
      .replace(
        /\\(?:label|index|footnote|thanks|cite[a-z]*|vspace|hspace|thispagestyle)\*?(?:\[[^\]]*\])*\{[^{}]*\}/g,
        "",
      )
      .replace(/\\texorpdfstring\s*\{[^{}]*\}\s*\{([^{}]*)\}/g, "$1")
      .replace(/\\[A-Za-z@]+\*?\s*(?:\[[^\]]*\])?\{([^{}]*)\}/g, "$1");
    if (text === before) break;
  }
  return tidyTitle(
    text
      // A set such as \Z has the name of a letter.
      .replace(/\\([A-GI-KMNQRT-Z])(?![A-Za-z@])/g, "$1")
      .replace(/\\[A-Za-z@]+\s*/g, "")
      .replace(/[{}$]/g, "")
      .replace(/``|''/g, '"'),
  ).replace(/[\uE000-\uE007]/g, (character) => RESTORED[character] ?? "");
}

/** Stand for escaped characters while the syntax around them is removed. */
const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&",
  "%": "%",
  $: "\uE000",
  "#": "\uE001",
  _: "\uE002",
  "{": "\uE003",
  "}": "\uE004",
};
const RESTORED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPED).map(([character, mark]) => [mark, character]),
);
