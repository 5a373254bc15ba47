// The texts of files in a commit, from the objects of the repositories. Nothing is checked out.

import { SvcError } from "../../base/errors.ts";
import { pathFromBytes } from "../../base/path-bytes.ts";
import { quoted } from "../../base/quoted.ts";
import { readBlobs } from "../git-blobs.ts";
import { requireCommit } from "../git-change.ts";
import { shallowCommits, shallowProblem } from "../open-history.ts";
import { repositoryAbove, repositoryProblem, type Repository } from "../git.ts";
import { refused } from "../git-location.ts";
import type { Source } from "../registry/records.ts";
import { pathInRepository, withGit } from "../run-git.ts";
import { requireRoot, RootChanged } from "../source-root.ts";
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
/** Texts that are kept for later reads: those that one answer shows. */
const MAX_KEPT_BYTES = 16 << 20;

/** Reads the files of one commit. */
export class CommitTexts {
  readonly #sources: readonly CommittedSource[];
  readonly #signal: AbortSignal;
  /** The most recently used ones are last. */
  readonly #kept = new Map<string, TextResult>();
  #keptBytes = 0;

  constructor(sources: readonly CommittedSource[], signal: AbortSignal) {
    this.#sources = sources;
    this.#signal = signal;
  }

  /** The reader of these texts. */
  readonly reader: TextReader = {
    read: (path) => this.#read(path),
    prefetch: async (paths) => {
      const texts = await this.load(paths);
      return (path) => texts.get(path) ?? GONE;
    },
    stampOf: async (path) => (await this.#read(path)).stamp,
  };

  async #read(path: string): Promise<TextResult> {
    return (await this.load([path])).get(path) ?? GONE;
  }

  /** Reads files, at once those that are not kept. Of those that were read before, the last ones are kept. */
  async load(paths: readonly string[]): Promise<ReadonlyMap<string, TextResult>> {
    const texts = new Map<string, TextResult>();
    for (const path of paths) {
      const kept = this.#kept.get(path);
      if (kept === undefined) continue;
      texts.set(path, kept);
      this.#kept.delete(path);
      this.#kept.set(path, kept);
    }
    const missing = paths.filter((path) => !texts.has(path));
    if (missing.length === 0) return texts;
    for (const [path, text] of await this.#readAll(missing)) {
      texts.set(path, text);
      this.#keep(path, text);
    }
    return texts;
  }

  #keep(path: string, text: TextResult): void {
    if (this.#kept.has(path)) return;
    this.#kept.set(path, text);
    this.#keptBytes += sizeOf(text);
    for (const [oldest, other] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES || oldest === path) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= sizeOf(other);
    }
  }

  /** Returns GONE for a file that the commit does not have. */
  async #readAll(paths: readonly string[]): Promise<ReadonlyMap<string, TextResult>> {
    const texts = new Map<string, TextResult>(paths.map((path) => [path, GONE]));
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
        if (bytes !== undefined) texts.set(path, textOf(bytes, `${commit}:${path}`, source));
      }
    }
    return texts;
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
      requireHere(source);
      const repository = requireRepository(source);
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const commit = await requireCommit(repository, revision, {
        signal,
        hint: hintFor(source, repository),
      });
      found.push({ source, repository, commit });
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
    }
  }
  if (found.length === 0) throw problem;
  return new CommitTexts(found, signal);
}

/** Throws PATH_NOT_FOUND for a source that another machine has, and RootChanged. */
function requireHere(source: Source): void {
  try {
    requireRoot(source);
  } catch (thrown) {
    if (thrown instanceof RootChanged || !(thrown instanceof SvcError)) throw thrown;
    const { root, url, namespace } = source;
    const [what, hint] =
      url === undefined
        ? [root, "Ask on the machine that has it, or index the repository there by its URL."]
        : [
            `The clone of ${url}`,
            `\`svc index ${quoted(url)} --namespace ${namespace}\` fetches it.`,
          ];
    throw new SvcError(
      "PATH_NOT_FOUND",
      `${what} is not on this machine, so its commits cannot be read.`,
      { hint, cause: thrown },
    );
  }
}

/** What to do if the repository of a source lacks a commit. */
function hintFor({ url }: Source, repository: Repository): string {
  if (url !== undefined)
    return "svc fetches one branch of a URL and no tags: give an id or `HEAD~3`, or index your own clone.";
  const shallow = shallowCommits(repository);
  return shallowProblem({ shallow, url }) ?? "Give a branch, a tag, an id or `HEAD~3`.";
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

function sizeOf(text: TextResult): number {
  return "problem" in text ? 0 : text.sizeBytes;
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

/** Parses `mode type id TAB path NUL`. Links and submodules are not files. */
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
