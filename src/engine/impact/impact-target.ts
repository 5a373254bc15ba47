// What is touched: the definitions of a symbol, of a file, of lines, or of a git change.

import { SvcError } from "../../base/errors.ts";
import { chunkFile } from "../../chunk/chunk.ts";
import type { SymbolHit } from "../../index/backend.ts";
import type { SymbolFacts } from "../../index/segment/outline.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import {
  isGitChange,
  readGitChange,
  type ChangedFile,
  type ChangedLines,
} from "../../sources/git-change.ts";
import { repositoryAbove } from "../../sources/git.ts";
import { innermostAt } from "../symbols/innermost.ts";
import {
  isWholeFile,
  requireShowable,
  resolveTarget,
  type Target,
} from "../symbols/resolve-target.ts";
import { SourceLines } from "../files/source-lines.ts";
import type { IndexReader } from "../../index/backend.ts";
import type { Source } from "../../sources/registry.ts";

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
}

/** A file that is touched, as it is now. */
export interface TouchedFile {
  readonly path: string;
  readonly status: "named" | "added" | "modified" | "deleted";
  /** Definitions that are touched, inner ones alone where they are; of a deleted file none. */
  readonly symbols: readonly SymbolHit[];
  /** True when what is touched lies outside of any definition, or is not known. */
  readonly isWhole: boolean;
  /** Names whose definitions are gone. */
  readonly gone: readonly string[];
}

export interface Touched {
  /** What the target means: a place, or what was compared. */
  readonly description: string;
  /** Other definitions that a name could mean. */
  readonly others: readonly SymbolHit[];
  readonly files: readonly TouchedFile[];
}

/** Definitions of one file that are followed: beyond, the file is what is touched. */
const MOST_SYMBOLS = 60;
/** Files that use a name, beyond which it is common. */
const COMMON = 150;
/** Lines of one change that are looked at one by one. */
const MOST_LINES = 5000;
/** Lines that no definition needs around them: comments, imports, brackets. */
const IDLE =
  /^\s*(?:$|\/\/|\/?\*|#(?!define)|--|"""|[{}()[\];,]*$|(?:import|from|use|using|require|include|package|export \* from)\b)/;

/** Lines that do nothing wherever they stand. */
const COMMENT = /^\s*(?:$|\/\/|\/\*|\*(?:\s|\/|$)|#(?![a-z![])|--\s)/;

/**
 * A git change where the text can be nothing else; else a file or a symbol; else, where there is none, a branch
 * or tag. Throws what `resolveTarget` and `readGitChange` throw.
 */
export async function touchedBy(
  sight: Sight,
  target: string,
  signal: AbortSignal,
): Promise<Touched> {
  if (isGitChange(target)) return ofChange(sight, target, signal);
  try {
    return await ofTarget(sight, await resolveTarget(sight, target));
  } catch (thrown) {
    const isUnknown =
      thrown instanceof SvcError &&
      (thrown.code === "SYMBOL_NOT_FOUND" || thrown.code === "PATH_NOT_FOUND");
    if (!isUnknown) throw thrown;
    try {
      return await ofChange(sight, target, signal);
    } catch (other) {
      // The name of a file or a symbol was meant more likely.
      throw other instanceof SvcError && other.code === "TIMEOUT" ? other : thrown;
    }
  }
}

async function ofTarget({ reader, sources }: Sight, target: Target): Promise<Touched> {
  requireShowable(sources, target.path);
  const { path, definition, others } = target;
  const file = await new SourceLines(reader, sources).read(
    path,
    (await reader.file(path))?.language ?? "",
  );
  const symbols = (file?.symbols ?? []).filter(({ kind }) => kind !== "section");
  const { startLine, endLine } = target;
  const whole = { path, status: "named", gone: [] } as const;
  if (isWholeFile(target)) {
    const open = await withoutCommon(reader, likelyOutside(symbols));
    const touched = open.map((one) => ({ ...one, path }));
    return { description: path, others, files: [{ ...whole, symbols: touched, isWhole: true }] };
  }
  if (definition !== undefined) {
    const members = symbols.filter(
      (one) =>
        one.startLine >= startLine &&
        one.endLine <= endLine &&
        one.qualifiedName !== definition.qualifiedName,
    );
    const open = await withoutCommon(reader, likelyOutside(members));
    const touched = [definition, ...open.map((one) => ({ ...one, path }))];
    const description = `${definition.qualifiedName} (${path}:${startLine}-${endLine})`;
    const isWhole = definition.kind === "section";
    return { description, others, files: [{ ...whole, symbols: isWhole ? [] : touched, isWhole }] };
  }
  const last = Math.min(endLine, file?.lines.length ?? endLine);
  const lines = [{ startLine, endLine: last, isGap: false }];
  const { touched, isOutside } = touchedIn(symbols, lines, file?.lines ?? []);
  return {
    description: `${path}:${startLine}-${last}`,
    others,
    files: [
      {
        ...whole,
        symbols: touched.map((one) => ({ ...one, path })),
        isWhole: isOutside || touched.length === 0,
      },
    ],
  };
}

/**
 * What other files can use, outer definitions first. Of types their functions alone: who uses a field names
 * the type in most cases, and what a constructor is called is the type.
 */
function likelyOutside(symbols: readonly SymbolFacts[]): readonly SymbolFacts[] {
  return symbols
    .filter((one) => one.access !== "private" && !isPart(one))
    .toSorted((one, other) => depthOf(one) - depthOf(other) || one.startLine - other.startLine)
    .slice(0, MOST_SYMBOLS);
}

/** Members by names that are used all over say less of who is touched than the type that they are of. */
async function withoutCommon(
  reader: Pick<IndexReader, "usingFiles">,
  symbols: readonly SymbolFacts[],
): Promise<readonly SymbolFacts[]> {
  const kept: SymbolFacts[] = [];
  for (const one of symbols) {
    const isMember = one.qualifiedName !== one.name;
    // oxlint-disable-next-line no-await-in-loop -- a look into memory
    if (!isMember || (await reader.usingFiles(one.name)) <= COMMON) kept.push(one);
  }
  return kept;
}

/** A field, or a constructor: what is touched then is what it belongs to. */
function isPart({ name, qualifiedName, kind }: SymbolFacts): boolean {
  if (qualifiedName === name) return false;
  const owner = qualifiedName.split(".").at(-2);
  return (
    kind === "constant" ||
    name === owner ||
    /^(?:constructor|__init__|__construct|initialize|new)$/.test(name)
  );
}

/** The definition itself, or what it is a part of, where that is there. */
function wholeOf(symbol: SymbolFacts, symbols: readonly SymbolFacts[]): SymbolFacts {
  if (!isPart(symbol)) return symbol;
  const owner = symbol.qualifiedName.slice(0, -symbol.name.length - 1);
  return symbols.find(({ qualifiedName }) => qualifiedName === owner) ?? symbol;
}

function depthOf({ qualifiedName }: SymbolFacts): number {
  return qualifiedName.split(".").length;
}

async function ofChange(sight: Sight, change: string, signal: AbortSignal): Promise<Touched> {
  const files: TouchedFile[] = [];
  const descriptions = new Set<string>();
  let problem: unknown;
  const lines = new SourceLines(sight.reader, sight.sources);
  const roots = sight.sources.filter(({ root }) => repositoryAbove(root) !== undefined);
  // Without any repository the first source says that it is none.
  for (const { root, prefix } of roots.length === 0 ? sight.sources.slice(0, 1) : roots) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const found = await readGitChange(root, change, { signal });
      descriptions.add(found.description);
      for (const file of found.files) {
        // oxlint-disable-next-line no-await-in-loop -- a file at a time
        const touched = await touchedFile(sight, lines, { ...file, path: prefix + file.path });
        if (touched !== undefined) files.push(touched);
      }
    } catch (thrown) {
      // A branch need not be in each of several repositories.
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
    }
  }
  if (descriptions.size === 0) throw problem;
  return { description: [...descriptions].join("; "), others: [], files };
}

