// Bare git repositories that hold the commits of the corpora. No work tree is needed.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Paths that one git process reads. */
const BATCH_SIZE = 1500;
const MAX_OUTPUT_BYTES = 1 << 30;

/** The path of the mirror of `owner/name` below the folder of all mirrors. */
export function mirrorDirectory(mirrors: string, github: string): string {
  return join(mirrors, github.replace("/", "+"), "repo");
}

export function hasCommit(repository: string, commit: string): boolean {
  return run(repository, ["cat-file", "-e", `${commit}^{commit}`]).status === 0;
}

/** Paths of the regular files at a commit, without symbolic links and submodules. */
export function filesAt(repository: string, commit: string): readonly string[] {
  const { status, stdout, stderr } = run(repository, ["ls-tree", "-r", "-z", commit]);
  if (status !== 0) throw new Error(`git ls-tree ${commit} in ${repository}: ${String(stderr)}`);
  return stdout
    .toString()
    .split("\0")
    .flatMap((entry) => {
      const path = /^100\d{3} blob [0-9a-f]+\t(?<path>[^\n]+)$/.exec(entry)?.groups?.["path"];
      return path === undefined ? [] : [path];
    });
}

/** The contents of files at a commit. Omits files that the repository lacks, as a partial clone may. */
export function* readFiles(
  repository: string,
  commit: string,
  paths: readonly string[],
): Generator<readonly [path: string, content: Buffer]> {
  for (let at = 0; at < paths.length; at += BATCH_SIZE) {
    const batch = paths.slice(at, at + BATCH_SIZE);
    const input = batch.map((path) => `${commit}:${path}\n`).join("");
    const { stdout } = run(repository, ["cat-file", "--batch"], input);
    let offset = 0;
    for (const path of batch) {
      const lineEnd = stdout.indexOf("\n", offset);
      const size = /^[0-9a-f]+ \w+ (\d+)$/.exec(stdout.toString("utf8", offset, lineEnd))?.[1];
      offset = lineEnd + 1;
      if (size === undefined) continue;
      yield [path, stdout.subarray(offset, offset + Number(size))];
      offset += Number(size) + 1;
    }
  }
}

/** Creates or completes a repository with one commit of another. Throws with git's message. */
export function fetchCommit(repository: string, url: string, commit: string): void {
  mkdirSync(repository, { recursive: true });
  for (const args of [
    ["init", "--quiet", "--bare"],
    ["fetch", "--quiet", "--depth", "1", url, commit],
  ]) {
    const { status, stderr } = run(repository, args);
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${String(stderr).trim()}`);
  }
}

function run(
  repository: string,
  args: readonly string[],
  input = "",
): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: Buffer } {
  const { error, ...rest } = spawnSync("git", ["--git-dir", repository, ...args], {
    input,
    maxBuffer: MAX_OUTPUT_BYTES,
    // Missing contents of a mirror are not fetched.
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
  });
  if (error) throw error;
  return rest;
}
