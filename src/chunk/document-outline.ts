// The outline of a document: its sections, and in notebooks the definitions in their code.
import type { DocumentCode, DocumentText } from "../base/documents/document.ts";
import { isValueKind } from "../base/definition-kinds.ts";
import { languageFamily } from "../base/language-families.ts";
import { DEFINITION_RULES } from "../parse/languages/definition-rules-by-language.ts";
import type { Definition, ParsedOutline } from "../parse/languages/definition-rules.ts";
import { LINE_PATTERNS } from "../parse/languages/line-patterns-by-language.ts";
import { withoutCommands } from "../parse/languages/python/ipython-lines.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import { NO_REFERENCES } from "../parse/references/references.ts";
import { nestParts } from "../parse/sections/section-parts.ts";
import { parseLineOutline } from "../parse/symbols/line-outline.ts";
import type { Grammars } from "../parse/syntax.ts";
import { paragraphCuts, splitLines, type TextLines } from "../parse/text-lines.ts";
import type { FileContents } from "./file-contents.ts";
import { symbolsOf } from "./outline-symbols.ts";
import { isParsed, parseWithGrammar } from "./parse-with-grammar.ts";

/** What `chunkFile` needs to know of a document besides its text. */
export type KnownParts = Pick<DocumentText, "headings" | "code" | "unit" | "places">;

/** A document, with its text as it was extracted. */
export interface DocumentFile {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
  readonly document: KnownParts;
}

interface ParsedDocument extends FileContents {
  readonly problem?: ParseProblem | undefined;
}

/** Extra cost of a cut inside a cell, compared with one between cells. */
const CUT_IN_CODE = 6;
/** The cost of a cut between code and what it has put out. */
const CUT_AFTER_CODE = 3;
/** The cost of a cut in code without known statements. */
const CUT_IN_VERBATIM = 9;
const MAX_CUT = 250;

/**
 * Returns the sections of a document. The code of a notebook is read as one text, by the grammar of its main language;
 * other languages by their line patterns. Examples of code in other documents define nothing. `splitLines` of the text
 * must be called again afterwards.
 */
export function parseDocument(file: DocumentFile, grammars: Grammars | undefined): ParsedDocument {
  const code = codeOf(file);
  const main = mainLanguage(code);
  const draft: Draft = { file, definitions: [], cuts: new Map() };
  for (const [language, ranges] of code) {
    if (language !== main) readByLines(draft, language, ranges);
  }
  const ranges = code.get(main) ?? [];
  const parsed = grammars && readMain(draft, { main, ranges, grammars });
  if (parsed !== undefined && "value" in parsed) return parsed.value;
  readByLines(draft, main, ranges);
  const outline = outlineOf(draft);
  const { symbols } = symbolsOf(outline);
  return { outline, symbols, references: NO_REFERENCES, problem: parsed?.problem };
}

/** Returns whether `parseDocument` would use a grammar. */
export function documentNeedsSyntax(file: DocumentFile): boolean {
  const code = codeOf(file);
  const main = mainLanguage(code);
  const { text } = codeText(file, main, code.get(main) ?? []);
  return DEFINITION_RULES.has(main) && isParsed({ path: file.path, text, language: main });
}

/**
 * Returns the lines that begin a page, slide or sheet: a result names one of them. Cells and sections are often too short
 * to be understood alone.
 */
export function breaksOf({ unit, places }: KnownParts): readonly number[] {
  if (unit !== "page" && unit !== "slide" && unit !== "sheet") return [];
  return places.filter(({ name }, at) => name !== places[at - 1]?.name).map(({ line }) => line);
}

/** Code ranges by language. */
type CodeByLanguage = ReadonlyMap<string, readonly DocumentCode[]>;

function codeOf({ language, document }: DocumentFile): CodeByLanguage {
  return Map.groupBy(language === "notebook" ? document.code : [], ({ language: of }) => of);
}

/** Returns the language with a grammar that has the most lines; "" if there is none. */
function mainLanguage(code: CodeByLanguage): string {
  let main = "";
  let most = 0;
  for (const [language, ranges] of code) {
    const count = ranges.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
    if (count <= most || !DEFINITION_RULES.has(language)) continue;
    main = language;
    most = count;
  }
  return main;
}

/** The facts about a document that is not yet complete. */
interface Draft {
  readonly file: DocumentFile;
  readonly definitions: Definition[];
  /** Cut points in code, by line. */
  readonly cuts: Map<number, number>;
}

function readMain(
  draft: Draft,
  { main, ranges, grammars }: { main: string; ranges: readonly DocumentCode[]; grammars: Grammars },
): ReturnType<typeof parseWithGrammar> {
  const { text, parsedText } = codeText(draft.file, main, ranges);
  const complete = (outline: ParsedOutline): ParsedOutline => {
    addOutline(draft, outline, ranges);
    return outlineOf(draft);
  };
  const source = { path: draft.file.path, language: main, text, parsedText, complete };
  const parsed = parseWithGrammar(source, splitLines(text), grammars);
  // Names are resolved by the rules of one language for all notebooks.
  const isResolved = languageFamily(main) === languageFamily(draft.file.language ?? "");
  if (isResolved || parsed === undefined || !("value" in parsed)) return parsed;
  return { value: { ...parsed.value, references: NO_REFERENCES } };
}

