// Cuts one file into chunks, each an answer of its own, and lists the symbols it defines.
// An outline of the file says where things begin and end; tile.ts decides what goes together.
import type { Node } from "web-tree-sitter";

import type { Access, Definition, Kind, Outline } from "./languages/language.ts";
import { readOutline } from "./languages/outline.ts";
import { RULES } from "./languages/rules.ts";
import { isProse, readSections } from "./markdown.ts";
import { paragraphCuts, readLines, type Lines } from "./plain.ts";
import { readStructure } from "./structure.ts";
import { readReferences } from "./read-references.ts";
import { NO_REFERENCES, type FileReferences } from "./references.ts";
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
  /** Line on which the name stands. */
  readonly nameLine: number;
  readonly access: Access;
  /** One line of at most 200 characters; "" in a file that was cut by structure. */
  readonly signature: string;
  /** First line of the documentation. */
  readonly docLine?: string;
}

export interface ChunkedFile {
  /** In the order of the file; every line that is not blank is in exactly one. */
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly SymbolDefinition[];
  /** Empty in a file that was cut by structure. */
  readonly references: FileReferences;
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
  const { outline, symbols, references, sizes, gapKind, problems } = read(file, lines, grammars);
  const cutter: Cutter = { lines, cuts: outline.cuts, sizes, gapKind };
  const units = tile(cutter, outline.definitions, { start: 1, end: lines.count });
  return { chunks: units.map(toChunk), symbols, references, problems };
}

/** What there is in a file, and what its definitions use. */
interface Contents {
  readonly outline: Outline;
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
}

interface Reading extends Contents {
  readonly sizes: Sizes;
  /** What text outside of definitions is. */
  readonly gapKind: Kind;
  readonly problems: readonly string[];
}

function read(file: SourceFile, lines: Lines, grammars: Grammars | undefined): Reading {
  const { language } = file;
  if (isProse(language)) {
    const contents = withoutReferences(readSections(lines, language));
    return { ...contents, sizes: PROSE, gapKind: "text", problems: [] };
  }
  if (language === undefined || language === "text") {
    const contents = withoutReferences({ definitions: [], cuts: paragraphCuts(lines) });
    return { ...contents, sizes: PROSE, gapKind: "text", problems: [] };
  }
  const parsed = grammars && parse(file, lines, grammars);
  if (parsed !== undefined && "value" in parsed) {
    return { ...parsed.value, sizes: CODE, gapKind: "module", problems: [] };
  }
  const problems = parsed === undefined ? [] : [`${file.path}: ${parsed.problem}`];
  const contents = withoutReferences(readStructure(lines, language));
  return { ...contents, sizes: CODE, gapKind: "module", problems };
}

function withoutReferences(outline: Outline): Contents {
  return { outline, symbols: symbolsOf(outline), references: NO_REFERENCES };
}

/** Undefined when the file is to be cut by its structure. */
function parse(
  file: SourceFile,
  lines: Lines,
  grammars: Grammars,
): { value: Contents } | { problem: string } | undefined {
  const { text } = file;
  if (text.length > SYNTAX_LIMIT) return undefined;
  const grammar = grammarFor(file);
  const rules = RULES.get(grammar);
  if (rules === undefined) return undefined;
  const outlineOf = (root: Node): Outline => {
    const outline = readOutline(root, { text, path: file.path, lineCount: lines.count, rules });
    if (root.type !== "ERROR") return outline;
    return completed(outline, readStructure(lines, file.language ?? ""));
  };
  const contentsOf = (root: Node): Contents => {
    const outline = outlineOf(root);
    const symbols: SymbolDefinition[] = [];
    const names: number[] = [];
    listSymbols(outline.definitions, undefined, { symbols, names });
    return {
      outline,
      symbols,
      references: readReferences(root, { text, grammar, symbols, names }),
    };
  };
  const mended = rules.mend?.(text) ?? text;
  if (mended === text) return grammars.parse(grammar, rules.prepare?.(text) ?? text, contentsOf);
  // Chunks are cut by the text as it is.
  const cut = grammars.parse(grammar, text, (root) =>
    root.hasError ? outlineOf(root) : contentsOf(root),
  );
  if (cut === undefined || "problem" in cut) return cut;
  if ("outline" in cut.value) return { value: cut.value };
  const contents = grammars.parse(grammar, mended, contentsOf);
  if (contents === undefined || "problem" in contents) return contents;
  return { value: { ...contents.value, outline: cut.value } };
}

/** Where the parser has given up, what follows is told by the look of its lines. */
function completed({ definitions, cuts }: Outline, structure: Outline): Outline {
  const last = definitions.reduce((end, { endLine }) => Math.max(end, endLine), 0);
  const more = structure.definitions.filter(({ startLine }) => startLine > last);
  if (more.length === 0) return { definitions, cuts };
  return {
    definitions: [...definitions, ...more],
    cuts: cuts.map((cut, line) => (line >= last ? (structure.cuts[line] ?? cut) : cut)),
  };
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

function symbolsOf({ definitions }: Outline): readonly SymbolDefinition[] {
  const symbols: SymbolDefinition[] = [];
  listSymbols(definitions, undefined, { symbols, names: [] });
  return symbols;
}

/** Symbols, and where in the text the name of each begins. */
interface SymbolList {
  readonly symbols: SymbolDefinition[];
  readonly names: number[];
}

function listSymbols(
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
    listSymbols(members, isScope ? { qualifiedName, isTitle } : outer, into);
  }
}

function toSymbol(definition: Definition, qualifiedName: string): SymbolDefinition {
  const { name, kind, startLine, endLine, nameLine } = definition;
  const { access, signature, docLine } = definition;
  const place = { startLine, endLine, nameLine };
  const symbol = { name, qualifiedName, kind, ...place, access, signature };
  return docLine === undefined ? symbol : { ...symbol, docLine };
}
