// Files as a commit has them.

import { repositoryAbove, type GitSource } from "./git.ts";
import { pathInRepository, withGit } from "./run-git.ts";

const TIME_LIMIT_MS = 10_000;
/** Of the sizes alone; "missing" is told with the whole name. */
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_HEAD_LENGTH = 100;
const NEWLINE = 0x0a;

interface BlobLimits {
  readonly signal: AbortSignal;
  /** Larger files are left out. */
  readonly maxBytes: number;
}

/** By path below the source's root, as the commit of that full name has them; what it does not have, or git does not give, is missing. Throws TIMEOUT. */
export async function readBlobs(
  source: GitSource,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
  { signal, maxBytes }: BlobLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const repository = repositoryAbove(source);
  if (repository === undefined || paths.length === 0) return new Map();
  const below = pathInRepository(repository, source.root);
  const limits = { signal, timeoutMs: TIME_LIMIT_MS };
  const nameOf = (path: string): string => `${commit}:${below === "" ? "" : `${below}/`}${path}`;
  const inputOf = (some: readonly string[]): string =>
    some.map((one) => `${nameOf(one)}\n`).join("");
  // A line of the input is a name.
  const named = paths.filter((path) => !path.includes("\n"));
  // One git for all: to start one costs more than to read a file.
  return withGit(repository, async (git) => {
    const blobs = new Map<string, Buffer>();
    for (const path of paths.filter((one) => one.includes("\n"))) {
      // oxlint-disable-next-line no-await-in-loop -- there is hardly ever one
      const { bytes, outcome } = await git(["cat-file", "blob", nameOf(path)], {
        ...limits,
        maxBytes,
      });
      if (outcome === "whole") blobs.set(path, bytes);
    }
    const short = { ...limits, maxBytes: MAX_OUTPUT_BYTES };
    const heads = await git(["cat-file", "--batch-check"], short, inputOf(named));
    const sizes = heads.bytes.toString("latin1").split("\n").map(sizeIn);
    const wanted = named.filter((_, at) => (sizes[at] ?? Infinity) <= maxBytes);
    const long = { ...limits, maxBytes: wanted.length * (maxBytes + MAX_HEAD_LENGTH) };
    const { bytes } = await git(["cat-file", "--batch"], long, inputOf(wanted));
    return new Map([...blobs, ...blobsIn(bytes, wanted)]);
  });
}

/** Blobs in the order of their paths, each behind a line with its size and before a line end. */
function blobsIn(bytes: Buffer, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  let at = 0;
  for (const path of paths) {
    const start = bytes.indexOf(NEWLINE, at) + 1;
    const size = sizeIn(bytes.toString("latin1", at, start - 1));
    // What comes behind one that git could not give is not there either.
    if (size === undefined || start + size > bytes.length) break;
    blobs.set(path, bytes.subarray(start, start + size));
    at = start + size + 1;
  }
  return blobs;
}

/** Bytes of a blob, from the line before it: `<object> blob <size>`. */
function sizeIn(head: string): number | undefined {
  const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1];
  return size === undefined ? undefined : Number(size);
}
