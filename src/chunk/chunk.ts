// Cuts one file into chunks, each of which can be a search result, and lists the symbols that the file
// defines. An outline of the file gives the start and end of every definition; tile.ts groups them into
// chunks.
import type { Node } from "web-tree-sitter";

import type { Definition, SymbolKind, ParsedOutline } from "../parse/languages/definition-rules.ts";
import { parseOutline } from "../parse/symbols/parse-outline.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";
import { DEFINITION_RULES } from "../parse/languages/definition-rules-by-language.ts";
import { isProse, parseSections } from "./prose.ts";
import { indexedRows } from "./table.ts";
import { paragraphCuts, splitLines, type TextLines } from "../parse/text-lines.ts";
import { isApiText, parseApiOutline } from "../parse/schemas/api-outline.ts";
import { parseSchemaOutline } from "../parse/schemas/schema-outline.ts";
import { parseLineOutline } from "../parse/symbols/line-outline.ts";
import { parseReferences } from "../parse/references/parse-references.ts";
import { NO_REFERENCES, type FileReferences } from "../parse/references/references.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import type { Grammars } from "../parse/syntax.ts";
import {
  qualifiedNameOf,
  tileIntoChunks,
  type TileInput,
  type Owner,
  type ChunkSizes,
  type TileUnit,
} from "./tile.ts";

/** A range of lines of a file that is indexed and returned as one unit. */
export interface Chunk {
  /** 1-based, inclusive. */
  readonly startLine: number;
  /** 1-based, inclusive. */
  readonly endLine: number;
  /**
   * Qualified name of the first definition (`Session.receive`) or the path of headings (`Guide > Install`).
   * "" if there is none.
   */
  readonly symbol: string;
  /**
   * Names of the definitions in the chunk, after the names of the definitions that enclose it. Without
   * fields.
   */
  readonly names: readonly string[];
  readonly kind: SymbolKind;
}

/** What `chunkFile` returns. */
export interface ChunkedFile {
  /**
   * In the order of the file. Every line that is not blank is in exactly one chunk, except the rows of a long table, of
   * which only the first are in chunks.
   */
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
  /** Empty if the file was parsed without a grammar. */
  readonly references: FileReferences;
  /** Why parsing with the grammar failed. Absent if it succeeded or was not tried. */
  readonly problem?: ParseProblem;
}

/**
 * In lines; a long line counts as several. A chunk should be short enough to read at a glance and cover one
 * topic, because the length normalization of the ranking penalizes chunks that cover several.
 */
const CODE_SIZES: ChunkSizes = {
  maxUncutLines: 60,
  maxLeafLines: 80,
  pieceLines: 50,
  maxTinyLines: 6,
  maxMergedLines: 40,
};
/** Sections are shorter than functions, and a single paragraph rarely answers a query. */
const PROSE_SIZES: ChunkSizes = {
  maxUncutLines: 40,
  maxLeafLines: 60,
  pieceLines: 40,
  maxTinyLines: 20,
  maxMergedLines: 40,
};
/**
 * Maximum length of a file that is parsed with a grammar, in UTF-16 code units. Longer files are nearly
 * always tables and generated parsers: in webpack, five files of 895 take a fifth of the parsing time. They
 * are cut by line patterns.
 */
export const MAX_SYNTAX_CHARS = 256 * 1024;

interface SourceFile {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
}

/**
 * Cuts a file into chunks. Never throws: a file that cannot be parsed is cut by its line patterns and
 * indentation, and the result has a `problem`.
 */
export function chunkFile(file: SourceFile, grammars?: Grammars): ChunkedFile {
  const lines = splitLines(file.text);
  const parsed = parseFile(file, lines, grammars);
  const { outline, symbols, references, sizes, gapKind, problem } = parsed;
  const input: TileInput = { lines, cuts: outline.cuts, sizes, gapKind };
  const range = { start: 1, end: parsed.endLine ?? lines.count };
  const units = tileIntoChunks(input, outline.definitions, range);
  const chunks = units.map(toChunk);
  return { chunks, symbols, references, ...(problem === undefined ? {} : { problem }) };
}

/** The outline of a file, and the references in it. */
interface ParsedFile {
  readonly outline: ParsedOutline;
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
}

interface ParseResult extends ParsedFile {
  readonly sizes: ChunkSizes;
  /** The kind of chunks outside of definitions. */
  readonly gapKind: SymbolKind;
  readonly problem?: ParseProblem | undefined;
  /** The last line that becomes part of a chunk. Absent: the last line of the file. */
  readonly endLine?: number;
}

