// The current version of a file, and where a chunk of the indexed version is in it.

import type { ChunkFacts, FileFacts } from "../../index/types.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { KnownFile, SourceText } from "../../sources/text/source-text.ts";

/**
 * Returns the text of a file that the caller named; undefined if it does not exist or cannot be read. Throws
 * PATH_OUTSIDE_SOURCE, and PATH_NOT_FOUND if it is too large or another folder is at the root of its source.
 */
export async function requireText(
  texts: TextReader,
  path: string,
  known?: KnownFile,
): Promise<SourceText | undefined> {
  const result = await texts.read(path, known);
  if (!("problem" in result)) return result;
  if (result.error !== undefined) throw result.error;
  return undefined;
}

/** Returns the text of a file; undefined if it has none, for whatever reason. */
export async function textIfReadable(
  texts: TextReader,
  path: string,
  known?: KnownFile,
): Promise<SourceText | undefined> {
  const result = await texts.read(path, known);
  return "problem" in result ? undefined : result;
}

/**
 * The lines of a chunk in a file that changed since: those of the definition with the same name, else the old lines.
 * Chunks the file without a grammar, which would take too long to load for one passage.
 */
export async function relocateChunk(
  chunk: ChunkFacts,
  file: FileFacts,
  { lines, document }: Pick<SourceText, "lines"> & Partial<Pick<SourceText, "document">>,
): Promise<{ startLine: number; endLine: number }> {
  const { chunkFile } = await import("../../chunk/chunk.ts");
  const found = chunkFile({
    path: file.path,
    language: file.language === "" ? undefined : file.language,
    text: lines.join("\n"),
    document,
  }).chunks;
  const named = found.filter(
    ({ symbol, names }) =>
      (chunk.symbol !== "" && symbol === chunk.symbol) ||
      (chunk.names.length > 0 && chunk.names.every((name) => names.includes(name))),
  );
  const closest = named.toSorted(
    (one, other) =>
      Math.abs(one.startLine - chunk.startLine) - Math.abs(other.startLine - chunk.startLine),
  )[0];
  if (closest !== undefined) return closest;
  const endLine = Math.min(chunk.endLine, lines.length);
  return { startLine: Math.min(chunk.startLine, Math.max(1, endLine)), endLine };
}
