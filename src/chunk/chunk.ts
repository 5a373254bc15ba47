// Cuts one file into chunks, each an answer of its own, and lists the symbols it defines.
// An outline of the file says where things begin and end; tile.ts decides what goes together.
import type { Definition, Kind, Outline } from "./languages/language.ts";
import { readOutline } from "./languages/outline.ts";
import { RULES } from "./languages/rules.ts";
import { isProse, readSections } from "./markdown.ts";
import { paragraphCuts, readLines, type Lines } from "./plain.ts";
import { readStructure } from "./structure.ts";
import type { Grammars } from "./syntax.ts";
import { qualifiedNameOf, tile, type Cutter, type Owner, type Sizes, type Unit } from "./tile.ts";

export interface Chunk {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the first definition (`Session.receive`), or the path of headings (`Guide > Install`); "" when there is none. */
  readonly symbol: string;
  /** Names defined in the chunk, after those of what they are defined in; fields are left out. */
  readonly names: readonly string[];
  readonly kind: Kind;
}

export interface SymbolDefinition {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: Kind;
  readonly startLine: number;
  readonly endLine: number;
  /** One line of at most 200 characters; "" in a file that was cut by structure. */
  readonly signature: string;
  /** First line of the documentation. */
  readonly docLine?: string;
}

export interface ChunkedFile {
  /** In the order of the file; every line that is not blank is in exactly one. */
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
  readonly problems: readonly string[];
}

/**
 * In lines; long lines count several times. A chunk is to be read at a glance and to be about one
 * thing, as the length normalisation of the ranking punishes chunks that are about several.
 */
const CODE: Sizes = { whole: 60, leaf: 80, piece: 50, tiny: 6, merged: 40 };
/** Sections are shorter than functions, and one paragraph alone rarely answers a question. */
const PROSE: Sizes = { whole: 40, leaf: 60, piece: 40, tiny: 20, merged: 40 };
/**
 * Characters of a file that is worth a syntax tree. Longer ones are tables and generated parsers nearly
 * always: in webpack five files of 895 take a fifth of all parsing. They are cut by structure.
 */
const SYNTAX_LIMIT = 256 * 1024;

interface SourceFile {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
}

/** Never fails: what cannot be parsed is cut by its indentation and noted as a problem. */
export function chunkFile(file: SourceFile, grammars?: Grammars): ChunkedFile {
  const lines = readLines(file.text);
  const { outline, sizes, gapKind, problems } = outlineOf(file, lines, grammars);
  const cutter: Cutter = { lines, cuts: outline.cuts, sizes, gapKind };
  const units = tile(cutter, outline.definitions, { start: 1, end: lines.count });
  const symbols: SymbolDefinition[] = [];
  listSymbols(outline.definitions, undefined, symbols);
  return { chunks: units.map(toChunk), symbols, problems };
}

interface Reading {
  readonly outline: Outline;
  readonly sizes: Sizes;
  /** What text outside of definitions is. */
  readonly gapKind: Kind;
  readonly problems: readonly string[];
}

function outlineOf(file: SourceFile, lines: Lines, grammars: Grammars | undefined): Reading {
  const { language } = file;
  if (isProse(language)) {
    const outline = readSections(lines, language);
    return { outline, sizes: PROSE, gapKind: "text", problems: [] };
  }
  if (language === undefined || language === "text") {
    const outline: Outline = { definitions: [], cuts: paragraphCuts(lines) };
    return { outline, sizes: PROSE, gapKind: "text", problems: [] };
  }
  const parsed = grammars && parse(file, lines, grammars);
  if (parsed !== undefined && "value" in parsed) {
    return { outline: parsed.value, sizes: CODE, gapKind: "module", problems: [] };
  }
  const problems = parsed === undefined ? [] : [`${file.path}: ${parsed.problem}`];
  return { outline: readStructure(lines, language), sizes: CODE, gapKind: "module", problems };
}

/** Undefined when the file is to be cut by its structure. */
function parse(
  file: SourceFile,
  lines: Lines,
  grammars: Grammars,
): { value: Outline } | { problem: string } | undefined {
  const { text } = file;
  if (text.length > SYNTAX_LIMIT) return undefined;
  const grammar = grammarFor(file);
  const rules = RULES.get(grammar);
  return (
    rules &&
    grammars.parse(grammar, rules.prepare?.(text) ?? text, (root) =>
      readOutline(root, { text, lineCount: lines.count, rules }),
    )
  );
}

/** Whether grammars would make a difference to `chunkFile`. */
export function needsSyntax(file: SourceFile): boolean {
  return file.text.length <= SYNTAX_LIMIT && RULES.has(grammarFor(file));
}

/** Headers are called C, but those of C++ need its grammar. */
function grammarFor({ path, language, text }: SourceFile): string {
  const isCpp =
    language === "c" &&
    /\.h$/i.test(path) &&
    /^[ \t]*(?:class\s+\w+|namespace\b[^;{]{0,200}\{|template\s*<|(?:public|private|protected):)/m.test(
      text,
    );
  return isCpp ? "cpp" : (language ?? "");
}

function toChunk({ start, end, symbol, names, kind }: Unit): Chunk {
  return { startLine: start, endLine: end, symbol, names, kind };
}

function listSymbols(
  definitions: readonly Definition[],
  outer: Pick<Owner, "qualifiedName" | "isTitle"> | undefined,
  into: SymbolDefinition[],
): void {
  for (const definition of definitions) {
    const qualifiedName = qualifiedNameOf(definition, outer);
    if (definition.isSymbol) into.push(toSymbol(definition, qualifiedName));
    if (definition.members.length === 0) continue;
    const { isScope, isTitle, members } = definition;
    listSymbols(members, isScope ? { qualifiedName, isTitle } : outer, into);
  }
}

function toSymbol(definition: Definition, qualifiedName: string): SymbolDefinition {
  const { name, kind, startLine, endLine, signature, docLine } = definition;
  const symbol = { name, qualifiedName, kind, startLine, endLine, signature };
  return docLine === undefined ? symbol : { ...symbol, docLine };
}