function readByLines(draft: Draft, language: string, ranges: readonly DocumentCode[]): void {
  if (language === "" || !LINE_PATTERNS.has(language)) return;
  const { text } = codeText(draft.file, language, ranges);
  addOutline(draft, parseLineOutline(splitLines(text), language), ranges);
}

/** Returns the text with all lines empty but those of the ranges. */
function codeText(
  { text }: DocumentFile,
  language: string,
  ranges: readonly DocumentCode[],
): { readonly text: string; readonly parsedText: string } {
  const lines = text.split("\n");
  const code = lines.map(() => "");
  const parsed = lines.map(() => "");
  for (const { startLine, endLine } of ranges) {
    const own = withoutMagic(lines.slice(startLine - 1, endLine));
    const python = language === "python" ? withoutCommands(own) : own;
    for (const [at, line] of own.entries()) {
      code[startLine - 1 + at] = line;
      parsed[startLine - 1 + at] = python[at] ?? line;
    }
  }
  return { text: code.join("\n"), parsedText: parsed.join("\n") };
}

/** Returns the lines with that of the magic of the cell empty, which is in no language: `%%bash`. */
function withoutMagic(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.trimStart().startsWith("%%") === true) lines[first] = "";
  return lines;
}

/** Adds what is in the ranges. */
function addOutline(draft: Draft, outline: ParsedOutline, ranges: readonly DocumentCode[]): void {
  const variables = new Set<string>();
  let at = 0;
  for (const definition of outline.definitions) {
    while ((ranges[at]?.endLine ?? Infinity) < definition.startLine) at += 1;
    const range = ranges[at];
    if (range === undefined || definition.startLine < range.startLine) continue;
    const { kind, name } = definition;
    // A notebook assigns the same variables again and again: the first one counts.
    const isVariable = isValueKind(kind);
    if (kind === "section" || (isVariable && variables.has(name))) continue;
    if (isVariable) variables.add(name);
    draft.definitions.push(inNotebook(definition, range.endLine));
  }
  for (const { startLine, endLine } of ranges) {
    for (let line = startLine; line <= endLine; line += 1) {
      draft.cuts.set(line, outline.cuts[line - 1] ?? 0);
    }
  }
}

/**
 * Nothing can be imported from a notebook, and no chunk begins at a variable. A definition ends with its cell, also
 * where the parser lost the end of it.
 */
function inNotebook(definition: Definition, endLine: number): Definition {
  endBy(definition, endLine);
  if (isValueKind(definition.kind)) return { ...definition, access: "private", isInline: true };
  return { ...definition, access: definition.access === "private" ? "private" : "internal" };
}

function endBy(definition: Definition, endLine: number): void {
  if (definition.endLine <= endLine) return;
  definition.endLine = endLine;
  for (const member of definition.members) endBy(member, endLine);
}

function outlineOf({ file, definitions, cuts }: Draft): ParsedOutline {
  const lines = splitLines(file.text);
  const { headings, code } = file.document;
  const known = headings.filter(({ line }) => line <= lines.count);
  const parts = known.map((heading) => ({ ...heading, startLine: heading.line }));
  const sections = nestParts({ headings: parts, verbatim: new Uint8Array() }, lines);
  const all = definitions.toSorted((one, other) => one.startLine - other.startLine);
  return { definitions: withinSections(sections, all), cuts: documentCuts(lines, code, cuts) };
}

/** Puts each definition into the section with the last heading before it. Both lists are sorted by line. */
function withinSections(sections: Definition[], definitions: readonly Definition[]): Definition[] {
  const before: Definition[] = [];
  const flat = [...flatten(sections)];
  let at = -1;
  for (const definition of definitions) {
    while ((flat[at + 1]?.startLine ?? Infinity) <= definition.startLine) at += 1;
    (flat[at]?.members ?? before).push(definition);
  }
  for (const section of flat) {
    section.isAboveCode = true;
    section.members.sort((one, other) => one.startLine - other.startLine);
  }
  return [...before, ...sections];
}

function* flatten(sections: readonly Definition[]): Generator<Definition> {
  for (const section of sections) {
    yield section;
    yield* flatten([...section.members]);
  }
}

function documentCuts(
  lines: TextLines,
  code: readonly DocumentCode[],
  inCode: ReadonlyMap<number, number>,
): Uint8Array {
  const cuts = paragraphCuts(lines);
  for (const { startLine, endLine } of code) {
    for (let line = startLine + 1; line <= Math.min(endLine, lines.count); line += 1) {
      const cut = inCode.get(line) ?? (cuts[line - 1] === 0 ? 0 : CUT_IN_VERBATIM);
      cuts[line - 1] = cut === 0 ? 0 : Math.min(MAX_CUT, cut + CUT_IN_CODE);
    }
    const next = endLine + 1;
    if (next < lines.count && cuts[next] === 1) cuts[next] = CUT_AFTER_CODE;
  }
  return cuts;
}