/** Undefined for what the index leaves out. */
async function touchedFile(
  { reader }: Sight,
  all: SourceLines,
  { path, status, lines, removed }: ChangedFile,
): Promise<TouchedFile | undefined> {
  if (skipReasonOfPath(path) === "secret") return undefined;
  const row = await reader.file(path);
  const language = row?.language ?? languageOf(path) ?? "";
  const before = namesIn(path, language, removed);
  if (status === "deleted") return { path, status, symbols: [], isWhole: true, gone: [...before] };
  if (row === undefined || row.skipped !== null) return undefined;
  const file = await all.read(path, language);
  if (file === undefined) return undefined;
  const symbols = file.symbols.filter(({ kind }) => kind !== "section");
  const known = new Set(symbols.map(({ name }) => name));
  const gone = [...before].filter((name) => !known.has(name));
  const withPath = (one: SymbolFacts): SymbolHit => ({ ...one, path });
  if (lines === undefined) {
    const open = await withoutCommon(reader, likelyOutside(symbols));
    const touched = open.map(withPath);
    return { path, status, symbols: touched, isWhole: true, gone };
  }
  const { touched, isOutside } = touchedIn(symbols, lines, file.lines);
  return {
    path,
    status,
    symbols: touched.slice(0, MOST_SYMBOLS).map(withPath),
    isWhole: isOutside || symbols.length === 0,
    gone,
  };
}

/** The innermost definitions around changed lines, and whether other lines than idle ones are outside of all. */
function touchedIn(
  symbols: readonly SymbolFacts[],
  changes: readonly ChangedLines[],
  lines: readonly string[],
): { touched: readonly SymbolFacts[]; isOutside: boolean } {
  const touched = new Set<SymbolFacts>();
  let isOutside = false;
  let left = MOST_LINES;
  for (const { startLine, endLine, isGap } of changes) {
    if (isGap) {
      const around = symbols.filter((one) => one.startLine <= startLine && one.endLine >= endLine);
      const innermost = innermostAt(around, { startLine });
      if (innermost !== undefined) touched.add(wholeOf(innermost, symbols));
      continue;
    }
    for (let line = startLine; line <= endLine && left > 0; line += 1) {
      left -= 1;
      if (COMMENT.test(lines[line - 1] ?? "")) continue;
      const innermost = innermostAt(symbols, { startLine: line });
      if (innermost !== undefined) touched.add(wholeOf(innermost, symbols));
      else if (!IDLE.test(lines[line - 1] ?? "")) isOutside = true;
    }
  }
  return { touched: [...touched], isOutside };
}

/** What lines that are gone defined, as far as they show it without what was around them. */
function namesIn(path: string, language: string, removed: readonly string[]): ReadonlySet<string> {
  if (removed.length === 0) return new Set();
  const text = removed.join("\n");
  const { symbols } = chunkFile({ path, language: language === "" ? undefined : language, text });
  return new Set(symbols.filter(({ kind }) => kind !== "section").map(({ name }) => name));
}
