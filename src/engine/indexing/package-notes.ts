// The note of an index about the packages that its project defines and depends on (package-facts.ts). A search over many
// namespaces reads it to find those that use a package.

import { closeSync, fstatSync } from "node:fs";

import {
  decodeEntries,
  decodeVersions,
  encodeEntries,
  encodeFacts,
  type ManifestEntry,
} from "../../graph/packages/package-facts.ts";
import { isManifest, readManifest } from "../../graph/packages/read-manifest.ts";
import type { IndexWriter } from "../../index/port.ts";
import { readOpenTextFile } from "../../scan/read-text-file.ts";
import { FolderReader } from "../../sources/folder-reader.ts";
import { tagsAtHead } from "../../sources/git-tags.ts";
import { repositoryAbove } from "../../sources/git.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { RunOptions } from "./run-options.ts";
import { foldersInIndex, type SourceScan } from "./source-scan.ts";

/** Key of the note. Its number changes with the facts that are read. */
export const PACKAGES_NOTE = "packages-1";

/** A larger lock file is not read. */
const MAX_MANIFEST_BYTES = 8 << 20;
/** Reasons for which the index skips files that say something of packages: lock files are generated, and large. */
const READABLE: ReadonlySet<string> = new Set(["generated", "too-large"]);

interface PackagesRun extends Pick<RunOptions, "sources" | "folders" | "isShared"> {
  /** Whether no indexed file has changed since the last complete run: then only files that the index skips are checked. */
  readonly isUnchanged: boolean;
}

interface Manifest {
  readonly source: Source;
  readonly path: string;
  /** Whether the index skips the file, as it does with lock files. */
  readonly isSkipped: boolean;
}

/** Brings the note up to date with the manifests that a scan found. */
export function updatePackages(
  writer: Pick<IndexWriter, "note" | "setNote">,
  scan: SourceScan,
  run: PackagesRun,
): void {
  const note = writer.note(PACKAGES_NOTE);
  const known = new Map(decodeEntries(note ?? "").map((entry) => [entry.path, entry]));
  const reader = new ManifestReader(run.isShared === true);
  const present = new Map<string, ManifestEntry>();
  for (const manifest of manifestsOf(scan, run.sources)) {
    const { path, isSkipped } = manifest;
    const before = known.get(path);
    const isKnown = run.isUnchanged && !isSkipped && before !== undefined;
    const entry = isKnown ? before : reader.read(manifest, before);
    if (entry !== undefined) present.set(path, entry);
  }
  const wasScanned = scannedPaths(scan, run);
  for (const [path, entry] of known) {
    if (!present.has(path) && !wasScanned(path)) present.set(path, entry);
  }
  const entries = [...present.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  // A checkout is followed by a scan of all files.
  const isWhole = run.folders === undefined && entries.length > 0;
  const versions = isWhole ? versionsOf(run.sources) : decodeVersions(note ?? "");
  const text = encodeEntries(entries, versions);
  if (text !== (note ?? "")) writer.setNote(PACKAGES_NOTE, text);
}

function manifestsOf(
  { files, skipped }: SourceScan,
  sources: readonly Source[],
): readonly Manifest[] {
  // The files of a commit are in a folder of the run, not in that of the source.
  const byId = new Map(sources.map((source) => [source.id, source]));
  const indexed = files.filter(({ path }) => isManifest(path));
  const others = skipped.filter(({ path, reason }) => READABLE.has(reason) && isManifest(path));
  return [
    ...indexed.map(({ source, path }) => ({ source, path, isSkipped: false })),
    ...others.map(({ source, path }) => ({ source, path, isSkipped: true })),
  ].map((one) => ({ ...one, source: byId.get(one.source.id) ?? one.source }));
}

/** Whether a scan would have found a file, if it existed. Files of an unavailable source stay. */
function scannedPaths(
  { missingFolders, completeSources }: SourceScan,
  { sources, folders }: PackagesRun,
): (path: string) => boolean {
  if (folders !== undefined) {
    const scanned = new Set(foldersInIndex(folders, sources));
    return (path) =>
      scanned.has(folderOf(path)) || missingFolders.some((one) => path.startsWith(`${one}/`));
  }
  const innermost = sources.toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (path) => {
    const source = innermost.find(({ prefix }) => path.startsWith(prefix));
    return source === undefined || completeSources.has(source.id);
  };
}

/** Reads manifests into one buffer. */
class ManifestReader {
  readonly #isShared: boolean;
  readonly #folders = new Map<string, FolderReader>();
  #buffer = Buffer.alloc(0);

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** Returns the entry that is known if the file has not changed; undefined for a file that cannot be read. */
  read({ source, path }: Manifest, known: ManifestEntry | undefined): ManifestEntry | undefined {
    let file: number;
    try {
      file = this.#folder(source).open(path.slice(source.prefix.length));
    } catch {
      return undefined;
    }
    try {
      const { size, mtimeMs } = fstatSync(file);
      const times = `${size} ${mtimeMs}`;
      if (!this.#isShared && known?.stamp === times) return known;
      if (this.#buffer.length <= size && size <= MAX_MANIFEST_BYTES)
        this.#buffer = Buffer.allocUnsafe(2 * size + 1);
      const content = readOpenTextFile(file, this.#buffer.length - 1, this.#buffer);
      if ("skip" in content) return undefined;
      const stamp = this.#isShared ? content.hash.slice(0, 32) : times;
      if (known?.stamp === stamp) return known;
      return { path, stamp, text: encodeFacts(readManifest(path, content.text), folderOf(path)) };
    } finally {
      closeSync(file);
    }
  }

  #folder(source: Source): FolderReader {
    const folder = this.#folders.get(source.root) ?? new FolderReader(source);
    this.#folders.set(source.root, folder);
    return folder;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Versions that the sources themselves show, by prefix: `gin@v1.9.1`, the ref of a clone, or tags of the commit. */
function versionsOf(sources: readonly Source[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const source of sources) {
    const { prefix, root, ref = "" } = source;
    const ofFolder = /[@-](?<version>v?\d+\.\d+[\w.+-]*)$/.exec(root)?.groups?.["version"];
    const repository = repositoryAbove(source);
    const tags = [
      ...(/\d/.test(ref) ? [ref] : []),
      ...(repository === undefined ? [] : tagsAtHead(repository)),
      ...(ofFolder === undefined ? [] : [ofFolder]),
    ];
    if (tags.length > 0) versions.set(prefix, tags.join(" "));
  }
  return versions;
}