function parseFile(
  file: SourceFile,
  lines: TextLines,
  grammars: Grammars | undefined,
): ParseResult {
  const { language } = file;
  if (isProse(language)) {
    const contents = withoutReferences(parseSections(lines, language));
    return { ...contents, sizes: PROSE_SIZES, gapKind: "text" };
  }
  if (language === undefined || language === "text") {
    const contents = withoutReferences({ definitions: [], cuts: paragraphCuts(lines) });
    return { ...contents, sizes: PROSE_SIZES, gapKind: "text" };
  }
  if (language === "csv") {
    const { cuts, endLine } = indexedRows(lines);
    const contents = withoutReferences({ definitions: [], cuts });
    return { ...contents, sizes: PROSE_SIZES, gapKind: "text", endLine };
  }
  const api = parseApiOutline(lines, language);
  if (api !== undefined) {
    return { ...withoutReferences(api), sizes: CODE_SIZES, gapKind: "module" };
  }
  const parsed = grammars && parseWithGrammar(file, lines, grammars);
  if (parsed !== undefined && "value" in parsed) {
    return { ...parsed.value, sizes: CODE_SIZES, gapKind: "module" };
  }
  const contents = withoutReferences(
    parseSchemaOutline(lines, language) ?? parseLineOutline(lines, language),
  );
  return { ...contents, sizes: CODE_SIZES, gapKind: "module", problem: parsed?.problem };
}

function withoutReferences(outline: ParsedOutline): ParsedFile {
  return { outline, symbols: symbolsOf(outline), references: NO_REFERENCES };
}

/** Returns undefined if the file is to be cut by its line patterns. */
function parseWithGrammar(
  file: SourceFile,
  lines: TextLines,
  grammars: Grammars,
): { value: ParsedFile } | { problem: ParseProblem } | undefined {
  const { text } = file;
  if (text.length > MAX_SYNTAX_CHARS) return undefined;
  const grammar = grammarFor(file);
  const rules = DEFINITION_RULES.get(grammar);
  if (rules === undefined) return undefined;
  const outlineOf = (root: Node): ParsedOutline => {
    const outline = parseOutline(root, { text, path: file.path, lineCount: lines.count, rules });
    if (root.type !== "ERROR") return outline;
    return mergeOutlines(outline, parseLineOutline(lines, file.language ?? ""));
  };
  const contentsOf = (root: Node): ParsedFile => {
    const outline = outlineOf(root);
    const symbols: SymbolDefinition[] = [];
    const names: number[] = [];
    collectSymbols(outline.definitions, undefined, { symbols, names });
    return {
      outline,
      symbols,
      references: parseReferences(root, { text, grammar, symbols, names }),
    };
  };
  const repaired = rules.repairText?.(text) ?? rules.prepareText?.(text) ?? text;
  return grammars.parse(grammar, repaired, contentsOf);
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

/** Returns whether `chunkFile` would use a grammar for the file. */
export function needsSyntax(file: SourceFile): boolean {
  const { text, language } = file;
  const isShort = text.length <= MAX_SYNTAX_CHARS;
  return isShort && DEFINITION_RULES.has(grammarFor(file)) && !isApiText(text, language);
}

/** Returns the grammar of a file. Header files have the language C, but C++ headers need the C++ grammar. */
export function grammarFor({ path, language, text }: SourceFile): string {
  const isCpp =
    language === "c" &&
    /\.h$/i.test(path) &&
    /^[ \t]*(?:class\s+\w+|namespace\b[^;{]{0,200}\{|template\s*<|(?:public|private|protected):)/m.test(
      text,
    );
  return isCpp ? "cpp" : (language ?? "");
}

function toChunk({ start, end, symbol, names, kind }: TileUnit): Chunk {
  return { startLine: start, endLine: end, symbol, names, kind };
}

function symbolsOf({ definitions }: ParsedOutline): readonly SymbolDefinition[] {
  const symbols: SymbolDefinition[] = [];
  collectSymbols(definitions, undefined, { symbols, names: [] });
  return symbols;
}

/** Symbols, and the offset of each one's name in the text, by the same index. */
interface SymbolList {
  readonly symbols: SymbolDefinition[];
  readonly names: number[];
}

function collectSymbols(
  definitions: readonly Definition[],
  outer: Pick<Owner, "qualifiedName" | "isTitle"> | undefined,
  into: SymbolList,
): void {
  for (const definition of definitions) {
    const qualifiedName = qualifiedNameOf(definition, outer);
    if (definition.isSymbol) {
      into.symbols.push(toSymbol(definition, qualifiedName));
      into.names.push(definition.nameIndex);
    }
    if (definition.members.length === 0) continue;
    const { isScope, isTitle, members } = definition;
    collectSymbols(members, isScope ? { qualifiedName, isTitle } : outer, into);
  }
}

function toSymbol(definition: Definition, qualifiedName: string): SymbolDefinition {
  const { name, kind, startLine, endLine, nameLine } = definition;
  const { access, signature, docLine } = definition;
  const place = { startLine, endLine, nameLine };
  const symbol = { name, qualifiedName, kind, ...place, access, signature };
  return docLine === undefined ? symbol : { ...symbol, docLine };
}
