// Reads the current text of files. The index stores no text: answers read it from the source, so they never
// quote an old version.

import { closeSync, fstatSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
import { chunkFile } from "../../chunk/chunk.ts";
import type { FileRow } from "../../index/catalog/file-row.ts";
import type { ChunkFacts } from "../../index/segment/outline.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";
import { openBelow } from "../../sources/confined-path.ts";
import { readOpen } from "../../sources/guarded-read.ts";
import type { Source } from "../../sources/registry.ts";
import { requireRoot, RootChanged } from "../../sources/source-root.ts";
import { decodeText } from "./decode-text.ts";
import type { TrackedSource } from "./tracked-source.ts";
import { maskedText } from "./masked-text.ts";

export interface CurrentFile {
  readonly lines: readonly string[];
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** The index takes smaller files only; some that it leaves out can still be read. */
const MAX_BYTES = 4 << 20;

/** The source of an indexed path, and the path relative to the source's root. */
export function sourceOf<Kind extends Source>(
  sources: readonly Kind[],
  path: string,
): { source: Kind; relative: string } | undefined {
  // The longest prefix wins: the first source has none and would take every path.
  let source: Kind | undefined;
  for (const one of sources) {
    const isLonger = source === undefined || one.prefix.length > source.prefix.length;
    if (isLonger && path.startsWith(one.prefix)) source = one;
  }
  return source && { source, relative: path.slice(source.prefix.length) };
}

/**
 * The file with its secrets masked. Undefined when it does not exist or cannot be read. Throws PATH_OUTSIDE_SOURCE,
 * and PATH_NOT_FOUND when it is too large or the folder at the source's root was replaced.
 */
export function readMasked(
  sources: readonly TrackedSource[],
  path: string,
): CurrentFile | undefined {
  return readFile(sources, path, maskedText);
}

/** The file with its secrets, for comparisons; never for display. Undefined as in readIfIndexable(). */
export function readUnmasked(
  sources: readonly TrackedSource[],
  path: string,
): CurrentFile | undefined {
  return undefinedIfOutside(() => readFile(sources, path, (_source, _stat, text) => text));
}

function readFile(
  sources: readonly TrackedSource[],
  path: string,
  shown: typeof maskedText,
): CurrentFile | undefined {
  const place = sourceOf(sources, path);
  if (place === undefined) return undefined;
  const { onRead } = place.source;
  let fd: number;
  try {
    fd = openBelow(requireRoot(place.source), place.relative);
  } catch (thrown) {
    onRead?.(path, undefined);
    if (thrown instanceof RootChanged) throw thrown;
    if (thrown instanceof SvcError && thrown.code === "PATH_OUTSIDE_SOURCE") throw thrown;
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    onRead?.(path, fd);
    if (stat.size > MAX_BYTES) throw tooLarge(path, stat.size);
    const { text } = decodeText(readOpen(fd, stat.size));
    const lines = splitLines(shown(place.source, stat, text));
    return { lines, sizeBytes: stat.size, mtimeMs: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

/** Like readMasked(), but also undefined when the path now leads out of the source or the file is too large. */
export function readIfIndexable(sources: readonly Source[], path: string): CurrentFile | undefined {
  return undefinedIfOutside(() => readMasked(sources, path));
}

function tooLarge(path: string, bytes: number): SvcError {
  const size = `${Math.round(bytes / (1 << 20))} MiB`;
  return new SvcError("PATH_NOT_FOUND", `${path} has ${size}; files above 4 MiB are not read.`, {
    hint: "Read a part of it with another tool.",
  });
}

function undefinedIfOutside(read: () => CurrentFile | undefined): CurrentFile | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}

function splitLines(text: string): string[] {
  // The regular expression takes five times as long, and few files need it.
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Whether a file has the size and modification time that it had when it was indexed. */
export function isUnchanged(known: FileRow | undefined, current: CurrentFile): boolean {
  if (known === undefined) return false;
  return known.size === current.sizeBytes && known.mtimeMs === current.mtimeMs;
}

/**
 * The lines of a chunk in a file that changed since: those of the definition with the same name, else the old lines.
 * Chunks the file without a grammar, which would take too long to load for one passage.
 */
export function relocateChunk(
  chunk: ChunkFacts,
  file: FileFacts,
  { lines }: CurrentFile,
): { startLine: number; endLine: number } {
  const found = chunkFile({
    path: file.path,
    language: file.language === "" ? undefined : file.language,
    text: lines.join("\n"),
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
