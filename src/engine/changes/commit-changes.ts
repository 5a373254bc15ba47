// Compares the work tree with a commit, file by file and definition by definition.

import { gitMissing, gitVersion } from "../../sources/run-git.ts";
import { SvcError } from "../../base/errors.ts";
import {
  detailOf,
  type FileChange,
  type ContentVersion,
} from "../../index/change-log/change-detail.ts";
import { diffSymbols } from "../../index/change-log/symbol-diff.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { readBlobs } from "../../sources/git-blobs.ts";
import type { ChangedName } from "../../sources/diff-output.ts";
import { readChangedNames, readDiffering } from "../../sources/git-change.ts";
import { refused } from "../../sources/git-location.ts";
import { repositoryProblem } from "../../sources/git.ts";
import type { Source } from "../../sources/registry/records.ts";
import { requireRoot } from "../../sources/source-root.ts";
import { decodeText } from "../../sources/text/decode-text.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { textIfReadable } from "../files/current-file.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import type { PathLimits } from "../api/request.ts";
import { pathFilter } from "../files/file-filter.ts";
import { contentVersion } from "./content-versions.ts";

export interface CommitChange extends FileChange {
  readonly hits: readonly [];
}

interface CommitContext {
  readonly sources: readonly Source[];
  /** Not masked, because they are compared and never shown. */
  readonly rawTexts: TextReader;
}

interface CommitComparison extends PathLimits {
  readonly name: string;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface CommitComparisonPage {
  readonly description: string;
  readonly changes: readonly CommitChange[];
  /** Offset of the next page; undefined on the last. */
  readonly next: number | undefined;
}

interface FileInSource {
  readonly source: Source;
  /** Full id of the commit in the repository of the source. */
  readonly commit: string;
  readonly file: ChangedName;
}

interface ComparedFile {
  readonly one: FileInSource;
  readonly change: CommitChange;
  /** Whether both versions exist and have the same lines. */
  readonly hasSameLines: boolean;
}

/** Maximum files in one answer; both versions of each are parsed. */
const MAX_FILES = 50;

/** One page of the changes since the commit `name`. Throws INVALID_PARAMS when no source has it, and TIMEOUT. */
export async function compareWithCommit(
  { sources, rawTexts }: CommitContext,
  { name, offset, limit, signal, ...paths }: CommitComparison,
): Promise<CommitComparisonPage> {
  if (/\.\.|\^!$/.test(name) || name === "staged") {
    throw new SvcError("INVALID_PARAMS", `since: "${name}" is not one commit.`, {
      hint: "Give a branch, a tag, an id or `HEAD~3`: the work tree is compared with it.",
    });
  }
  const matches = pathFilter(paths);
  const { description, files } = await namedFiles(sources, name, signal);
  const wanted = files.filter(
    ({ source, file }) =>
      skipReasonOfPath(file.path) !== "secret" &&
      (matches === undefined ||
        matches(source.prefix + file.path) ||
        (file.oldPath !== undefined && matches(source.prefix + file.oldPath))),
  );
  const page = await pageOf(wanted, { offset, limit: Math.min(limit, MAX_FILES), signal });
  const compared = await describe(rawTexts, page.files, signal);
  const changes = await withoutLineEnds(compared, signal);
  return { description, changes, next: page.next };
}

/**
 * Leaves out files that differ only in their line ends. Whether the ids of two versions differ is known at once; to
 * ignore line ends, git must read both.
 */
async function withoutLineEnds(
  all: readonly ComparedFile[],
  signal: AbortSignal,
): Promise<readonly CommitChange[]> {
  const doubtful = all.filter(({ hasSameLines }) => hasSameLines);
  const asked = new Map(
    doubtful.map((compared) => {
      const { file, ...rest } = compared.one;
      return [{ ...rest, file: { ...file, differs: undefined } }, compared] as const;
    }),
  );
  const differing = new Set(await differingIn([...asked.keys()], signal));
  const same = new Set(
    [...asked].flatMap(([one, compared]) => (differing.has(one) ? [] : [compared])),
  );
  return all.filter((compared) => !same.has(compared)).map(({ change }) => change);
}

/** The first `limit` files from `offset` on that differ, and the offset of the next ones. */
async function pageOf(
  all: readonly FileInSource[],
  { offset, limit, signal }: Pick<CommitComparison, "offset" | "limit" | "signal">,
): Promise<{ files: readonly FileInSource[]; next: number | undefined }> {
  const files: FileInSource[] = [];
  let at = offset;
  // Many files may have a new modification time and the same content, so the window grows: fewer git calls.
  for (let size = limit; at < all.length && files.length < limit; size *= 4) {
    const window = all.slice(at, at + size);
    // oxlint-disable-next-line no-await-in-loop -- mostly one iteration
    const differing = await differingIn(window, signal);
    const taken = differing.slice(0, limit - files.length);
    files.push(...taken);
    const last = taken.length < differing.length ? taken.at(-1) : undefined;
    at += last === undefined ? window.length : window.indexOf(last) + 1;
  }
  return { files, next: at < all.length ? at : undefined };
}

async function differingIn(
  files: readonly FileInSource[],
  signal: AbortSignal,
): Promise<readonly FileInSource[]> {
  const differing: FileInSource[] = [];
  for (const [source, filesInSources] of Map.groupBy(files, (one) => one.source)) {
    const names = filesInSources.map(({ file }) => file);
    const commit = filesInSources[0]?.commit ?? "";
    // oxlint-disable-next-line no-await-in-loop -- few sources
    requireRoot(source);
    const differ = new Set(await readDiffering(source, { commit, names }, { signal }));
    differing.push(...filesInSources.filter(({ file }) => differ.has(file)));
  }
  return differing;
}

async function namedFiles(
  sources: readonly Source[],
  name: string,
  signal: AbortSignal,
): Promise<{ description: string; files: readonly FileInSource[] }> {
  const files: FileInSource[] = [];
  let description = "";
  let problem: unknown;
  for (const source of sources) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- few sources
      requireRoot(source);
      const { names, commit, ...change } = await readChangedNames(source, name, { signal });
      ({ description } = change);
      files.push(...names.map((file) => ({ source, commit, file })));
    } catch (thrown) {
      // With several repositories, a branch may be missing in some.
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
    }
  }
  if (description !== "") return { description, files };
  if (!(problem instanceof SvcError)) throw problem;
  const refusal = sources.map(repositoryProblem).find((one) => one !== undefined);
  if (refusal !== undefined) throw refused(refusal);
  if ((await gitVersion(signal)) === undefined) throw gitMissing();
  throw new SvcError(
    "INVALID_PARAMS",
    `since: "${name}" is not a commit of any source, a time, a generation or a cursor.`,
    {
      hint: "Use a commit, a time like 2026-01-31T12:00:00Z, a generation, or `next_cursor` of an earlier answer.",
      cause: problem,
    },
  );
}

