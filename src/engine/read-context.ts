import { SvcError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import type { IndexReader, SymbolHit } from "../index/backend.ts";
import { skipReasonOfName } from "../scan/name-rules.ts";
import { tokensOf } from "../search/passages.ts";
import type { Source } from "../sources/registry.ts";
import { isSame, readCurrent, type CurrentFile } from "./current-text.ts";
import type { ReadAnswer, ReadPart, ReadRequest } from "./engine.ts";

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
}

/** What a target means: a stretch of a file. Lines are 1-based and inclusive. */
interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
}

const WHOLE_FILE = { startLine: 1, endLine: Number.MAX_SAFE_INTEGER } as const;

/** Reads files, ranges, definitions and sections as they are now, within the budget. */
export async function readTargets(
  sight: Sight,
  request: ReadRequest,
): Promise<Omit<ReadAnswer, "namespace">> {
  const parts: ReadPart[] = [];
  const problems: ReadAnswer["problems"][number][] = [];
  let budget = request.maxTokens;
  for (const target of request.targets) {
    try {
      // eslint-disable-next-line no-await-in-loop -- each leaves the next what remains of the budget
      const part = await readPart(sight, target, budget);
      budget -= tokensOf(part.lines.join("\n"));
      parts.push(part);
    } catch (thrown) {
      if (!(thrown instanceof SvcError)) throw thrown;
      // A path out of the source is an attack or a mistake in the call: the whole call is refused.
      if (thrown.code === "PATH_OUTSIDE_SOURCE") throw thrown;
      problems.push({ target, code: thrown.code, detail: thrown.detail });
    }
  }
  return { parts, problems };
}

async function readPart(sight: Sight, target: string, budget: number): Promise<ReadPart> {
  const place = await resolveTarget(sight, target);
  requireShowable(place.path);
  const file = readCurrent(sight.sources, place.path);
  if (file === undefined) throw await notFound(sight.reader, place.path);
  const totalLines = file.lines.length;
  if (place.startLine > Math.max(1, totalLines)) {
    throw new SvcError(
      "PATH_NOT_FOUND",
      `${place.path} has ${totalLines} lines; line ${place.startLine} is behind its end.`,
    );
  }
  const wanted = file.lines.slice(place.startLine - 1, place.endLine);
  const lines = fitting(wanted, budget);
  const endLine = place.startLine + lines.length - 1;
  return {
    target,
    path: place.path,
    startLine: place.startLine,
    endLine,
    totalLines,
    lines,
    enclosing: await enclosing(sight.reader, place),
    symbol: place.symbol,
    changed: await isIndexedButChanged(sight.reader, place.path, file),
    cutAt: lines.length < wanted.length ? endLine + 1 : undefined,
  };
}

/** What the index leaves out as a secret is not read out either. */
function requireShowable(path: string): void {
  if (skipReasonOfName(path.slice(path.lastIndexOf("/") + 1)) !== "secret") return;
  throw new SvcError(
    "PATH_NOT_FOUND",
    `${path} is named like a file of secrets and is not shown.`,
    {
      hint: "Open it yourself if you must.",
    },
  );
}

