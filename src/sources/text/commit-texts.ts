// The texts of files in a commit, from the objects of the repositories. Nothing is checked out.

import { SvcError } from "../../base/errors.ts";
import { pathFromBytes } from "../../base/path-bytes.ts";
import { readBlobs } from "../git-blobs.ts";
import { requireCommit } from "../git-change.ts";
import { repositoryAbove, repositoryProblem, type Repository } from "../git.ts";
import { refused } from "../git-location.ts";
import type { Source } from "../registry/records.ts";
import { pathInRepository, withGit } from "../run-git.ts";
import { requireRoot } from "../source-root.ts";
import { decodeText } from "./decode-text.ts";
import { MAX_TEXT_BYTES, type TextReader, type TextResult } from "./port.ts";
import { sourceOfPath } from "./source-of-path.ts";
import { SourceText } from "./source-text.ts";

/** A source whose repository has the commit. */
interface CommittedSource {
  readonly source: Source;
  readonly repository: Repository;
  /** Full id of the commit. */
  readonly commit: string;
}

/** A regular file of a commit. */
export interface CommitFile {
  readonly source: Source;
  /** Path in the namespace. */
  readonly path: string;
  readonly pathInSource: string;
}

const LIST_LIMITS = { timeoutMs: 15_000, maxBytes: 64 << 20 };
const GONE = { problem: "gone", stamp: "" } as const;
const NUL = 0;

/** Reads the files of one commit. */
export class CommitTexts {
  readonly #sources: readonly CommittedSource[];
  readonly #signal: AbortSignal;
  readonly #texts = new Map<string, TextResult>();

  constructor(sources: readonly CommittedSource[], signal: AbortSignal) {
    this.#sources = sources;
    this.#signal = signal;
  }

  /** The reader of these texts. */
  readonly reader: TextReader = {
    read: (path) => this.#read(path),
    prefetch: async (paths) => {
      await this.load(paths);
      const texts = new Map(this.#texts);
      return (path) => texts.get(path) ?? GONE;
    },
    stampOf: async (path) => (await this.#read(path)).stamp,
  };

  async #read(path: string): Promise<TextResult> {
    if (!this.#texts.has(path)) await this.load([path]);
    return this.#texts.get(path) ?? GONE;
  }

  /** Reads these files, in place of those that were read before. */
  async load(paths: readonly string[]): Promise<void> {
    this.#texts.clear();
    const sources = this.#sources.map(({ source }) => source);
    const places = paths.flatMap((path) => {
      const place = sourceOfPath(sources, path);
      return place === undefined ? [] : [{ ...place, path }];
    });
    for (const { source, commit } of this.#sources) {
      const own = places.filter((place) => place.source === source);
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const blobs = await readBlobs(
        source,
        { commit, paths: own.map(({ relative }) => relative) },
        { signal: this.#signal, maxBytes: MAX_TEXT_BYTES },
      );
      for (const { path, relative } of own) {
        const bytes = blobs.get(relative);
        if (bytes !== undefined) this.#texts.set(path, textOf(bytes, `${commit}:${path}`, source));
      }
    }
  }

  /** The sources that have the commit, each with its full id. */
  get commits(): readonly Pick<CommittedSource, "source" | "commit">[] {
    return this.#sources;
  }

  /** The paths of all regular files of the commit, sorted. */
  async paths(): Promise<readonly string[]> {
    return (await this.files()).map(({ path }) => path);
  }

  /** All regular files of the commit, sorted by path. */
  async files(): Promise<readonly CommitFile[]> {
    const all: CommitFile[] = [];
    for (const { source, repository, commit } of this.#sources) {
      const below = pathInRepository(repository, source.root);
      const where = below === "" ? [] : ["--", `${below}/`];
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const { bytes, outcome } = await withGit(repository, (git) =>
        git(["ls-tree", "-r", "-z", "--full-tree", commit, ...where], {
          ...LIST_LIMITS,
          signal: this.#signal,
        }),
      );
      if (outcome !== "whole") {
        throw new SvcError("INVALID_PARAMS", "git could not list the files of the commit.", {
          hint: "Try again; in a partial clone, objects may be missing.",
        });
      }
      const skipped = below === "" ? 0 : below.length + 1;
      for (const path of filesIn(bytes)) {
        const pathInSource = path.slice(skipped);
        all.push({ source, path: source.prefix + pathInSource, pathInSource });
      }
    }
    return all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Returns the content of files of one source, by path in the source. Omits those that are larger, or missing. */
  blobs(files: readonly CommitFile[], maxBytes: number): Promise<ReadonlyMap<string, Buffer>> {
    const place = this.#sources.find(({ source }) => source === files[0]?.source);
    if (place === undefined) return Promise.resolve(new Map());
    const paths = files.map(({ pathInSource }) => pathInSource);
    const wanted = { commit: place.commit, paths };
    return readBlobs(place.source, wanted, { signal: this.#signal, maxBytes });
  }
}

/**
 * Opens the texts of a commit, branch or tag. Sources whose repository does not have it are left out. Throws INVALID_PARAMS
 * if none has it, and TIMEOUT.
 */
export async function openCommitTexts(
  sources: readonly Source[],
  revision: string,
  signal: AbortSignal,
): Promise<CommitTexts> {
  const found: CommittedSource[] = [];
  let problem: unknown;
  for (const source of sources) {
    try {
      requireRoot(source);
      const repository = requireRepository(source);
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const commit = await requireCommit(repository, revision, signal);
      found.push({ source, repository, commit });
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
    }
  }
  if (found.length === 0) throw problem;
  return new CommitTexts(found, signal);
}

function requireRepository(source: Source): Repository {
  const repository = repositoryAbove(source);
  if (repository !== undefined) return repository;
  const problem = repositoryProblem(source);
  if (problem !== undefined) throw refused(problem);
  throw new SvcError(
    "INVALID_PARAMS",
    `${source.root} is not in a git repository, so it has no commits.`,
    { hint: "Leave out --at to read the files as they are." },
  );
}

function textOf(bytes: Buffer, stamp: string, { showsSecrets }: Source): TextResult {
  const { text, isAscii, isBinary } = decodeText(bytes);
  return new SourceText({
    bytes,
    text,
    isAscii,
    isBinary,
    sizeBytes: bytes.length,
    // A commit does not change.
    mtimeMs: 0,
    ctimeMs: 0,
    stamp,
    isChanged: false,
    isContentOf: () => false,
    showsSecrets: showsSecrets === true,
  });
}

/** Whether a path stays below its root. A tree that someone has made by hand may have others, which git never checks out. */
function isBelow(path: string): boolean {
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

/** Parses `mode type id TAB path NUL`. Links and submodules are no files. */
function filesIn(bytes: Buffer): readonly string[] {
  const paths: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NUL, at);
    if (end === -1) break;
    const tab = bytes.indexOf("\t", at);
    const path = pathFromBytes(bytes.subarray(tab + 1, end));
    if (bytes.toString("latin1", at, at + 3) === "100" && isBelow(path)) paths.push(path);
    at = end + 1;
  }
  return paths;
}
