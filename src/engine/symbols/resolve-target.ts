// Resolves the target of a call: `path`, `path:10-40`, `path#L10-L40`, `Symbol`, `path#symbol`, `path#heading`, and
// places in documents.

import { sep } from "node:path";

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import type { DocumentText, PlaceStart } from "../../base/documents/document.ts";
import { documentPlace, linesOfPlace, type DocumentLines } from "../../base/documents/places.ts";
import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { SKIP_REASONS } from "../../scan/skip-reasons.ts";
import { resolveInside } from "../../sources/confined-path.ts";
import type { Source } from "../../sources/registry/records.ts";
import { requireRoot } from "../../sources/source-root.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import { UnknownPath } from "../../sources/unknown-path.ts";
import { requireText } from "../files/current-file.ts";
import { nearestPaths } from "../files/nearest-paths.ts";
import { definitionsMeant, isFunctionOfErlang, lastPart } from "./named-definitions.ts";

type TargetReader = Pick<
  IndexReader,
  "symbolsOf" | "symbolsNamed" | "symbolNames" | "fileTree" | "file" | "factsOf" | "pageRanks"
>;

interface TargetContext {
  readonly reader: TargetReader;
  readonly texts: TextReader;
}

/** A range of a file. Lines are 1-based and inclusive; a whole file ends at `Number.MAX_SAFE_INTEGER`. */
export interface ResolvedTarget {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name; "" when the target names no symbol. */
  readonly symbol: string;
  /** The definition in the index; undefined when the target names no symbol. */
  readonly definition: SymbolHit | undefined;
  /** Other definitions that the name could refer to, most likely first. */
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

/** Returns the other definitions of a target that was given by name: its overloads in the same file. */
export function overloadsOf({ definition, others }: ResolvedTarget): readonly SymbolHit[] {
  return others.filter(
    ({ path, qualifiedName, kind }) =>
      path === definition?.path &&
      qualifiedName === definition.qualifiedName &&
      kind === definition.kind,
  );
}

/**
 * Throws PATH_NOT_FOUND and SYMBOL_NOT_FOUND with the nearest name, and PATH_OUTSIDE_SOURCE. Does not check whether a
 * range is within its file, or whether the file may be shown.
 */
export async function resolveTarget(
  context: TargetContext,
  target: string,
): Promise<ResolvedTarget> {
  const inDocument = await placeInDocument(context.texts, target);
  if (inDocument !== undefined) return { ...WHOLE_FILE, ...inDocument };
  const range = /^(.+?)(?::|#L)(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(target);
  if (range !== null) {
    const [, path = "", start = "1", end = start] = range;
    const [first, last] = [Math.max(1, Number(start)), Math.max(1, Number(end))];
    const [startLine, endLine] = [Math.min(first, last), Math.max(first, last)];
    return { ...WHOLE_FILE, path, startLine, endLine };
  }
  const hash = target.indexOf("#");
  if (hash > 0) {
    const path = target.slice(0, hash);
    // Some languages write a method as `Session#open` and `Shop::Session#open`.
    const isFile = /[^\w$:\\]/.test(path) || (await requireText(context.texts, path)) !== undefined;
    if (isFile) return symbolInFile(context, path, target.slice(hash + 1));
  }
  if ((await requireText(context.texts, target)) !== undefined)
    return { ...WHOLE_FILE, path: target };
  const isPath =
    (target.includes("/") && !isFunctionOfErlang(target)) ||
    (await context.reader.file(target)) !== undefined;
  if (isPath) throw await pathNotFound(context.reader, target);
  return symbolAnywhere(context.reader, target);
}

function noSuchPlace(path: string, place: string, document: DocumentText): SvcError {
  const [first, last] = [document.places.at(0), document.places.at(-1)];
  const around =
    first === undefined || last === undefined
      ? "It has no pages, slides, sheets or cells."
      : `Its first place is ${documentPlace(path, document, linesAt(first))}, its last ${documentPlace(path, document, linesAt(last))}.`;
  return new SvcError("PATH_NOT_FOUND", `${path} has no place "${place.slice(1)}".`, {
    hint: around,
  });
}

function linesAt({ line }: PlaceStart): DocumentLines {
  return { startLine: line, endLine: line };
}

/** A place such as `manual.pdf:p12`; undefined for targets of other kinds, and names that are not of places. */
async function placeInDocument(
  texts: TextReader,
  target: string,
): Promise<(DocumentLines & { readonly path: string }) | undefined> {
  const { path = "", place = "" } =
    /^(?<path>.+?\.\w+)(?<place>[:#].+)$/su.exec(target)?.groups ?? {};
  if (documentFormatOf(path) === undefined) return undefined;
  const text = await requireText(texts, path);
  if (text?.document === undefined) return undefined;
  const lines = linesOfPlace(text.document, place, text.lines.length);
  if (lines === undefined && /^:(?!\d)/u.test(place)) throw noSuchPlace(path, place, text.document);
  return lines && { path, ...lines };
}

/**
 * Throws PATH_NOT_FOUND for a file that the index skips as a secret, also when a link with another name leads to it.
 */
export function requireNotSecret(sources: readonly Source[], path: string): void {
  if (skipReasonOfPath(path) !== "secret" && !leadsToSecret(sources, path)) return;
  throw new SvcError("PATH_NOT_FOUND", `${path} has the name of a secrets file and is not shown.`, {
    hint: "Open it with another program.",
  });
}

function leadsToSecret(sources: readonly Source[], path: string): boolean {
  const place = sourceOfPath(sources, path);
  if (place === undefined) return false;
  const { source, relative } = place;
  try {
    // Compare relative to the root: the source itself may be inside a folder with a secret's name.
    const real = resolveInside(requireRoot(source), relative).slice(source.root.length + 1);
    return skipReasonOfPath(real.replaceAll(sep, "/")) === "secret";
  } catch {
    // A path that does not exist or leads out is refused when it is read.
    return false;
  }
}

const SENTENCES: Readonly<Record<string, string>> = SKIP_REASONS;

/** Maximum paths in an error. */
const MAX_NEAREST_PATHS = 3;

/** The error for a missing file, with the nearest paths by name and folder. */
export async function pathNotFound(
  reader: Pick<IndexReader, "fileTree" | "file">,
  path: string,
): Promise<SvcError> {
  const skipped = (await reader.file(path))?.skipped ?? "";
  const reason = SENTENCES[skipped];
  // A file that was removed while svc read the folder is one that does not exist.
  if (reason !== undefined && skipped !== "vanished")
    return new SvcError("PATH_NOT_FOUND", `${path} has no text to show.`, { hint: reason });
  const tree = await reader.fileTree();
  const folder = path.replace(/\/+$/, "");
  if (folder !== "" && (tree.filesIn(folder).length > 0 || tree.foldersIn(folder).length > 0)) {
    return new SvcError("PATH_NOT_FOUND", `"${path}" is a folder, not a file.`, {
      hint: "`outline` lists what is in it.",
    });
  }
  const { paths, isAlike } = nearestPaths(tree, path, MAX_NEAREST_PATHS);
  return new UnknownPath({ what: "file", path, nearest: paths, isAlike });
}

async function symbolInFile(
  { reader, texts }: TargetContext,
  path: string,
  name: string,
): Promise<ResolvedTarget> {
  if ((await requireText(texts, path)) === undefined) throw await pathNotFound(reader, path);
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
  throw new SvcError("SYMBOL_NOT_FOUND", `${path} does not define "${name}".`, {
    hint: close === undefined ? "`outline` of the file lists its symbols." : `Nearest: ${close}.`,
  });
}

async function symbolAnywhere(reader: TargetReader, target: string): Promise<ResolvedTarget> {
  const [best, ...others] = await definitionsMeant(reader, target);
  if (best !== undefined) return targetAt(best, others);
  // `a.ts` is probably a file: the nearest paths help more than the nearest names.
  if (languageOf(target) !== undefined) throw await pathNotFound(reader, target);
  const last = lastPart(target.replace(/\(\)$/, ""));
  const prefix = last.slice(0, Math.max(1, Math.floor(last.length / 2)));
  const close = closestWord(last, await reader.symbolNames(prefix, 500));
  throw new SvcError("SYMBOL_NOT_FOUND", `No symbol "${target}".`, {
    hint:
      close === undefined
        ? "Try `search_context` (or `svc search`) with its words."
        : `Nearest: ${close}.`,
  });
}

function targetAt(definition: SymbolHit, others: readonly SymbolHit[]): ResolvedTarget {
  const { path, startLine, endLine, qualifiedName } = definition;
  // A type and its constructor are one thing to callers.
  const own = `${qualifiedName}.${definition.name}`;
  const really = others.filter((other) => other.path !== path || other.qualifiedName !== own);
  return { path, startLine, endLine, symbol: qualifiedName, definition, others: really };
}
