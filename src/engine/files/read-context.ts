import { SvcError } from "../../base/errors.ts";
import { IndexDamage } from "../../index/damage.ts";
import type { IndexReader } from "../../index/backend.ts";
import { tokensOf } from "../../search/passages.ts";
import type { Source } from "../../sources/registry.ts";
import { isSame, readCurrent, type CurrentFile } from "./current-text.ts";
import type { ReadAnswer, ReadPart, ReadRequest } from "../engine.ts";
import {
  isWholeFile,
  pathNotFound,
  requireShowable,
  resolveTarget,
  type Target,
} from "../symbols/resolve-target.ts";

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
}

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
      if (thrown.code === "PATH_OUTSIDE_SOURCE" || thrown instanceof IndexDamage) throw thrown;
      problems.push({ target, code: thrown.code, detail: thrown.detail });
    }
  }
  return { parts, problems };
}

async function readPart(sight: Sight, target: string, budget: number): Promise<ReadPart> {
  const place = await resolveTarget(sight, target);
  requireShowable(sight.sources, place.path);
  const file = readCurrent(sight.sources, place.path);
  if (file === undefined) throw await pathNotFound(sight.reader, place.path);
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

/** Whole lines that fit; the first line always, so that a reader sees where it is. */
function fitting(lines: readonly string[], budget: number): readonly string[] {
  let characters = budget * 4;
  const end = lines.findIndex((line) => {
    characters -= line.length + 1;
    return characters < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}

async function enclosing(reader: IndexReader, target: Target): Promise<readonly string[]> {
  if (isWholeFile(target)) return [];
  const { path, startLine, endLine, symbol } = target;
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
