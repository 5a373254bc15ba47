// Reads what a grammar shows of a text: its outline, symbols and references.
import type { Node } from "web-tree-sitter";

import { DEFINITION_RULES } from "../parse/languages/definition-rules-by-language.ts";
import type { ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { FlatSyntaxTree } from "../parse/flat-tree/flat-syntax-tree.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import { flatTreeOf, parseReferences } from "../parse/references/parse-references.ts";
import type { FileReferences } from "../parse/references/references.ts";
import { parseLineOutline } from "../parse/symbols/line-outline.ts";
import { parseOutline } from "../parse/symbols/parse-outline.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";
import type { Grammars } from "../parse/syntax.ts";
import type { TextLines } from "../parse/text-lines.ts";
import { symbolsOf } from "./outline-symbols.ts";

/**
 * Maximum length of a file that is parsed with a grammar, in UTF-16 code units. Longer files are nearly
 * always tables and generated parsers: in webpack, five files of 895 take a fifth of the parsing time. They
 * are cut by line patterns.
 */
export const MAX_SYNTAX_CHARS = 256 * 1024;

/** A text in a language. */
export interface TextInLanguage {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
  /** Characters of a signature; few by default. */
  readonly maxSignatureChars?: number | undefined;
}

/** The outline of a file, and the references in it. */
export interface FileContents {
  readonly outline: ParsedOutline;
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
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
  if (text.length > MAX_SYNTAX_CHARS) return undefined;
  const grammar = grammarFor(source);
  const rules = DEFINITION_RULES.get(grammar);
  if (rules === undefined) return undefined;
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
  const repaired = parsedText ?? rules.repairText?.(text) ?? rules.prepareText?.(text) ?? text;
  return grammars.parse(grammar, repaired, contentsOf);
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
