// Parses a text with its grammar: returns its outline, symbols and references.
import type { Node } from "web-tree-sitter";

import { DEFINITION_RULES } from "../parse/languages/definition-rules-by-language.ts";
import type { Definition, ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { FlatSyntaxTree } from "../parse/flat-tree/flat-syntax-tree.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import { flatTreeOf, parseReferences } from "../parse/references/parse-references.ts";
import { LINE_PATTERNS } from "../parse/languages/line-patterns-by-language.ts";
import { parseLineOutline } from "../parse/symbols/line-outline.ts";
import { parseOutline } from "../parse/symbols/parse-outline.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";
import type { Grammars } from "../parse/syntax.ts";
import { splitLines, type TextLines } from "../parse/text-lines.ts";
import type { FileContents } from "./file-contents.ts";
import { symbolsOf } from "./outline-symbols.ts";
import { parseComponent } from "./parse-component.ts";

/** Every file up to this length is parsed with a grammar. Lengths are in UTF-16 code units. */
export const MAX_SHORT_CHARS = 256 * 1024;
/**
 * A longer file is parsed if it is code, up to this length: `server.c` of Redis has 298 KB, the checker of TypeScript
 * 2.9 MB. Many are tables and generated parsers, which take long and say little. They are cut by line patterns
 * (docs/decisions/0114).
 */
export const MAX_CODE_CHARS = 3 << 20;
/**
 * Code has a definition of some lines, as a function is, for fewer characters than this. Of 90 long files, those of code had
 * 0.6 to 3 KB for each, and generated parsers and minified files 100 KB and more.
 */
const CHARS_PER_DEFINITION = 8 << 10;
/** Long declarations of TypeScript are generated, and add thousands of names to a project (docs/decisions/0102). */
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** A constant is shorter, and a table is longer. */
const MIN_DEFINITION_LINES = 3;
const MAX_DEFINITION_LINES = 2000;

/** A text in a language. */
export interface TextInLanguage {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
  /** Characters of a signature; few by default. */
  readonly maxSignatureChars?: number | undefined;
}

/** Code of a document, in lines of a text of which only the code is left. */
interface CodeOfDocument extends TextInLanguage {
  /** The text to parse, of the same length and line breaks. */
  readonly parsedText?: string;
  /** Completes the outline by the rest of the document. */
  readonly complete?: (outline: ParsedOutline) => ParsedOutline;
}

/** Returns undefined if the text is to be cut by its line patterns. `lines`: those of the text. */
export function parseWithGrammar(
  source: CodeOfDocument,
  lines: TextLines,
  grammars: Grammars,
): { value: FileContents } | { problem: ParseProblem } | undefined {
  const { path, text, language = "", parsedText, complete = unchanged } = source;
  if (!isParsed(source, lines)) return undefined;
  const grammar = grammarFor(source);
  const rules = DEFINITION_RULES.get(grammar);
  if (rules === undefined) return undefined;
  const prepared = parsedText ?? rules.repairText?.(text) ?? rules.prepareText?.(text) ?? text;
  const outlineOf = (root: Node, tree: FlatSyntaxTree): ParsedOutline => {
    const { maxSignatureChars } = source;
    const lineCount = lines.count;
    const read = { text, maxSignatureChars, path, lineCount, rules, tree };
    const outline = parseOutline(root, read);
    if (root.type !== "ERROR") return outline;
    return mergeOutlines(outline, parseLineOutline(lines, language));
  };
  const contentsOf = (root: Node): FileContents => {
    const tree = flatTreeOf(root, text, grammar);
    const outline = complete(outlineOf(root, tree));
    const { symbols, names } = symbolsOf(outline);
    const named = source.complete === undefined ? symbols : symbols.map(withoutTitle);
    const references = parseReferences(root, { tree, grammar, symbols: named, names });
    return { outline, symbols, references };
  };
  const isShort = text.length <= MAX_SHORT_CHARS;
  const component = isShort ? rules.readComponent?.(text, prepared, path) : undefined;
  return component === undefined
    ? grammars.parse(grammar, prepared, contentsOf)
    : parseComponent({ component, prepared, grammar, lines, outlineOf }, grammars);
}

/** Returns whether a text is parsed, if there is a grammar of its language. `lines`: those of the text, if at hand. */
export function isParsed(
  { path, text, language = "" }: TextInLanguage,
  lines?: TextLines,
): boolean {
  const { length } = text;
  if (length <= MAX_SHORT_CHARS) return true;
  if (length > MAX_CODE_CHARS || DECLARATIONS.test(path)) return false;
  const { definitions } = parseLineOutline(lines ?? splitLines(text), language);
  const { code } = LINE_PATTERNS.get(language) ?? {};
  const others = code === undefined ? 0 : (text.match(code)?.length ?? 0);
  return (countBlocks(definitions) + others) * CHARS_PER_DEFINITION >= length;
}

/** Counts the definitions of some lines. */
function countBlocks(definitions: readonly Definition[]): number {
  let count = 0;
  for (const { startLine, endLine, members } of definitions) {
    const lines = endLine - startLine + 1;
    if (lines >= MIN_DEFINITION_LINES && lines <= MAX_DEFINITION_LINES) count += 1;
    count += countBlocks(members);
  }
  return count;
}

function unchanged(outline: ParsedOutline): ParsedOutline {
  return outline;
}

/** No name in the code refers to a heading that is written like it. */
function withoutTitle(symbol: SymbolDefinition): SymbolDefinition {
  return symbol.kind === "section" ? { ...symbol, name: "", qualifiedName: "" } : symbol;
}

/** Appends the line outline of the part after the last definition, where the parser gave up. */
function mergeOutlines(
  { definitions, cuts }: ParsedOutline,
  structure: ParsedOutline,
): ParsedOutline {
  const last = definitions.reduce((end, { endLine }) => Math.max(end, endLine), 0);
  const more = structure.definitions.filter(({ startLine }) => startLine > last);
  if (more.length === 0) return { definitions, cuts };
  return {
    definitions: [...definitions, ...more],
    cuts: cuts.map((cut, line) => (line >= last ? (structure.cuts[line] ?? cut) : cut)),
  };
}

/** Returns the grammar of a file. Header files have the language C, but C++ headers need the C++ grammar. */
export function grammarFor({ path, language, text }: TextInLanguage): string {
  const isCpp =
    language === "c" &&
    /\.h$/i.test(path) &&
    /^[ \t]*(?:class\s+\w+|namespace\b[^;{]{0,200}\{|template\s*<|(?:public|private|protected):)/m.test(
      text,
    );
  return isCpp ? "cpp" : (language ?? "");
}
