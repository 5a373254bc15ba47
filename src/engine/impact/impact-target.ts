// Resolves the target of an impact analysis to definitions: of a symbol, a file, lines, or a git change.

import { SvcError } from "../../base/errors.ts";
import { isStyleName } from "../../base/style-names.ts";
import { isValueKind } from "../../base/definition-kinds.ts";
import { chunkFile } from "../../chunk/chunk.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import {
  isGitChange,
  readGitChange,
  type ChangedFile,
  type ChangedLines,
} from "../../sources/git-change.ts";
import { repositoryAbove, repositoryProblem } from "../../sources/git.ts";
import { innermostAt } from "../symbols/innermost-symbol.ts";
import {
  isWholeFile,
  requireNotSecret,
  overloadsOf,
  resolveTarget,
  type ResolvedTarget,
} from "../symbols/resolve-target.ts";
import { withoutSharedNamespaces } from "./shared-namespaces.ts";
import { SourceLines } from "../files/source-lines.ts";
import type { IndexReader } from "../../index/port.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { QueryContext } from "../query-context.ts";
import { requireRoot, rootProblem } from "../../sources/source-root.ts";

/** A changed file in its current state. */
export interface ChangedTargetFile {
  readonly path: string;
  readonly status: "named" | "added" | "modified" | "deleted";
  /** The innermost changed definitions; empty for a deleted file. */
  readonly symbols: readonly SymbolHit[];
  /** True when the change lies outside of any definition or is unknown. */
  readonly isWholeFile: boolean;
  /** Names of removed definitions. */
  readonly removedNames: readonly string[];
}

export interface ImpactTarget {
  /** The resolved target: a location, or a comparison. */
  readonly description: string;
  /** Other definitions that the name could refer to. */
  readonly others: readonly SymbolHit[];
  readonly files: readonly ChangedTargetFile[];
}

export interface TargetContext extends QueryContext {
  /** Defined for a question about a commit. */
  readonly revision?: unknown;
}

