// The outline of a folder: its subfolders, their most important files, and the definitions in those that others depend
// on most.

import type { IndexReader } from "../../index/port.ts";
import type { FolderOutline, OutlineFile } from "../engine.ts";
import { outlineSymbol } from "./outline-file.ts";
import { outlineText } from "./outline-text.ts";
import type { SourceLines } from "../files/source-lines.ts";
import type { RankedIndexFile, RankedFiles } from "./ranked-files.ts";

interface FolderOutlineContext {
  readonly reader: Pick<IndexReader, "scopeOf">;
  readonly lines: SourceLines;
  readonly files: RankedFiles;
}

interface FolderOutlineOptions {
  readonly path: string;
  readonly depth?: number | undefined;
  readonly maxTokens: number;
}

/** Symbols per file to try when all files can be shown, and symbols per file otherwise. */
const SYMBOLS_OF_TOP_FILES = [12, 5, 3] as const;
const MAX_SYMBOLS_PER_FILE = 3;
/** Minimum characters per file. With more files than could fit, showing all is not tried. */
const MIN_CHARACTERS = 12;
/** Maximum folders listed when there is no room for all. */
const MAX_FOLDERS = 40;
/** Rank penalty for each further file of a folder, so that the outline covers more folders. Half as important is 16. */
const FILES_PER_STEP = 5;
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
  const { shown, maxTokens } = frame;
  if (shown.length * MIN_CHARACTERS < maxTokens * 4) {
    for (const count of SYMBOLS_OF_TOP_FILES) {
      // eslint-disable-next-line no-await-in-loop -- the next one only if this does not fit
      const files = await Promise.all(shown.map((file) => describe(context, file, count)));
      const outline = frame.outline(frame.branches.length, files);
      if (frame.fits(outline)) return outline;
    }
  }
  return chooseFiles(context, frame);
}

/** The most important files of all subfolders, as many as fit. */
async function chooseFiles(
  context: FolderOutlineContext,
  frame: FolderFrame,
): Promise<FolderOutline> {
  let count = Math.min(MAX_FOLDERS, frame.branches.length);
  while (count > 1 && !frame.fits(frame.outline(count, []))) count -= 1;
  const queues = frame.branches
    .slice(0, count)
    .map(({ files }) => ({ files: files.filter((file) => frame.isWithin(file)), next: 0 }));
  const shown: OutlineFile[] = [];
  let outline = frame.outline(count, shown);
  for (let misses = 0; misses < MAX_MISSES;) {
    const queue = queues.toSorted((one, other) => weightOfNext(other) - weightOfNext(one))[0];
    const file = queue?.files[queue.next];
    if (queue === undefined || file === undefined) break;
    queue.next += 1;
    // eslint-disable-next-line no-await-in-loop -- whether the next one fits depends on this one
    const described = await describe(context, file, MAX_SYMBOLS_PER_FILE);
    const larger = frame.outline(count, [...shown, described]);
    if (frame.fits(larger)) {
      shown.push(described);
      outline = larger;
    } else {
      misses += 1;
    }
  }
  return outline;
}

function weightOfNext({
  files,
  next,
}: {
  files: readonly RankedIndexFile[];
  next: number;
}): number {
  const file = files[next];
  return file === undefined ? -Infinity : file.rank - next * FILES_PER_STEP;
}

/** The parts of a folder's outline that do not depend on how much is shown. */
class FolderFrame {
  readonly #path: string;
  readonly #depth: number;
  readonly maxTokens: number;
  readonly branches: readonly Branch[];
  /** Files within the depth, most important first. */
  readonly shown: readonly RankedIndexFile[];
  readonly #facts: Pick<FolderOutline, "files" | "languages">;

  constructor({ files }: RankedFiles, { path, depth = Infinity, maxTokens }: FolderOutlineOptions) {
    this.#path = path;
    this.#depth = depth;
    this.maxTokens = maxTokens;
    const prefix = path === "" ? "" : `${path}/`;
    const own = files.filter((file) => file.path.startsWith(prefix));
    const byBranch = Map.groupBy(own, (file) => this.#branchOf(file));
    this.branches = [...byBranch].map(([at, below]) => ({
      path: at,
      files: below,
      languages: mainLanguages(below),
    }));
    this.shown = own.filter((file) => this.isWithin(file));
    this.#facts = { files: own.length, languages: mainLanguages(own) };
  }

  /** The direct subfolder that contains a file, or this folder. */
  #branchOf({ path }: { readonly path: string }): string {
    const slash = path.indexOf("/", this.#path === "" ? 0 : this.#path.length + 1);
    return slash < 0 ? this.#path : path.slice(0, slash);
  }

  /** Whether a file is within the requested depth; 1 is directly in the folder. */
  isWithin({ path }: RankedIndexFile): boolean {
    const below = this.#path === "" ? path : path.slice(this.#path.length + 1);
    return below.split("/").length <= this.#depth;
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
    // One more character for the line end.
    return outlineText(outline).length < this.maxTokens * 4;
  }
}

/** A file with up to `count` of its most important symbols. */
async function describe(
  { reader, lines, files }: FolderOutlineContext,
  { path, language }: RankedIndexFile,
  count: number,
): Promise<OutlineFile> {
  const current = await lines.read(path, language);
  if (current === undefined) return { path, language, symbols: [] };
  // Symbols of a changed file have no ranks in the index.
  const symbols = current.changed ? current.symbols : ((await reader.scopeOf(path))?.symbols ?? []);
  const weights = new Map(
    symbols.map((symbol, at) => [symbol, files.pageRanks.symbolRank(path, at)] as const),
  );
  const ranked = symbols
    .filter(({ access, kind }) => access !== "private" && kind !== "section")
    .toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0));
  // Show only one of several overloads, or of a class and its constructors.
  const byName = new Map(ranked.toReversed().map((symbol) => [symbol.name, symbol]));
  const best = ranked
    .filter((symbol) => byName.get(symbol.name) === symbol)
    .slice(0, count)
    .map((symbol) => outlineSymbol({ ...symbol, depth: 0 }, current, language));
  return { path, language, symbols: best };
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
