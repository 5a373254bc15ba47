// The text of files as they are now. The index holds none: what is shown is read from the source, so
// that an answer never quotes a file as it was.

import { closeSync, fstatSync, readFileSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
import { chunkFile } from "../../chunk/chunk.ts";
import type { FileRow } from "../../index/catalog/file-row.ts";
import type { ChunkFacts } from "../../index/segment/outline.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";
import { openInside } from "../../sources/folder.ts";
import type { Source } from "../../sources/registry.ts";
import { decodeText } from "./decode-text.ts";
import type { HeardSource } from "../grounds.ts";
import { shownText } from "./shown-text.ts";

export interface CurrentFile {
  readonly lines: readonly string[];
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** Larger files are not indexed; some are small enough to be read all the same. */
const MOST_BYTES = 4 << 20;

/** Where an indexed path lies: its source and the path below the source's root. */
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
 * As it may be shown. Undefined when the file is gone or cannot be read. Throws PATH_OUTSIDE_SOURCE, and
 * PATH_NOT_FOUND for one that is too large.
 */
export function readCurrent(
  sources: readonly HeardSource[],
  path: string,
): CurrentFile | undefined {
  return readWith(sources, path, shownText);
}

/** With the secrets in it: to be compared, not to be shown. */
export function readUnmasked(
  sources: readonly HeardSource[],
  path: string,
): CurrentFile | undefined {
  return goneIfOutside(() => readWith(sources, path, (_source, _stat, text) => text));
}

function readWith(
  sources: readonly HeardSource[],
  path: string,
  shown: typeof shownText,
): CurrentFile | undefined {
  const place = sourceOf(sources, path);
  if (place === undefined) return undefined;
  const { root, hear } = place.source;
  let fd: number;
  try {
    fd = openInside(root, place.relative);
  } catch (thrown) {
    hear?.(path, undefined);
    if (thrown instanceof SvcError && thrown.code === "PATH_OUTSIDE_SOURCE") throw thrown;
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    hear?.(path, fd);
    if (stat.size > MOST_BYTES) throw tooLarge(path, stat.size);
    const { text } = decodeText(readFileSync(fd));
    const lines = splitLines(shown(place.source, stat, text));
    return { lines, sizeBytes: stat.size, mtimeMs: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

/** The same for a path from the index: one that leads out by now, or has become too large, is gone as well. */
export function readIndexed(sources: readonly Source[], path: string): CurrentFile | undefined {
  return goneIfOutside(() => readCurrent(sources, path));
}

function tooLarge(path: string, bytes: number): SvcError {
  const size = `${Math.round(bytes / (1 << 20))} MiB`;
  return new SvcError(
    "PATH_NOT_FOUND",
    `${path} is ${size} large; files above 4 MiB are not read.`,
    {
      hint: "Look at a part of it with a tool of your own.",
    },
  );
}

function goneIfOutside(read: () => CurrentFile | undefined): CurrentFile | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}

function splitLines(text: string): string[] {
  // The expression takes five times as long, and few files need it.
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Whether a file is as it was when it was indexed, as far as size and time tell. */
export function isSame(known: FileRow | undefined, current: CurrentFile): boolean {
  if (known === undefined) return false;
  return known.size === current.sizeBytes && known.mtimeMs === current.mtimeMs;
}

/**
 * Where a chunk is in a file that changed since: the definition of the same name, else the lines
 * where it was. Cut by structure alone, since a grammar would take too long to load for one passage.
 */
export function findAgain(
  chunk: ChunkFacts,
  file: FileFacts,
  { lines }: CurrentFile,
): { startLine: number; endLine: number } {
  const again = chunkFile({
    path: file.path,
    language: file.language === "" ? undefined : file.language,
    text: lines.join("\n"),
  }).chunks;
  const named = again.filter(
    ({ symbol, names }) =>
      (chunk.symbol !== "" && symbol === chunk.symbol) ||
      (chunk.names.length > 0 && chunk.names.every((name) => names.includes(name))),
  );
  const nearest = named.toSorted(
    (one, other) =>
      Math.abs(one.startLine - chunk.startLine) - Math.abs(other.startLine - chunk.startLine),
  )[0];
  if (nearest !== undefined) return nearest;
  const endLine = Math.min(chunk.endLine, lines.length);
  return { startLine: Math.min(chunk.startLine, Math.max(1, endLine)), endLine };
}
