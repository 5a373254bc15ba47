// The headings, labels and documented definitions of reStructuredText.
import type { TextLines } from "../text-lines.ts";
import {
  labelEntry,
  MAX_TITLE_CHARS,
  tidyTitle,
  type Entry,
  type FoundParts,
  type Heading,
} from "./section-parts.ts";

const ADORNMENT = /^([!-/:-@[-`{-~])\1+[ \t]*$/;
const LABEL = /^\.\. _(?:`([^`]+)`|((?:[^:\\]|\\.)+)):[ \t]*$/;
/**
 * Directives of Sphinx that document a definition, with the prefix of a domain: `py:function`, `c:macro`. Several
 * projects add their own by `add_object_type`: Django has `setting`, pytest `confval` and `globalvar`.
 */
const DEFINITION =
  /^[ \t]*\.\. (?:(?:py|c|cpp|js|rst|std|http):)?(function|method|classmethod|staticmethod|decorator|decoratormethod|coroutinefunction|coroutinemethod|awaitablefunction|awaitablemethod|abstractmethod|class|exception|interface|protocol|enum|enum-class|enumerator|struct|union|type|typedef|alias|data|attribute|property|member|var|macro|module|namespace|option|cmdoption|envvar|confval|setting|globalvar|fixture|signal|templatetag|templatefilter|fieldlookup|django-admin|opcode|pdbcommand|2to3fixer|directive|role|get|post|put|patch|delete|head|options)::[ \t]+(\S.*)$/;
const LITERAL_DIRECTIVE =
  /^[ \t]*\.\. (?:code-block|code|sourcecode|parsed-literal|literalinclude|prompt|doctest|testcode|testoutput|ipython|math|productionlist|raw|highlight|graphviz|mermaid|digraph|table|list-table|csv-table|csv|tabularcolumns|image|figure)::/;
/** How many lines below a directive may hold further signatures. */
const MAX_SIGNATURES = 12;

/** Finds the headings, labels and documented definitions of reStructuredText. */
export function restructuredTextParts(lines: TextLines): FoundParts {
  const verbatim = new Uint8Array(lines.count + 2);
  const headings = headingsOf(lines);
  const ends = new BlockEnds(lines);
  const entries: Entry[] = [];
  for (let line = 1; line <= lines.count; line += 1) {
    const first = lines.firsts[line - 1] ?? 0;
    const start = lines.text.charCodeAt(first);
    if (start === DOT && lines.text.startsWith(".. ", first) && !isLong(lines, line)) {
      const text = lines.at(line);
      const label = LABEL.exec(text);
      if (label !== null) entries.push(labelEntry(line, (label[1] ?? label[2] ?? "").trim()));
      else if (LITERAL_DIRECTIVE.test(text)) verbatim.fill(1, line, ends.after(line) + 1);
      else addDefinition(lines, { line, text, endLine: () => ends.after(line) }, entries);
    } else if (endsWithColons(lines, line)) {
      // A literal block: the indented lines after a paragraph that ends with two colons.
      const end = ends.after(line);
      if (end > line) verbatim.fill(1, line + 1, end + 1);
    } else if (start === PLUS || start === EQUALS) {
      markTable(lines, line, verbatim);
    }
  }
  return { headings, verbatim, entries };
}

const DOT = 46;
const PLUS = 43;
const EQUALS = 61;
const COLON = 58;

function endsWithColons(lines: TextLines, line: number): boolean {
  const { text } = lines;
  const last = lines.lastOf(line);
  return text.charCodeAt(last) === COLON && text.charCodeAt(last - 1) === COLON;
}

/** Finds where the block ends that is indented below a line. Takes linear time for all lines together. */
class BlockEnds {
  readonly #lines: TextLines;
  /** By line: the last line of its block. Filled from the end of the text. */
  readonly #ends: Uint32Array;

  constructor(lines: TextLines) {
    this.#lines = lines;
    const { count, indents } = lines;
    this.#ends = new Uint32Array(count + 2);
    // The lines that begin blocks, innermost last, seen from the end of the text.
    const next: number[] = [];
    let after = count + 1;
    for (let line = count; line >= 1; line -= 1) {
      if (lines.isBlank(line)) continue;
      const indent = indents[line - 1] ?? 0;
      while (next.length > 0 && (indents[(next.at(-1) ?? 0) - 1] ?? 0) > indent) next.pop();
      after = next.at(-1) ?? count + 1;
      this.#ends[line] = after - 1;
      next.push(line);
    }
  }

  /** Returns the last line, not blank, that is indented below `line`; `line` if there is none. */
  after(line: number): number {
    let end = this.#ends[line] ?? line;
    while (end > line && this.#lines.isBlank(end)) end -= 1;
    return end;
  }
}

/**
 * The first style of adornment in the file is the outermost level, the second the next, and so on. Code and comments
 * are indented, so no heading is found in them.
 */
function headingsOf(lines: TextLines): Heading[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  for (let line = 2; line <= lines.count; line += 1) {
    const found = headingUnderlinedBy(lines, line);
    if (found === undefined) continue;
    const { style, startLine, title } = found;
    if (!styles.includes(style)) styles.push(style);
    const level = styles.indexOf(style) + 1;
    headings.push({ startLine: labelsAbove(lines, startLine), line: line - 1, level, title });
  }
  return headings;
}

interface Adorned {
  readonly style: string;
  readonly startLine: number;
  readonly title: string;
}

/** Returns the heading in line `line` - 1 if `line` underlines it. */
function headingUnderlinedBy(lines: TextLines, line: number): Adorned | undefined {
  const underline = adornmentAt(lines, line);
  if (underline === undefined || isLong(lines, line - 1)) return undefined;
  const mark = underline.charAt(0);
  const title = lines.at(line - 1).trimEnd();
  const isOverlined = line > 2 && lines.at(line - 2).trimEnd() === underline;
  if (!isTitle(title, underline, isOverlined)) return undefined;
  const startLine = isOverlined ? line - 2 : line - 1;
  if (startLine > 1 && !endsParagraph(lines, startLine - 1)) return undefined;
  // A simple table of one column looks like a title, but has rows below its second line.
  if (isOverlined && mark === "=" && isTableTop(lines, line)) return undefined;
  return { style: `${mark}${isOverlined ? "over" : ""}`, startLine, title: titleOf(title) };
}

/** Returns a line that repeats a punctuation mark. */
function adornmentAt(lines: TextLines, line: number): string | undefined {
  const start = lines.starts[line - 1] ?? 0;
  const mark = lines.text.charAt(start);
  // Fast path: most lines begin with two different characters.
  if (lines.text.charAt(start + 1) !== mark || !ADORNMENT_MARKS.includes(mark)) return undefined;
  const text = isLong(lines, line) ? "" : lines.at(line).trimEnd();
  return ADORNMENT.test(text) ? text : undefined;
}

function isTitle(title: string, underline: string, isOverlined: boolean): boolean {
  const begin = isOverlined ? /^\s*\S/ : /^(?!\.\. |[-*] |>>> )\S/;
  const isUnderlined = underline.length >= Math.min(title.trim().length, 4);
  return begin.test(title) && isUnderlined && !ADORNMENT.test(title);
}

function isLong(lines: TextLines, line: number): boolean {
  return lines.endOf(line) - (lines.starts[line - 1] ?? 0) > MAX_TITLE_CHARS;
}

const ADORNMENT_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Whether a title may follow the line: it is blank, or a label. */
function endsParagraph(lines: TextLines, line: number): boolean {
  return lines.isBlank(line) || lines.text.startsWith(".. _", lines.starts[line - 1]);
}

function isTableTop(lines: TextLines, line: number): boolean {
  for (let next = line + 1; next <= Math.min(lines.count, line + 40); next += 1) {
    if (lines.isBlank(next)) return false;
    if (lines.at(next).trimEnd() === lines.at(line).trimEnd()) return next > line + 1;
  }
  return false;
}

/** Returns the first line of the labels directly above a title. */
function labelsAbove(lines: TextLines, titleLine: number): number {
  let start = titleLine;
  for (let line = titleLine - 1; line >= 1 && titleLine - line < 12; line -= 1) {
    if (lines.isBlank(line)) continue;
    if (!lines.text.startsWith(".. _", lines.starts[line - 1]) || !LABEL.test(lines.at(line)))
      break;
    start = line;
  }
  return start;
}

/** Marks a table as verbatim from its first line on, so that it is not cut. */
function markTable(lines: TextLines, line: number, verbatim: Uint8Array): void {
  if (verbatim[line] === 1) return;
  const top = lines.at(line).slice(0, MAX_TITLE_CHARS).trim();
  const isGrid = /^\+[-=]+(?:\+[-=]+)*\+$/.test(top);
  const isSimple = /^=+(?: +=+)+$/.test(top);
  if (!isGrid && !isSimple) return;
  let end = line;
  while (end < lines.count && !lines.isBlank(end + 1)) end += 1;
  verbatim.fill(1, line, end + 1);
}

interface DirectiveLine {
  readonly line: number;
  readonly text: string;
  readonly endLine: () => number;
}

function addDefinition(lines: TextLines, directive: DirectiveLine, into: Entry[]): void {
  const { line, text } = directive;
  const [, type = "", signature] = DEFINITION.exec(text) ?? [];
  if (signature === undefined) return;
  const names = namesIn(type, signature);
  const [name, ...others] = names;
  if (name === undefined) return;
  const endLine = directive.endLine();
  // Other names come before the definition, so that they are next to it and not in it.
  for (const other of others) into.push(entryOf(other, { line, endLine: line, isInline: true }));
  // Further signatures are below the first one, in the same column.
  const column = text.length - signature.length;
  for (let next = line + 1; next <= Math.min(endLine, line + MAX_SIGNATURES); next += 1) {
    if (lines.isBlank(next) || lines.indents[next - 1] !== column) break;
    const more = lines.at(next).trim().slice(0, MAX_TITLE_CHARS);
    // An operator is described there as well: `set - other`.
    if (!/^(?:\S+|.*\(.*)$/.test(more)) continue;
    for (const other of namesIn(type, more)) {
      if (names.includes(other)) continue;
      names.push(other);
      into.push(entryOf(other, { line: next, endLine: next, isInline: true }));
    }
  }
  into.push(entryOf(name, { line, endLine, isInline: false }));
}

function entryOf(qualified: string, place: Pick<Entry, "line" | "endLine" | "isInline">): Entry {
  const parts = qualified.split(/\.|::/);
  const isPath = parts.length > 1 && parts.every((part) => part !== "");
  const name = isPath ? (parts.pop() ?? qualified) : qualified;
  // Sections, not functions: a name in code goes before the page that describes it.
  return { ...place, name, owner: isPath ? parts.join(".") : undefined, kind: "section" };
}

/** Returns the names that a signature declares: without arguments, types and return types. */
function namesIn(type: string, signature: string): string[] {
  if (/^(?:option|cmdoption)$/.test(type)) {
    const names = [...signature.matchAll(/(?:^|,\s*)([-+/]*[\w?][\w.:+-]*)/g)].map(
      ([, name = ""]) => name,
    );
    return names.toSorted((one, other) => Number(isLongOption(other)) - Number(isLongOption(one)));
  }
  if (/^(?:get|post|put|patch|delete|head|options)$/.test(type)) {
    return [`${type.toUpperCase()} ${signature.split(/\s/)[0] ?? ""}`];
  }
  if (/^(?:module|confval|setting|envvar|directive|role|django-admin)$/.test(type)) {
    return [signature.split(/[\s(:]/)[0] ?? ""].filter((name) => name !== "");
  }
  // A variable of C that holds a function: `int (*name)(void)`.
  const pointer = /^[\w\s*]{0,100}\(\*([\w.]+)\)\(/.exec(signature)?.[1];
  if (pointer !== undefined) return [pointer];
  const beforeArguments = signature.split(/[([{=]/)[0] ?? "";
  // Past the return type of C: `const char *name`; up to the type of Python: `name: int`.
  const declared = beforeArguments.replace(/(?<!:):(?!:).*$/, "").trim();
  const name = /([\w.:~$@-]+)$/.exec(declared.slice(-MAX_TITLE_CHARS))?.[1]?.replace(/^[.:@]+/, "");
  return name === undefined || name === "" ? [] : [name];
}

function isLongOption(option: string): boolean {
  return option.startsWith("--");
}

function titleOf(title: string): string {
  return tidyTitle(
    title
      .replace(/:[\w:+.-]+:`~?([^`<>]*?)(?:\s*<[^`<>]*>)?`/g, "$1")
      .replace(/`([^`<>]*?)\s*<[^`<>]*>`_{0,2}/g, "$1")
      .replace(/`([^`]+)`_{1,2}/g, "$1")
      .replace(/\*\*|`+/g, "")
      .replace(/\\(.)/g, "$1")
      .replace(/\|([^|\s](?:[^|]*[^|\s])?)\|/g, "$1")
      .replace(/(?<![\p{L}\p{N}*])\*([^\s*][^*]*)\*(?![\p{L}\p{N}*])/gu, "$1"),
  );
}
