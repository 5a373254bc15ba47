// Cuts one file into chunks, each of which can be a search result, and lists the symbols that the file
// defines. An outline of the file gives the start and end of every definition; tile.ts groups them into
// chunks.
import type { SymbolKind, ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";
import { DEFINITION_RULES } from "../parse/languages/definition-rules-by-language.ts";
import {
  breaksOf,
  documentNeedsSyntax,
  parseDocument,
  type KnownParts,
} from "./document-outline.ts";
import type { FileContents } from "./file-contents.ts";
import { symbolsOf } from "./outline-symbols.ts";
import {
  grammarFor,
  isParsed,
  MAX_CODE_CHARS,
  parseWithGrammar,
  type TextInLanguage,
} from "./parse-with-grammar.ts";
import { isProse, parseSections } from "./prose.ts";
import { indexedRows } from "./table.ts";
import { paragraphCuts, splitLines, type TextLines } from "../parse/text-lines.ts";
import { withSelectors } from "../parse/languages/objc/selectors.ts";
import { parseSwift } from "../parse/languages/swift/parse-swift.ts";
import { parseHtmlOutline } from "../parse/sections/html.ts";
import { isManualPage } from "../parse/sections/manual-page.ts";
import { isApiText, parseApiOutline } from "../parse/schemas/api-outline.ts";
import { parseSchemaOutline } from "../parse/schemas/schema-outline.ts";
import { parseLineOutline } from "../parse/symbols/line-outline.ts";
import { NO_REFERENCES, type FileReferences } from "../parse/references/references.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import { withTextUses } from "../parse/references/text-uses.ts";
import { withStyles } from "../parse/styles/read-styles.ts";
import type { Grammars } from "../parse/syntax.ts";
import { tileIntoChunks, type TileInput, type ChunkSizes, type TileUnit } from "./tile.ts";

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
  /** A file in a language without a grammar has those that its tokens show, and uses of shared names such as environment variables. */
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
/** A file to be cut. */
interface SourceFile extends TextInLanguage {
  /** Only of documents, whose `text` was extracted: its sections and code are known. */
  readonly document?: KnownParts | undefined;
}

/**
 * Cuts a file into chunks. Never throws: a file that cannot be parsed is cut by its line patterns and
 * indentation, and the result has a `problem`.
 */
export function chunkFile(file: SourceFile, grammars?: Grammars): ChunkedFile {
  const parsed = parseFile(file, grammars);
  const { outline, sizes, gapKind, problem } = parsed;
  const lines = splitLines(file.text);
  const breaks = file.document && breaksOf(file.document);
  const input: TileInput = { lines, cuts: outline.cuts, sizes, gapKind, breaks };
  const range = { start: 1, end: parsed.endLine ?? lines.count };
  const units = tileIntoChunks(input, outline.definitions, range);
  const chunks = units.map(toChunk);
  const { symbols, references } = file.document === undefined ? withUses(file, parsed) : parsed;
  return { chunks, symbols, references, ...(problem === undefined ? {} : { problem }) };
}

/** Adds what is read from the text, without a syntax tree. */
function withUses(
  file: SourceFile,
  parsed: FileContents,
): Pick<FileContents, "symbols" | "references"> {
  const styled = withStyles({ ...file, symbols: parsed.symbols }, parsed.references);
  const { symbols } = styled;
  return { symbols, references: withTextUses(styled.references, { ...file, symbols }) };
}

interface ParseResult extends FileContents {
  readonly sizes: ChunkSizes;
  /** The kind of chunks outside definitions. */
  readonly gapKind: SymbolKind;
  readonly problem?: ParseProblem | undefined;
  /** The last line that becomes part of a chunk. Absent: the last line of the file. */
  readonly endLine?: number;
}

function parseFile(file: SourceFile, grammars: Grammars | undefined): ParseResult {
  const { language, document } = file;
  if (document !== undefined) {
    return {
      ...parseDocument({ ...file, document }, grammars),
      sizes: PROSE_SIZES,
      gapKind: "text",
    };
  }
  const lines = splitLines(file.text);
  if (isProse(language)) {
    const contents = withoutReferences(parseSections(lines, language));
    return { ...contents, sizes: PROSE_SIZES, gapKind: "text" };
  }
  if (language === undefined || language === "text") {
    const outline = isManualPage(file.path, file.text)
      ? parseSections(lines, "man")
      : { definitions: [], cuts: paragraphCuts(lines) };
    return { ...withoutReferences(outline), sizes: PROSE_SIZES, gapKind: "text" };
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
  const outline =
    language === "html"
      ? parseHtmlOutline(lines)
      : (parseSchemaOutline(lines, language) ?? outlineByLines(lines, language));
  const contents = contentsByLines(file, outline);
  return { ...contents, sizes: CODE_SIZES, gapKind: "module", problem: parsed?.problem };
}

function outlineByLines(lines: TextLines, language: string): ParsedOutline {
  const outline = parseLineOutline(lines, language);
  return language === "objc" ? withSelectors(outline, lines) : outline;
}

/** Swift has references without a grammar. */
function contentsByLines(file: SourceFile, outline: ParsedOutline): FileContents {
  const isRead = file.language === "swift" && file.text.length <= MAX_CODE_CHARS;
  if (!isRead) return withoutReferences(outline);
  return { outline, ...parseSwift(file.text, file.maxSignatureChars) };
}

function withoutReferences(outline: ParsedOutline): FileContents {
  return { outline, symbols: symbolsOf(outline).symbols, references: NO_REFERENCES };
}

/** Returns whether `chunkFile` would use a grammar for the file. */
export function needsSyntax(file: SourceFile): boolean {
  const { document, text, language } = file;
  if (document !== undefined) return documentNeedsSyntax({ ...file, document });
  if (!DEFINITION_RULES.has(grammarFor(file)) || isApiText(text, language)) return false;
  return isParsed(file);
}

function toChunk({ start, end, symbol, names, kind }: TileUnit): Chunk {
  return { startLine: start, endLine: end, symbol, names, kind };
}
