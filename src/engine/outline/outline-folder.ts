// The outline of a folder: its subfolders, their most important files, and the definitions in those that others depend
// on most.

import { isValueKind } from "../../base/definition-kinds.ts";
import { Yielder } from "../../base/yielder.ts";
import type { IndexReader } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import type { FolderOutline, OutlineFile, OutlineSymbol } from "../api/outline.ts";
import { outlineSymbol } from "./outline-file.ts";
import {
  leastAddedLength,
  mostAddedLength,
  mostFutureLength,
  outlineText,
} from "./outline-text.ts";
import type { SourceFileLines, SourceLines } from "../files/source-lines.ts";
import type { RankedIndexFile, RankedFiles } from "./ranked-files.ts";

interface FolderOutlineContext {
  readonly reader: Pick<IndexReader, "numberedSymbolsOf">;
  readonly lines: SourceLines;
  readonly files: RankedFiles;
}

interface FolderOutlineOptions {
  readonly path: string;
  readonly depth?: number | undefined;
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** Symbols per file to try when all files can be shown, and symbols per file otherwise. */
const SYMBOLS_OF_TOP_FILES = [12, 5, 3] as const;
const MAX_SYMBOLS_PER_FILE = 3;
/** Symbols of the most important files, if there is room left when every file has some. */
const MAX_SYMBOLS_OF_FIRST_FILES = 8;
/** Additional rank of exported definitions and of types; 16 doubles the importance. */
const EXPORTED_BONUS = 48;
const TYPE_BONUS = 16;
const CHARACTERS_PER_TOKEN = 4;
/** Minimum characters per file. With more files than could fit, showing all is not tried. */
const MIN_CHARACTERS = 12;
/** Maximum folders listed when there is no room for all. */
const MAX_FOLDERS = 40;
/** Rank penalty for each further file of a folder, so that the outline covers more folders. Half as important is 16. */
const FILES_PER_STEP = 5;
/** Files of which the texts are got ready at once. */
const PREFETCHED_FILES = 64;
/** Stop after this many files that do not fit. */
const MAX_MISSES = 12;

/** A subfolder, or the outlined folder itself with its direct files. */
interface Branch {
  readonly path: string;
  /** Most important first. */
  readonly files: readonly RankedIndexFile[];
  readonly languages: readonly string[];
}

export async function folderOutline(
  context: FolderOutlineContext,
  options: FolderOutlineOptions,
): Promise<FolderOutline> {
  const frame = new FolderFrame(context.files, options);
  const [named, own] = partition(frame.shown, (file) => frame.isNamedOnly(file));
  const describer = new FileDescriber({ ...context, shown: [...own, ...named] });
  const parts = { frame, describer, pause: pauses(options) };
  return (await showAllFiles(parts)) ?? chooseFiles(parts);
}

interface OutlineParts {
  readonly frame: FolderFrame;
  readonly describer: FileDescriber;
  readonly pause: () => Promise<void>;
}

/** Returns an outline of all files with as many symbols as fit; undefined if they do not all fit. */
async function showAllFiles(parts: OutlineParts): Promise<FolderOutline | undefined> {
  const { frame } = parts;
  const { shown, branches, maxCharacters } = frame;
  if (shown.length * MIN_CHARACTERS >= maxCharacters) return undefined;
  const names = frame.outline(branches.length, shown.map(withoutSymbols));
  const namesLength = outlineText(names).length;
  for (const [at, count] of SYMBOLS_OF_TOP_FILES.entries()) {
    // eslint-disable-next-line no-await-in-loop -- whether to try the next count depends on this one
    const files = await describeAll(parts, { namesLength, count, isWhole: at === 0 });
    const outline = files && frame.outline(branches.length, files);
    if (outline !== undefined && frame.fits(outline)) return outline;
  }
  return undefined;
}

interface Attempt {
  /** Length of the text with only the names of all files. */
  readonly namesLength: number;
  /** Symbols per file. */
  readonly count: number;
  /** Whether tests, examples and similar files also have symbols. */
  readonly isWhole: boolean;
}

/** Returns all files with up to `count` symbols each; undefined as soon as it is certain that they do not fit. */
async function describeAll(
  { frame, describer, pause }: OutlineParts,
  { namesLength, count, isWhole }: Attempt,
): Promise<readonly OutlineFile[] | undefined> {
  const files: OutlineFile[] = [];
  let leastLength = namesLength;
  for (const file of frame.shown) {
    // eslint-disable-next-line no-await-in-loop -- one file after the other
    await pause();
    const symbols = isWhole || !frame.isNamedOnly(file) ? count : 0;
    // eslint-disable-next-line no-await-in-loop -- as above
    const described = await describer.describe(file, symbols);
    leastLength += leastAddedLength(described);
    if (leastLength >= frame.maxCharacters) return undefined;
    files.push(described);
  }
  return files;
}

/** Returns a function that lets other calls run between two steps. It throws the signal's reason after an abort. */
function pauses({ signal }: FolderOutlineOptions): () => Promise<void> {
  const yielder = new Yielder();
  return async () => {
    await yielder.yieldIfDue();
    signal.throwIfAborted();
  };
}

/**
 * Returns an outline of as many files as fit, the most important ones of all subfolders; then more of their symbols;
 * then the names of files that are not the project's own code.
 */
async function chooseFiles({ frame, describer, pause }: OutlineParts): Promise<FolderOutline> {
  let count = Math.min(MAX_FOLDERS, frame.branches.length);
  while (count > 1 && !frame.fits(frame.outline(count, []))) count -= 1;
  const shown = new Map<string, OutlineFile>();
  let mostLength = Infinity;
  const showIfItFits = (more: OutlineFile): boolean => {
    mostLength += mostAddedLength(more);
    // Far from the limit there is no need to format the whole outline.
    if (mostLength >= frame.maxCharacters) {
      const outline = frame.outline(count, [...new Map([...shown, [more.path, more]]).values()]);
      if (!frame.fits(outline)) return false;
      mostLength = mostFutureLength(outline);
    }
    shown.set(more.path, more);
    return true;
  };
  const queuesOf = (isWanted: (file: RankedIndexFile) => boolean): FileQueue[] =>
    frame.branches
      .slice(0, count)
      .map(({ files }) => ({ files: files.filter((file) => isWanted(file)), next: 0 }));
  const showAll = async (next: () => RankedIndexFile | undefined, symbols: number) => {
    let file = next();
    for (let misses = 0; misses < MAX_MISSES && file !== undefined; file = next()) {
      // eslint-disable-next-line no-await-in-loop -- one file after the other
      await pause();
      // eslint-disable-next-line no-await-in-loop -- whether the next one fits depends on this one
      const described = await describer.describe(file, frame.isNamedOnly(file) ? 0 : symbols);
      if (!showIfItFits(described)) misses += 1;
    }
  };
  const own = queuesOf((file) => frame.isWithin(file) && !frame.isNamedOnly(file));
  await showAll(() => takeNext(own), MAX_SYMBOLS_PER_FILE);
  const first = frame.shown.filter(({ path }) => shown.has(path)).values();
  await showAll(() => first.next().value, MAX_SYMBOLS_OF_FIRST_FILES);
  const others = queuesOf((file) => frame.isWithin(file) && frame.isNamedOnly(file));
  await showAll(() => takeNext(others), 0);
  return frame.outline(count, [...shown.values()]);
}

interface FileQueue {
  readonly files: readonly RankedIndexFile[];
  next: number;
}

/** The most important of the files that come next in the folders. */
function takeNext(queues: readonly FileQueue[]): RankedIndexFile | undefined {
  const queue = queues.toSorted((one, other) => weightOfNext(other) - weightOfNext(one))[0];
  const file = queue?.files[queue.next];
  if (queue !== undefined) queue.next += 1;
  return file;
}

function weightOfNext({ files, next }: FileQueue): number {
  const file = files[next];
  return file === undefined ? -Infinity : file.rank - next * FILES_PER_STEP;
}

/** The parts of a folder's outline that do not depend on how much is shown. */
class FolderFrame {
  readonly #path: string;
  readonly #depth: number;
  /** The text of the outline must be shorter, as it ends with a line end. */
  readonly maxCharacters: number;
  readonly branches: readonly Branch[];
  /** Files within the depth, most important first. */
  readonly shown: readonly RankedIndexFile[];
  readonly #facts: Pick<FolderOutline, "files" | "languages">;
  readonly #hasPrimary: boolean;