/** Maximum definitions followed per file. */
const MAX_SYMBOLS_PER_FILE = 60;
/** A name used by more files is common. */
const MIN_COMMON_USERS = 150;
/** Maximum lines checked one by one per change. */
const MAX_LINES = 5000;
/** Lines that may be outside of definitions: comments, imports, brackets. */
const BOILERPLATE_LINE =
  /^\s*(?:$|\/\/|\/?\*|#(?!define)|--|"""|[{}()[\];,]*$|(?:import|from|use|using|require|include|package|export \* from)\b)/;

const TERRAFORM = /\.tf$/;

/** Lines without effect anywhere: blank lines and comments. */
const COMMENT_LINE = /^\s*(?:$|\/\/|\/\*|\*(?:\s|\/|$)|#(?![a-z![])|--\s)/;

/**
 * Resolves an unambiguous git change; else a file or a symbol; else a branch or tag. Of a commit only the second. Throws the
 * errors of `resolveTarget` and `readGitChange`, and INVALID_PARAMS for a change of a commit.
 */
export async function resolveImpactTarget(
  context: TargetContext,
  target: string,
  signal: AbortSignal,
): Promise<ImpactTarget> {
  const isPast = context.revision !== undefined;
  if (isGitChange(target)) {
    if (!isPast) return fromGitChange(context, target, signal);
    throw new SvcError(
      "INVALID_PARAMS",
      `target: "${target}" is a git change, and --at asks about one commit.`,
      { hint: "Name a definition, a file or lines of one." },
    );
  }
  try {
    return await fromTarget(context, await resolveTarget(context, target));
  } catch (thrown) {
    const isUnknown =
      thrown instanceof SvcError &&
      (thrown.code === "SYMBOL_NOT_FOUND" || thrown.code === "PATH_NOT_FOUND");
    if (!isUnknown || isPast) throw thrown;
    try {
      return await fromGitChange(context, target, signal);
    } catch (other) {
      // The target was more likely the name of a file or a symbol, so report that error.
      throw other instanceof SvcError && other.code === "TIMEOUT" ? other : thrown;
    }
  }
}

async function fromTarget(
  { reader, sources, texts }: QueryContext,
  target: ResolvedTarget,
): Promise<ImpactTarget> {
  requireNotSecret(sources, target.path);
  const { path, definition, others } = target;
  const file = await new SourceLines(reader, texts).read(path);
  const symbols = ((await file?.symbols()) ?? []).filter(isChangeable);
  const { startLine, endLine } = target;
  const base = { path, status: "named", removedNames: [] } as const;
  if (isWholeFile(target)) {
    const open = await openSymbols(reader, path, symbols);
    const changed = open.map((one) => ({ ...one, path }));
    return { description: path, others, files: [{ ...base, symbols: changed, isWholeFile: true }] };
  }
  if (definition !== undefined) {
    const members = symbols.filter(
      (one) =>
        one.startLine >= startLine &&
        one.endLine <= endLine &&
        one.qualifiedName !== definition.qualifiedName,
    );
    const open = await withoutCommon(reader, likelyOutside(members));
    const changed = [definition, ...overloadsOf(target), ...open.map((one) => ({ ...one, path }))];
    const description = `${definition.qualifiedName} (${path}:${startLine}-${endLine})`;
    const isWhole = !isChangeable(definition);
    return {
      description,
      others,
      files: [{ ...base, symbols: isWhole ? [] : changed, isWholeFile: isWhole }],
    };
  }
  const last = Math.min(endLine, file?.lines.length ?? endLine);
  const lines = [{ startLine, endLine: last, isGap: false }];
  const { changed, isOutside } = changedSymbolsIn(symbols, lines, file?.lines ?? []);
  const own = await withoutSharedNamespaces(reader, path, { changed, all: symbols });
  return {
    description: `${path}:${startLine}-${last}`,
    others,
    files: [
      {
        ...base,
        symbols: own.map((one) => ({ ...one, path })),
        isWholeFile: isOutside || own.length === 0,
      },
    ],
  };
}

/**
 * Definitions that other files can use, outermost first. Leaves out fields and constructors: their users mostly name
 * the type as well.
 */
function likelyOutside(symbols: readonly SymbolFacts[]): readonly SymbolFacts[] {
  return symbols
    .filter((one) => one.access !== "private" && !isMember(one))
    .toSorted((one, other) => depthOf(one) - depthOf(other) || one.startLine - other.startLine)
    .slice(0, MAX_SYMBOLS_PER_FILE);
}

/** Whether others can use it: a heading is none, but a class of a style sheet is. */
function isChangeable({ kind, name }: Pick<SymbolFacts, "kind" | "name">): boolean {
  return kind !== "section" || isStyleName(name);
}

/** The definitions of a file that others can use. */
async function openSymbols(
  reader: Pick<IndexReader, "usingFiles" | "symbolsNamed">,
  path: string,
  symbols: readonly SymbolFacts[],
): Promise<readonly SymbolFacts[]> {
  // In Terraform what looks like the fields of `var` are the names that others use, each with the meaning of its folder.
  if (TERRAFORM.test(path)) return symbols.slice(0, MAX_SYMBOLS_PER_FILE);
  const changed = await withoutCommon(reader, likelyOutside(symbols));
  return withoutSharedNamespaces(reader, path, { changed, all: symbols });
}

/** Drops members with common names: the users of their type are better evidence. */
async function withoutCommon(
  reader: Pick<IndexReader, "usingFiles">,
  symbols: readonly SymbolFacts[],
): Promise<readonly SymbolFacts[]> {
  const uncommon: SymbolFacts[] = [];
  for (const one of symbols) {
    const isQualified = one.qualifiedName !== one.name;
    // oxlint-disable-next-line no-await-in-loop -- reads memory only
    if (!isQualified || (await reader.usingFiles(one.name)) <= MIN_COMMON_USERS) uncommon.push(one);
  }
  return uncommon;
}

/** Whether it is a field or a constructor, for which its type counts as changed. */
function isMember({ name, qualifiedName, kind }: SymbolFacts): boolean {
  if (qualifiedName === name) return false;
  const owner = qualifiedName.split(".").at(-2);
  return (
    isValueKind(kind) ||
    name === owner ||
    /^(?:constructor|__init__|__construct|initialize|new)$/.test(name)
  );
}

/** For a field or constructor its type, if found; otherwise the symbol itself. */
function containerOf(symbol: SymbolFacts, symbols: readonly SymbolFacts[]): SymbolFacts {
  if (!isMember(symbol)) return symbol;
  const owner = symbol.qualifiedName.slice(0, -symbol.name.length - 1);
  return symbols.find(({ qualifiedName }) => qualifiedName === owner) ?? symbol;
}

function depthOf({ qualifiedName }: SymbolFacts): number {
  return qualifiedName.split(".").length;
}

async function fromGitChange(
  context: QueryContext,
  change: string,
  signal: AbortSignal,
): Promise<ImpactTarget> {
  const files: ChangedTargetFile[] = [];
  const descriptions = new Set<string>();
  let problem: unknown;
  const lines = new SourceLines(context.reader, context.texts);
  const usable = context.sources.filter(
    (one) => rootProblem(one) === undefined && repositoryAbove(one) !== undefined,
  );
  for (const source of usable.length > 0 ? usable : withReason(context.sources)) {
    try {
      requireRoot(source);
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const found = await readGitChange(source, change, { signal });
      descriptions.add(found.description);
      for (const file of found.files) {
        // oxlint-disable-next-line no-await-in-loop -- a file at a time
        const changed = await changedTargetFile(context, lines, {
          ...file,
          path: source.prefix + file.path,
        });
        if (changed !== undefined) files.push(changed);
      }
    } catch (thrown) {
      // With several repositories, a branch may be missing in some.
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
    }
  }
  if (descriptions.size === 0) throw problem;
  return { description: [...descriptions].join("; "), others: [], files };
}

/** Without a usable repository: the source whose repository is refused, or else the first, to get its error. */
function withReason(sources: readonly Source[]): readonly Source[] {
  const refused = sources.find((one) => repositoryProblem(one) !== undefined);
  return refused === undefined ? sources.slice(0, 1) : [refused];
}

/** Undefined for a file that the index skips. */
async function changedTargetFile(
  { reader }: QueryContext,
  all: SourceLines,
  { path, status, lines, removed }: ChangedFile,
): Promise<ChangedTargetFile | undefined> {
  if (skipReasonOfPath(path) === "secret") return undefined;
  const row = await reader.file(path);
  const language = row?.language ?? languageOf(path) ?? "";
  const before = namesIn(path, language, removed);
  if (status === "deleted")
    return { path, status, symbols: [], isWholeFile: true, removedNames: [...before] };
  if (row === undefined || row.skipped !== null) return undefined;
  const file = await all.read(path);
  if (file === undefined) return undefined;
  const symbols = (await file.symbols()).filter(isChangeable);
  const known = new Set(symbols.map(({ name }) => name));
  const removedNames = [...before].filter((name) => !known.has(name));
  const withPath = (one: SymbolFacts): SymbolHit => ({ ...one, path });
  if (lines === undefined) {
    const open = await openSymbols(reader, path, symbols);
    const changed = open.map(withPath);
    return { path, status, symbols: changed, isWholeFile: true, removedNames };
  }
  const { changed, isOutside } = changedSymbolsIn(symbols, lines, file.lines);
  const own = await withoutSharedNamespaces(reader, path, { changed, all: symbols });
  const isNamespaceOnly = changed.length > 0 && own.length === 0;
  return {
    path,
    status,
    symbols: own.slice(0, MAX_SYMBOLS_PER_FILE).map(withPath),
    isWholeFile: isOutside || isNamespaceOnly || symbols.length === 0,
    removedNames,
  };
}

/** The innermost definitions around changed lines. `isOutside`: a line with code is outside of all definitions. */
function changedSymbolsIn(
  symbols: readonly SymbolFacts[],
  changes: readonly ChangedLines[],
  lines: readonly string[],
): { changed: readonly SymbolFacts[]; isOutside: boolean } {
  const changed = new Set<SymbolFacts>();
  let isOutside = false;
  let left = MAX_LINES;
  for (const { startLine, endLine, isGap } of changes) {
    if (isGap) {
      const around = symbols.filter((one) => one.startLine <= startLine && one.endLine >= endLine);
      const innermost = innermostAt(around, { startLine });
      if (innermost !== undefined) changed.add(containerOf(innermost, symbols));
      continue;
    }
    for (let line = startLine; line <= endLine && left > 0; line += 1) {
      left -= 1;
      if (COMMENT_LINE.test(lines[line - 1] ?? "")) continue;
      const innermost = innermostAt(symbols, { startLine: line });
      if (innermost !== undefined) changed.add(containerOf(innermost, symbols));
      else if (!BOILERPLATE_LINE.test(lines[line - 1] ?? "")) isOutside = true;
    }
  }
  return { changed: [...changed], isOutside };
}

/** Names of definitions in removed lines, as far as they can be parsed without their context. */
function namesIn(path: string, language: string, removed: readonly string[]): ReadonlySet<string> {
  if (removed.length === 0) return new Set();
  const text = removed.join("\n");
  const { symbols } = chunkFile({ path, language: language === "" ? undefined : language, text });
  return new Set(symbols.filter(isChangeable).map(({ name }) => name));
}
