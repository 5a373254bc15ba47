// Scans the current files of all sources of a namespace.

import { hash } from "node:crypto";

import { incrementalWalk } from "../../scan/incremental-walk.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { optionsText, type WalkMemory } from "../../scan/walk-memory.ts";
import { WalkRecorder } from "../../scan/walk-recorder.ts";
import { walk, type WalkOptions } from "../../scan/walk.ts";
import type { FileRecord, WalkResult } from "../../scan/walk-result.ts";
import { repositoryAt, trackedObjects } from "../../sources/git.ts";
import type { Source } from "../../sources/registry/records.ts";
import { requireRoot } from "../../sources/source-root.ts";
import type { ConfiguredSource } from "./project-settings.ts";

export interface FoundFile {
  readonly source: Source;
  /** Path in the namespace: the source's prefix and the path relative to its root. */
  readonly path: string;
  readonly record: FileRecord;
}

export interface SourceScan {
  readonly files: readonly FoundFile[];
  /** Files whose content is not indexed, for reasons known without reading it. */
  readonly skipped: readonly {
    readonly source: Source;
    readonly path: string;
    readonly reason: SkipReason;
  }[];
  /** Ids of sources that were walked completely: files not found in them do not exist. */
  readonly completeSources: ReadonlySet<number>;
  /** Requested folders that do not exist, as paths in the namespace. */
  readonly missingFolders: readonly string[];
  readonly warnings: readonly string[];
  /**
   * Results of the walks of whole sources, by source, if they were requested and can be reused for all sources. Sources
   * that were not walked again keep their previous results.
   */
  readonly memories?: ReadonlyMap<number, WalkMemory> | undefined;
}

/** A folder of a source, relative to its root. */
export interface SourceFolder {
  /** Id of the source. */
  readonly source: number;
  readonly path: string;
}

/** Returns the paths of folders in the index, without a final slash. */
export function foldersInIndex(
  folders: readonly SourceFolder[],
  sources: readonly Pick<Source, "id" | "prefix">[],
): readonly string[] {
  const prefixes = new Map(sources.map(({ id, prefix }) => [id, prefix]));
  return folders.map(({ source, path }) =>
    `${prefixes.get(source) ?? ""}${path}`.replace(/\/$/, ""),
  );
}

interface ScanOptions {
  readonly maxFileBytes: number;
  /** Scan only the direct entries of these folders. */
  readonly folders?: readonly SourceFolder[] | undefined;
  /** Other machines scan the same sources: a file of a clone is known by its blob, and not by its inode and time. */
  readonly isShared?: boolean | undefined;
  /** Whether to return what the walks saw. */
  readonly isRemembered?: boolean;
  /** Results of earlier walks, by source. In a source with the same rules, only changed folders are listed. */
  readonly memories?: ReadonlyMap<number, WalkMemory> | undefined;
  /** Called with the number of files so far. */
  readonly onSource: (files: number) => void;
}

export function bytesOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { record }) => sum + record.sizeBytes, 0);
}

/** Walks every source. */
export function scanSources(
  sources: readonly ConfiguredSource[],
  options: ScanOptions,
): SourceScan {
  const { isShared = false, onSource } = options;
  const files: FoundFile[] = [];
  const skipped: SourceScan["skipped"][number][] = [];
  const completeSources = new Set<number>();
  const warnings: string[] = [];
  const missingFolders: string[] = [];
  const memories = new Map<number, WalkMemory>();
  for (const source of sources) {
    const walked = walkSource(source, options);
    if (walked === undefined) continue;
    const { found, missing, memory } = walked;
    if (memory !== undefined) memories.set(source.id, memory);
    warnings.push(...settingsWarnings(source, options), ...found.warnings);
    missingFolders.push(...missing.map((path) => source.prefix + path));
    // Files that an incomplete walk did not reach may exist.
    if (found.complete) completeSources.add(source.id);
    const isOthers = belongsToOther(source, sources);
    for (const record of isShared ? knownByBlobs(source, found.files) : found.files) {
      const path = source.prefix + record.path;
      if (!isOthers(path)) files.push({ source, path, record });
    }
    for (const { path: relative, reason } of found.skipped) {
      const path = source.prefix + relative;
      if (!isOthers(path)) skipped.push({ source, path, reason });
    }
    onSource(files.length);
  }
  const scan = { files, skipped, completeSources, missingFolders, warnings };
  return options.isRemembered === true && memories.size === sources.length
    ? { ...scan, memories }
    : scan;
}

