// The results of a walk that show a later one what has changed: the time stamps of each folder in place of its listing,
// and the content of each ignore file in place of its rules.

import { zstdCompress, zstdDecompress } from "../base/compression.ts";
import type { GlobFilter, ProjectFilter } from "./walk-filters.ts";
import type { SkippedFile, WalkResult } from "./walk-result.ts";

/** Inode and time stamps: at least one changes with each change of a folder or file. */
export type Stamp = readonly [inode: number, mtimeMs: number, ctimeMs: number];

/** A folder that was listed. */
export interface RememberedFolder {
  /** From the root: empty, or ending in `/`. */
  readonly relative: string;
  readonly stamp: Stamp;
  /** Hash of its entries, if it was so young that it may have changed again with the same time stamps; otherwise "". */
  readonly listing: string;
}

/** A question to the index of git, and its answer. */
export interface TrackedCheck {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly isTracked: boolean;
}

/** A complete walk of a root. */
export interface WalkMemory {
  /** The options that decide what is listed. */
  readonly options: string;
  /** The repository around the root, as JSON. */
  readonly repository: string;
  /** Device of all folders. */
  readonly device: number;
  /** Each after the folder above it. */
  readonly folders: readonly RememberedFolder[];
  /** The files in the order of the walk: the number of a folder, then names in it, joined with `/`, in turn. */
  readonly files: readonly (number | string)[];
  readonly skipped: readonly (readonly [path: string, reason: SkippedFile["reason"]])[];
  readonly ignored: WalkResult["ignored"];
  readonly warnings: readonly string[];
  /** Absolute path and content hash of each ignore file; "" for a missing one. */
  readonly ruleFiles: readonly (readonly [path: string, hash: string])[];
  readonly checks: readonly TrackedCheck[];
  /** The index of git; undefined if it was too young, or if there is none. */
  readonly gitIndex: Stamp | undefined;
}

/** The options that decide what a walk of a whole root lists. */
export interface RememberedOptions extends GlobFilter {
  readonly outsideGit?: string | undefined;
  readonly project?: ProjectFilter | undefined;
  readonly maxFileBytes?: number;
}

export function optionsText(options: RememberedOptions): string {
  const { include, exclude, maxFileBytes, outsideGit, project } = options;
  return JSON.stringify([include, exclude, maxFileBytes, outsideGit, project]);
}

/** A text for a note; undefined if it would be too long. */
export function encodeMemories(
  memories: ReadonlyMap<number, WalkMemory>,
  maxLength: number,
): string | undefined {
  const text = zstdCompress(JSON.stringify([...memories])).toString("base64");
  return text.length > maxLength ? undefined : text;
}

/** Reads the output of `encodeMemories`. */
export function decodeMemories(text: string): ReadonlyMap<number, WalkMemory> {
  const json = zstdDecompress(Buffer.from(text, "base64")).toString();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own text, from an index with checksums
  const memories = JSON.parse(json) as readonly (readonly [number, WalkMemory])[];
  return new Map(memories);
}