  constructor({ files }: RankedFiles, { path, depth = Infinity, maxTokens }: FolderOutlineOptions) {
    this.#path = path;
    this.#depth = depth;
    this.maxCharacters = maxTokens * CHARACTERS_PER_TOKEN;
    const prefix = path === "" ? "" : `${path}/`;
    const own = files.filter((file) => file.path.startsWith(prefix));
    const byBranch = Map.groupBy(own, (file) => this.#branchOf(file));
    this.branches = [...byBranch].map(([at, below]) => ({
      path: at,
      files: below,
      languages: mainLanguages(below),
    }));
    this.shown = own.filter((file) => this.isWithin(file));
    this.#hasPrimary = this.shown.some(({ isSecondary, role }) => !isSecondary && role === "code");
    this.#facts = { files: own.length, languages: mainLanguages(own) };
  }

  /** The direct subfolder that contains a file, or this folder. */
  #branchOf({ path }: { readonly path: string }): string {
    const slash = path.indexOf("/", this.#path === "" ? 0 : this.#path.length + 1);
    return slash < 0 ? this.#path : path.slice(0, slash);
  }

  /** Whether a file is within the requested depth; 1 is directly in the folder. */
  isWithin({ path }: RankedIndexFile): boolean {
    if (this.#depth === Infinity) return true;
    // Asked for every file of the folder: a split would take a fifth of the time of an outline.
    let folders = 0;
    let slash = path.indexOf("/", this.#path === "" ? 0 : this.#path.length + 1);
    while (slash !== -1 && folders < this.#depth) {
      folders += 1;
      slash = path.indexOf("/", slash + 1);
    }
    return folders < this.#depth;
  }

  /** True for tests, examples and similar files, of which a map shows only names, unless the folder has nothing else. */
  isNamedOnly({ isSecondary }: RankedIndexFile): boolean {
    return isSecondary && this.#hasPrimary;
  }

  /** The outline with the first `count` folders and these files. */
  outline(count: number, shown: readonly OutlineFile[]): FolderOutline {
    const byBranch = Map.groupBy(shown, (file) => this.#branchOf(file));
    const folders = this.branches.slice(0, count).map(({ path, files, languages }) => ({
      path,
      files: files.length,
      languages,
      shown: byBranch.get(path) ?? [],
    }));
    const omitted = {
      files: this.#facts.files - shown.length,
      folders: this.branches.length - count,
    };
    return { kind: "folder", path: this.#path, ...this.#facts, folders, omitted };
  }

  fits(outline: FolderOutline): boolean {
    return outlineText(outline).length < this.maxCharacters;
  }
}

/** The symbols of a file that an outline can show. */
interface ShownSymbols {
  /** Most important first. */
  readonly ranked: readonly SymbolFacts[];
  /** The first of `ranked`, as many as were described so far. */
  readonly described: OutlineSymbol[];
  /** Undefined if the file has no text. */
  readonly text: SourceFileLines | undefined;
}

interface DescriberContext extends FolderOutlineContext {
  /** The files in the order in which they are probably described. */
  readonly shown: readonly RankedIndexFile[];
}

/** Describes files by their symbols. It keeps what it has read of a file, because an outline tries several lengths. */
class FileDescriber {
  readonly #context: DescriberContext;
  readonly #files = new Map<string, ShownSymbols>();
  readonly #prefetched = new Set<string>();
  /** Those of `shown` before it are prefetched. */
  #next = 0;

  constructor(context: DescriberContext) {
    this.#context = context;
  }

  /** A file with up to `count` of its most important symbols. */
  async describe(file: RankedIndexFile, count: number): Promise<OutlineFile> {
    if (count === 0) return withoutSymbols(file);
    const { path, language } = file;
    const { ranked, described, text } = await this.#symbolsOf(file);
    if (text === undefined) return withoutSymbols(file);
    for (const symbol of ranked.slice(described.length, count)) {
      described.push(
        outlineSymbol({ ...symbol, depth: 0 }, { path, file: text, language, isBrief: true }),
      );
    }
    return { path, language, symbols: described.slice(0, count) };
  }

  async #symbolsOf(file: RankedIndexFile): Promise<ShownSymbols> {
    const known = this.#files.get(file.path);
    if (known !== undefined) return known;
    await this.#prefetch(file.path);
    const text = await this.#context.lines.read(file.path);
    const ranked = text === undefined ? [] : await this.#ranked(file.path, text);
    const symbols = { ranked, described: [], text };
    this.#files.set(file.path, symbols);
    return symbols;
  }

  /** Gets a file ready, with the next most important ones of the folder: they will probably be described too. */
  async #prefetch(path: string): Promise<void> {
    if (this.#prefetched.has(path)) return;
    const { lines, shown } = this.#context;
    const paths = [path];
    for (; this.#next < shown.length && paths.length < PREFETCHED_FILES; this.#next += 1) {
      const next = shown[this.#next]?.path ?? path;
      if (!this.#prefetched.has(next) && next !== path) paths.push(next);
    }
    for (const one of paths) this.#prefetched.add(one);
    await lines.prefetch(paths);
  }

  /** Those of its symbols that an outline can show, most important first. */
  async #ranked(path: string, text: SourceFileLines): Promise<readonly SymbolFacts[]> {
    const { reader, files } = this.#context;
    // Symbols of a changed file have no ranks in the index.
    const symbols = text.changed ? await text.symbols() : await reader.numberedSymbolsOf(path);
    const focusOn = (symbol: SymbolFacts): number => files.focus?.(path, symbol) ?? 0;
    const weights = new Map(
      symbols.map((symbol, at) => {
        const isType = symbol.kind === "class" || symbol.kind === "type";
        const isExported = symbol.access === "exported";
        const bonus = (isExported ? EXPORTED_BONUS : 0) + (isType ? TYPE_BONUS : 0);
        const rank = files.pageRanks.symbolRank(path, at) + bonus + focusOn(symbol);
        return [symbol, rank] as const;
      }),
    );
    // A field, or a value of an enumeration, is found with its type.
    const ranked = symbols
      .filter(
        (symbol) =>
          // A document is found by its headings.
          ((symbol.access !== "private" && symbol.kind !== "section") || focusOn(symbol) > 0) &&
          !isNamespaceStatement(symbol) &&
          !(isValueKind(symbol.kind) && symbol.name !== symbol.qualifiedName),
      )
      .toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0));
    // Show only one of several overloads, or of a class and its constructors.
    const byName = new Map(ranked.toReversed().map((symbol) => [symbol.name, symbol]));
    return ranked.filter((symbol) => byName.get(symbol.name) === symbol);
  }
}

/** A line such as `namespace Shop\Cart;`, which most files of some languages have: the folder says as much. */
function isNamespaceStatement({ kind, startLine, endLine }: SymbolFacts): boolean {
  return kind === "module" && startLine === endLine;
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  const first: Item[] = [];
  const others: Item[] = [];
  for (const item of items) (isFirst(item) ? first : others).push(item);
  return [first, others];
}

function withoutSymbols({ path, language }: RankedIndexFile): OutlineFile {
  return { path, language, symbols: [] };
}

/** Up to three languages that at least a tenth of the files have. */
function mainLanguages(files: readonly RankedIndexFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { language } of files) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .filter(([language, count]) => language !== "" && count * 10 >= files.length)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([language]) => language);
}