/** Whole lines that fit; the first line always, so that a reader sees where it is. */
function fitting(lines: readonly string[], budget: number): readonly string[] {
  let characters = budget * 4;
  const end = lines.findIndex((line) => {
    characters -= line.length + 1;
    return characters < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}

async function resolveTarget(sight: Sight, target: string): Promise<Place> {
  const range = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(target);
  if (range !== null) {
    const [, path = "", start = "1", end = start] = range;
    const startLine = Math.max(1, Number(start));
    return { path, startLine, endLine: Math.max(startLine, Number(end)), symbol: "" };
  }
  const hash = target.indexOf("#");
  if (hash > 0) {
    const path = target.slice(0, hash);
    // `Session#open` is how some languages write a method.
    const isFile = /[^\w$]/.test(path) || readCurrent(sight.sources, path) !== undefined;
    if (isFile) return symbolInFile(sight, path, target.slice(hash + 1));
  }
  if (readCurrent(sight.sources, target) !== undefined) {
    return { path: target, ...WHOLE_FILE, symbol: "" };
  }
  if (target.includes("/")) throw await notFound(sight.reader, target);
  return symbolAnywhere(sight.reader, target);
}

async function symbolInFile(sight: Sight, path: string, name: string): Promise<Place> {
  if (readCurrent(sight.sources, path) === undefined) throw await notFound(sight.reader, path);
  const symbols = await sight.reader.symbolsOf(path);
  const wanted = name.toLowerCase();
  const found =
    symbols.find(({ qualifiedName }) => qualifiedName === name) ??
    symbols.find((symbol) => symbol.name === name) ??
    symbols.find(
      (symbol) =>
        symbol.name.toLowerCase() === wanted || symbol.qualifiedName.toLowerCase() === wanted,
    );
  if (found !== undefined) return placeOf({ ...found, path });
  const close = nearest(
    name,
    symbols.map((symbol) => symbol.name),
  );
  throw new SvcError("SYMBOL_NOT_FOUND", `${path} defines no "${name}".`, {
    hint: close === undefined ? "Read the file itself to see what it has." : `Nearest: ${close}.`,
  });
}

async function symbolAnywhere(reader: IndexReader, target: string): Promise<Place> {
  const name = target.replace(/\(\)$/, "");
  const last = name.split(/\.|::|#|->/).at(-1) ?? name;
  const found = await reader.symbolsNamed(last, 50);
  const qualified = name.replaceAll(/::|#|->/g, ".");
  const best =
    found.find(({ qualifiedName }) => qualifiedName === qualified) ??
    found.find(({ qualifiedName }) => qualifiedName.endsWith(`.${qualified}`)) ??
    (last === name ? found[0] : undefined);
  if (best !== undefined) return placeOf(best);
  // `a.ts` may be meant as a file: then the nearest paths help more than the nearest names.
  if (/\.[a-z]{1,4}$/.test(target) && (await reader.pathsNamed(target, 1)).length > 0) {
    throw await notFound(reader, target);
  }
  const prefix = last.slice(0, Math.max(1, Math.floor(last.length / 2)));
  const close = nearest(last, await reader.symbolNames(prefix, 500));
  throw new SvcError("SYMBOL_NOT_FOUND", `No symbol "${target}".`, {
    hint: close === undefined ? "`search_context` finds it by its words." : `Nearest: ${close}.`,
  });
}

function placeOf({ path, startLine, endLine, qualifiedName }: SymbolHit): Place {
  return { path, startLine, endLine, symbol: qualifiedName };
}

async function enclosing(
  reader: IndexReader,
  { path, startLine, endLine, symbol }: Place,
): Promise<readonly string[]> {
  if (startLine === 1 && endLine === Number.MAX_SAFE_INTEGER) return [];
  return (await reader.symbolsOf(path))
    .filter(
      (one) => one.startLine <= startLine && one.endLine >= endLine && one.qualifiedName !== symbol,
    )
    .map((one) => `${one.kind} ${one.qualifiedName} (${one.startLine}-${one.endLine})`);
}

async function isIndexedButChanged(
  reader: IndexReader,
  path: string,
  file: CurrentFile,
): Promise<boolean> {
  const row = await reader.file(path);
  return row !== undefined && row.segment !== null && !isSame(row, file);
}

async function notFound(reader: IndexReader, path: string): Promise<SvcError> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const paths = await reader.pathsNamed(name, 3);
  return new SvcError("PATH_NOT_FOUND", `No file "${path}".`, {
    hint:
      paths.length === 0
        ? "Paths are relative to the source root, with `/`."
        : `Nearest: ${paths.join(", ")}.`,
  });
}
