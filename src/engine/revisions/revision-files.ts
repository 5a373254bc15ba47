// Reads the files of a commit for its index. Those with the content of a file in the index of the namespace are taken from
// there; the others are written to a private folder, for the run that indexes them.

import { hash } from "node:crypto";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { toFilePath } from "../../base/path-bytes.ts";
import { isManifest } from "../../graph/packages/read-manifest.ts";
import { MIN_SAME_SHARE, type IndexBase, type ProvenContent } from "../../index/index-base.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { CommitFile, CommitTexts } from "../../sources/text/commit-texts.ts";
import { listedState } from "../indexing/file-states.ts";
import type { FoundFile } from "../indexing/source-scan.ts";

/** The files of a commit have no times of their own, and never change. */
const TIMES = { mtimeMs: 1, inode: 1 };
/** Files that git reads at once. */
const BATCH_FILES = 200;
const HASH_DIGITS = 32;
const isWindows = process.platform === "win32";

export class RevisionFiles {
  readonly #folder: string;
  readonly #texts: CommitTexts;
  readonly #signal: AbortSignal;
  readonly #found: FoundFile[] = [];

  constructor(folder: string, texts: CommitTexts, signal: AbortSignal) {
    this.#folder = realpathSync(folder);
    this.#texts = texts;
    this.#signal = signal;
  }

  /** The files of the commit with a known content. */
  get found(): readonly FoundFile[] {
    return this.#found;
  }

  /** The sources of the commit, with the folders of the files that were written as their roots. */
  get sources(): readonly Source[] {
    return this.#texts.commits.map(({ source }) => ({
      ...source,
      root: this.#rootOf(source),
      identity: undefined,
      url: undefined,
    }));
  }

  /** Starts the index of the namespace from `base`, if that has most files, and writes all others to the folder. */
  async read(
    files: readonly CommitFile[],
    { base, namespace }: { readonly base: IndexBase | undefined; readonly namespace: string },
  ): Promise<void> {
    for (const { source } of this.#texts.commits)
      mkdirSync(this.#rootOf(source), { recursive: true, mode: 0o700 });
    const same: CommitFile[] = [];
    const contents = new Map<string, ProvenContent>();
    for await (const { file, bytes } of this.#contentsOf(files)) {
      const digest = hash("sha256", bytes).slice(0, HASH_DIGITS);
      if (base?.files.get(file.path)?.hash === digest) {
        same.push(file);
        // Each run reads what manifests say of packages.
        if (isManifest(file.path)) this.#write(file, bytes);
        contents.set(file.path, { hash: digest, ...TIMES, indexedMs: Date.now() });
      } else if (!this.#write(file, bytes)) continue;
      this.#add(file, bytes);
    }
    const [source] = this.#texts.commits;
    if (
      base !== undefined &&
      source !== undefined &&
      same.length >= files.length * MIN_SAME_SHARE
    ) {
      const start = {
        source: source.source.id,
        contents,
        paths: this.#found.map(({ path }) => path),
        listed: (path: string) => listedState(source.source, path),
        notes: () => new Map(),
      };
      // Undefined if someone has changed the base meanwhile.
      if ((await base.start(namespace, start)) !== undefined) return;
    }
    for await (const { file, bytes } of this.#contentsOf(same)) this.#write(file, bytes);
  }

  async *#contentsOf(
    files: readonly CommitFile[],
  ): AsyncGenerator<{ readonly file: CommitFile; readonly bytes: Buffer }> {
    for (const ofSource of Map.groupBy(files, ({ source }) => source).values()) {
      for (let at = 0; at < ofSource.length; at += BATCH_FILES) {
        this.#signal.throwIfAborted();
        const batch = ofSource.slice(at, at + BATCH_FILES);
        // oxlint-disable-next-line no-await-in-loop -- batch after batch, so that few are in memory
        const blobs = await this.#texts.blobs(batch, MAX_INDEXED_BYTES);
        for (const file of batch) {
          const bytes = blobs.get(file.pathInSource);
          if (bytes !== undefined) yield { file, bytes };
        }
      }
    }
  }

  #add({ source, path, pathInSource }: CommitFile, bytes: Buffer): void {
    const record = { path: pathInSource, sizeBytes: bytes.length, ...TIMES };
    this.#found.push({ source, path, record });
  }

  /** False for a path that cannot be a file here: a tree of git may have any. */
  #write({ source, pathInSource }: CommitFile, bytes: Buffer): boolean {
    if (isWindows && /[\\:]/.test(pathInSource)) return false;
    const place = join(this.#rootOf(source), pathInSource);
    try {
      mkdirSync(toFilePath(dirname(place)), { recursive: true, mode: 0o700 });
      writeFileSync(toFilePath(place), bytes, { mode: 0o600, flag: "wx" });
      return true;
    } catch (thrown) {
      if (thrown instanceof Error && "code" in thrown && IMPOSSIBLE.has(String(thrown.code)))
        return false;
      throw thrown;
    }
  }

  #rootOf({ id }: Source): string {
    return join(this.#folder, String(id));
  }
}

/** Errors of the file system for a path that it cannot have: one without case has either `README` or `readme`. */
const IMPOSSIBLE = new Set(["EEXIST", "ENOTDIR", "EINVAL", "ENAMETOOLONG", "EILSEQ"]);