/** A scan of single folders repeats no warnings of the last one over all. */
function settingsWarnings(
  { project }: ConfiguredSource,
  { folders }: ScanOptions,
): readonly string[] {
  return folders === undefined && project !== undefined ? project.warnings : [];
}

/** Returns whether a path belongs to another source: to the one with the longest prefix, as in sourceOf(). */
function belongsToOther(source: Source, sources: readonly Source[]): (path: string) => boolean {
  const others = sources.filter(
    ({ prefix }) => prefix.length > source.prefix.length && prefix.startsWith(source.prefix),
  );
  return (path) => others.some(({ prefix }) => path.startsWith(prefix));
}

interface WalkedSource {
  readonly found: WalkResult;
  /** Requested folders that were not found. */
  readonly missing: readonly string[];
  readonly memory: WalkMemory | undefined;
}

/** Walks a source, or those of `folders` that are in it; undefined if there are none. */
function walkSource(source: ConfiguredSource, options: ScanOptions): WalkedSource | undefined {
  const { maxFileBytes } = options;
  const folders = options.folders?.filter((folder) => folder.source === source.id);
  if (folders?.length === 0) return undefined;
  const paths = folders?.map(({ path }) => path);
  const asked = {
    outsideGit: source.outsideGit,
    include: [...source.include],
    exclude: [...source.exclude],
    project: source.project?.filter,
    maxFileBytes,
  };
  const { found, memory } = walkRoot(source, { ...asked, folders: paths }, options);
  const missing = paths?.filter((path) => !found.listed.has(path)) ?? [];
  return { found, missing, memory };
}

/** The files of a clone, whose work tree svc keeps clean, with their blobs in place of inode and time. */
function knownByBlobs({ url, root }: Source, files: readonly FileRecord[]): readonly FileRecord[] {
  const repository = url === undefined ? undefined : repositoryAt(root);
  const blobs = repository && trackedObjects(repository);
  if (blobs === undefined) return files;
  return files.map((file) => {
    const inode = blobs.get(file.path);
    return inode === undefined ? file : { ...file, mtimeMs: 0, inode };
  });
}

/** Throws when the root was replaced during the walk, because the list may be of the other directory. */
function walkRoot(
  source: Source,
  options: WalkOptions,
  { isRemembered = false, memories }: Pick<ScanOptions, "isRemembered" | "memories">,
): Pick<WalkedSource, "found" | "memory"> {
  const root = requireRoot(source);
  const known = options.folders === undefined ? memories?.get(source.id) : undefined;
  const again = known && incrementalWalk(root, options, known);
  if (again !== undefined) {
    requireRoot(source);
    return again;
  }
  const recorder = isRemembered ? new WalkRecorder(root) : undefined;
  const found = walk(root, { ...options, recorder });
  requireRoot(source);
  return { found, memory: recorder?.finish(optionsText(options), found) };
}

/**
 * Hash of a scan. Equal for two scans that found the same files in the same state, which saves the comparison file by
 * file. Takes about 1 us per file.
 */
export function scanFingerprint({ files, skipped, completeSources }: SourceScan): string {
  const numbers = new Float64Array(files.length * 3);
  for (const [at, { record }] of files.entries()) {
    numbers[at * 3] = record.sizeBytes;
    numbers[at * 3 + 1] = record.mtimeMs;
    numbers[at * 3 + 2] = record.inode;
  }
  const paths = files.map(({ path }) => path).join("\0");
  const reasons = skipped.map(({ path, reason }) => `${path}\0${reason}`).join("\0");
  const found = [...completeSources].join(" ");
  return hash(
    "sha256",
    Buffer.concat([
      new Uint8Array(numbers.buffer),
      Buffer.from(`${paths}\0\0${reasons}\0\0${found}`),
    ]),
  );
}
