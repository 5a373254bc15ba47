// What a target of a call means: `path`, `path:10-40`, `Symbol`, `path#symbol`, `path#heading`.

import { sep } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/segment/outline.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { resolveInside } from "../../sources/confined-path.ts";
import type { Source } from "../../sources/registry.ts";
import { requireRoot } from "../../sources/source-root.ts";
import { readMasked, sourceOf } from "../files/current-text.ts";
import { nearestPaths } from "../files/nearest-paths.ts";
import { definitionsNamed, lastPart } from "./named-definitions.ts";

type TargetReader = Pick<
  IndexReader,
  "symbolsOf" | "symbolsNamed" | "symbolNames" | "fileTree" | "file" | "pageRanks"
>;

interface TargetContext {
  readonly reader: TargetReader;
  readonly sources: readonly Source[];
}

/** A stretch of a file. Lines are 1-based and inclusive; a whole file ends at `Number.MAX_SAFE_INTEGER`. */
export interface ResolvedTarget {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name; "" where no symbol was named. */
  readonly symbol: string;
  /** The definition, as the index has it; undefined where no symbol was named. */
  readonly definition: SymbolHit | undefined;
  /** Other definitions that the name could mean as well, the likelier first. */
  readonly others: readonly SymbolHit[];
}

const WHOLE_FILE = {
  startLine: 1,
  endLine: Number.MAX_SAFE_INTEGER,
  symbol: "",
  definition: undefined,
  others: [],
} as const;

export function isWholeFile({ startLine, endLine }: ResolvedTarget): boolean {
  return startLine === 1 && endLine === Number.MAX_SAFE_INTEGER;
}

/**
 * Throws PATH_NOT_FOUND and SYMBOL_NOT_FOUND with what is nearest, and PATH_OUTSIDE_SOURCE. Whether a range
 * lies within its file, and whether the file may be shown, is not looked at.
 */
export async function resolveTarget(
  context: TargetContext,
  target: string,
): Promise<ResolvedTarget> {
  const range = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(target);
  if (range !== null) {
    const [, path = "", start = "1", end = start] = range;
    const startLine = Math.max(1, Number(start));
    return { ...WHOLE_FILE, path, startLine, endLine: Math.max(startLine, Number(end)) };
  }
  const hash = target.indexOf("#");
  if (hash > 0) {
    const path = target.slice(0, hash);
    // `Session#open` is how some languages write a method.
    const isFile = /[^\w$]/.test(path) || readMasked(context.sources, path) !== undefined;
    if (isFile) return symbolInFile(context, path, target.slice(hash + 1));
  }
  if (readMasked(context.sources, target) !== undefined) return { ...WHOLE_FILE, path: target };
  if (target.includes("/")) throw await pathNotFound(context.reader, target);
  return symbolAnywhere(context.reader, target);
}

/**
 * What the index leaves out as a secret is not shown either, whatever the name of a link to it. Throws
 * PATH_NOT_FOUND.
 */
export function requireNotSecret(sources: readonly Source[], path: string): void {
  if (skipReasonOfPath(path) !== "secret" && !leadsToSecret(sources, path)) return;
  throw new SvcError(
    "PATH_NOT_FOUND",
    `${path} is named like a file of secrets and is not shown.`,
    {
      hint: "Open it yourself if you must.",
    },
  );
}

function leadsToSecret(sources: readonly Source[], path: string): boolean {
  const place = sourceOf(sources, path);
  if (place === undefined) return false;
  const { source, relative } = place;
  try {
    // Both from one root: the folder that is the source may itself lie in one of secrets.
    const real = resolveInside(requireRoot(source), relative).slice(source.root.length + 1);
    return skipReasonOfPath(real.replaceAll(sep, "/")) === "secret";
  } catch {
    // What is not there, or leads out, is refused where it is read.
    return false;
  }
}

/** Paths that an error names. */
const MAX_NEAREST_PATHS = 3;

/** The error for a file that is not there, with the paths that are nearest by name and folder. */
export async function pathNotFound(
  reader: Pick<IndexReader, "fileTree">,
  path: string,
): Promise<SvcError> {
  const { paths, isAlike } = nearestPaths(await reader.fileTree(), path, MAX_NEAREST_PATHS);
  const list = paths.join(", ");
  const nearest = isAlike ? `Nearest: ${list}.` : `In the same folder: ${list}.`;
  return new SvcError("PATH_NOT_FOUND", `No file "${path}".`, {
    hint:
      paths.length === 0
        ? "Paths are relative to the source root, with `/`; `outline` lists them."
        : nearest,
  });
}

async function symbolInFile(
  { reader, sources }: TargetContext,
  path: string,
  name: string,
): Promise<ResolvedTarget> {
  if (readMasked(sources, path) === undefined) throw await pathNotFound(reader, path);
  const symbols = await reader.symbolsOf(path);
  const wanted = name.toLowerCase();
  const likenesses: readonly ((symbol: SymbolFacts) => boolean)[] = [
    ({ qualifiedName }) => qualifiedName === name,
    (symbol) => symbol.name === name,
    (symbol) =>
      symbol.name.toLowerCase() === wanted || symbol.qualifiedName.toLowerCase() === wanted,
  ];
  for (const isMeant of likenesses) {
    const [found, ...others] = symbols.filter(isMeant).map((one) => ({ ...one, path }));
    if (found !== undefined) return targetAt(found, others);
  }
  const close = closestWord(
    name,
    symbols.map((symbol) => symbol.name),
  );
  throw new SvcError("SYMBOL_NOT_FOUND", `${path} defines no "${name}".`, {
    hint: close === undefined ? "Read the file itself to see what it has." : `Nearest: ${close}.`,
  });
}

async function symbolAnywhere(reader: TargetReader, target: string): Promise<ResolvedTarget> {
  const [best, ...others] = await definitionsNamed(reader, target);
  if (best !== undefined) return targetAt(best, others);
  // `a.ts` is meant as a file: words that are nearest to "ts" do not help.
  if (languageOf(target) !== undefined) throw await pathNotFound(reader, target);
  const last = lastPart(target.replace(/\(\)$/, ""));
  const prefix = last.slice(0, Math.max(1, Math.floor(last.length / 2)));
  const close = closestWord(last, await reader.symbolNames(prefix, 500));
  throw new SvcError("SYMBOL_NOT_FOUND", `No symbol "${target}".`, {
    hint:
      close === undefined
        ? "`search_context` (or `svc search`) finds it by its words."
        : `Nearest: ${close}.`,
  });
}

function targetAt(definition: SymbolHit, others: readonly SymbolHit[]): ResolvedTarget {
  const { path, startLine, endLine, qualifiedName } = definition;
  return { path, startLine, endLine, symbol: qualifiedName, definition, others };
}