async function describe(
  texts: TextReader,
  files: readonly FileInSource[],
  signal: AbortSignal,
): Promise<readonly ComparedFile[]> {
  const changes: ComparedFile[] = [];
  for (const [source, filesInSources] of Map.groupBy(files, (one) => one.source)) {
    const paths = filesInSources.flatMap(({ file }) =>
      file.status === "added" && file.oldPath === undefined ? [] : [file.oldPath ?? file.path],
    );
    const limits = { signal, maxBytes: MAX_INDEXED_BYTES };
    // oxlint-disable-next-line no-await-in-loop -- few sources
    requireRoot(source);
    const blobs = await readBlobs(
      source,
      { commit: filesInSources[0]?.commit ?? "", paths },
      limits,
    );
    for (const one of filesInSources) {
      signal.throwIfAborted();
      const before = blobs.get(one.file.oldPath ?? one.file.path);
      // oxlint-disable-next-line no-await-in-loop -- other calls get a turn between two files
      changes.push(await compare(texts, one, before));
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise(setImmediate);
    }
  }
  return changes;
}

async function compare(
  texts: TextReader,
  one: FileInSource,
  blob: Buffer | undefined,
): Promise<ComparedFile> {
  const { source, file } = one;
  const kind = kindOf(file);
  const path = source.prefix + file.path;
  const was = source.prefix + (file.oldPath ?? file.path);
  const oldText = blob && textOf(blob);
  const newText = kind === "removed" ? undefined : await currentText(texts, path);
  const before = kind === "added" ? undefined : await contentVersion(was, oldText);
  const now = kind === "removed" ? undefined : await contentVersion(path, newText);
  const detail = detailOf({ kind, symbols: symbolsChanged(before, now), before, now });
  const oldPath = kind === "renamed" ? was : undefined;
  const hasSameLines = kind === "changed" && isSameText(oldText, newText);
  return { one, change: { kind, path, oldPath, detail, hits: [] }, hasSameLines };
}

/** None if a version was not read. */
function symbolsChanged(
  before: ContentVersion | undefined,
  now: ContentVersion | undefined,
): ReturnType<typeof diffSymbols> {
  if (before?.hash === "" || now?.hash === "") return [];
  return diffSymbols(before?.fingerprints.symbols ?? [], now?.fingerprints.symbols ?? []);
}

/** Whether two texts have the same lines. The last may have an end in one of them. */
function isSameText(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.trimEnd() === other?.trimEnd();
}

function kindOf({ status, path, oldPath }: ChangedName): FileChange["kind"] {
  if (status === "deleted") return "removed";
  if (oldPath !== undefined && oldPath !== path) return "renamed";
  return status === "added" ? "added" : "changed";
}

async function currentText(texts: TextReader, path: string): Promise<string | undefined> {
  const lines = (await textIfReadable(texts, path))?.lines;
  return lines === undefined ? undefined : `${lines.join("\n")}\n`;
}

/** Undefined for a binary file. */
function textOf(bytes: Buffer): string | undefined {
  const { text, isBinary } = decodeText(bytes);
  return isBinary ? undefined : text.replaceAll("\r\n", "\n");
}
