// Reads files from a commit.

import { repositoryAbove, type GitSource } from "./git.ts";
import { pathInRepository, withGit } from "./run-git.ts";

const TIME_LIMIT_MS = 10_000;
/** For the output of sizes. The output for a missing file repeats its whole name. */
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_HEAD_LENGTH = 100;
/** Files of so many bytes together are read at once, whatever the size of each. */
const MAX_USUAL_BYTES = 4 << 20;
const NEWLINE = 0x0a;
/** The line before an object. The one of a missing object has a colon in its first word. */
const OBJECT = /^[0-9a-f]+ [a-z]+ (?<size>\d+)$/;

interface BlobLimits {
  readonly signal: AbortSignal;
  /** Larger files are omitted. */
  readonly maxBytes: number;
}

/**
 * Returns the content of files in a commit, by path below the source's root. `commit` is its full id. Omits
 * files that the commit does not have or git does not return. Throws TIMEOUT.
 */
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
  // Each input line is a name, so names with a line break need a separate call.
  const named = paths.filter((path) => !path.includes("\n"));
  // One git process for all files: starting it costs more than reading a file.
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
    const whole = await git(
      ["cat-file", "--batch"],
      { ...limits, maxBytes: MAX_USUAL_BYTES },
      inputOf(named),
    );
    if (whole.outcome === "whole") {
      for (const [path, blob] of blobsIn(whole.bytes, named))
        if (blob.length <= maxBytes) blobs.set(path, blob);
      return blobs;
    }
    // They are large: only those of an acceptable size are read.
    const short = { ...limits, maxBytes: MAX_OUTPUT_BYTES };
    const heads = await git(["cat-file", "--batch-check"], short, inputOf(named));
    const sizes = heads.bytes.toString("latin1").split("\n").map(sizeIn);
    const wanted = named.filter((_, at) => (sizes[at] ?? Infinity) <= maxBytes);
    const long = { ...limits, maxBytes: wanted.length * (maxBytes + MAX_HEAD_LENGTH) };
    const { bytes } = await git(["cat-file", "--batch"], long, inputOf(wanted));
    return new Map([...blobs, ...blobsIn(bytes, wanted)]);
  });
}

/**
 * Parses objects in the order of their paths. Each has a line with its type and size before it and a line end after it; a
 * missing one has only a line.
 */
function blobsIn(bytes: Buffer, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  let at = 0;
  for (const path of paths) {
    const start = bytes.indexOf(NEWLINE, at) + 1;
    const head = bytes.toString("latin1", at, start - 1);
    const size = OBJECT.exec(head)?.groups?.["size"];
    if (size === undefined) {
      at = start;
      continue;
    }
    const end = start + Number(size);
    // Blobs after one that git could not return are missing too.
    if (end > bytes.length) break;
    if (sizeIn(head) !== undefined) blobs.set(path, bytes.subarray(start, end));
    at = end + 1;
  }
  return blobs;
}

/** The size of a blob in bytes, from its header line: `<object> blob <size>`. */
function sizeIn(head: string): number | undefined {
  const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1];
  return size === undefined ? undefined : Number(size);
}
