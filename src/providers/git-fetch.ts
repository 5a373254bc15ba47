// The only code that fetches a repository from another machine. It runs the user's git, with the user's own way to
// connect (ssh keys, credential helpers, proxies). git only fetches objects into a clone that svc owns. Another
// git, which reads no configuration, checks out the files. The repository's content decides nothing here.

import { join } from "node:path";

import { withDiskSpace } from "../base/disk-space.ts";
import { SvcError } from "../base/errors.ts";
import { runProgram } from "../base/run-program.ts";
import { readConnectionEnvironment } from "../config/settings.ts";
import { gitFailureError } from "./git-failure-error.ts";

/** One fetch of one ref. */
export interface FetchRequest {
  /** A work tree with its own `.git`. */
  readonly root: string;
  readonly url: string;
  /** A branch, tag or commit; the repository's default branch if undefined. */
  readonly ref: string | undefined;
  /** Protocols that git may use to connect. */
  readonly protocols: readonly string[];
  /** The ref of the clone that will point at the fetched commit. */
  readonly into: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FetchProgress) => void;
  /** Maximum time without output from git, in milliseconds; 5 minutes by default. */
  readonly idleTimeoutMs?: number;
}

/** Progress in objects, as git counts them. */
export interface FetchProgress {
  readonly step: "receive" | "resolve";
  readonly done: number;
  readonly total: number;
}

/** The number of commits from which svc learns which files change together. */
const MAX_COMMITS = 3000;
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Options of git, before its command. They turn off every setting that could start a hook, a monitor or a prompt. */
const SAFE_CONFIG = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.askPass", ""],
  // Keep the received pack instead of loose objects: fewer files, and progress from the first object on.
  ["fetch.unpackLimit", "1"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["transfer.bundleURI", "false"],
  // Give up a connection that stalls.
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
const FETCH = ["fetch", "--progress", "--force", "--no-tags", "--no-recurse-submodules"];

/**
 * Fetches one ref. Throws FETCH_FAILED with a hint, TIMEOUT when cancelled, and STORAGE_FULL. The clone is then
 * unchanged: git moves its ref only after all objects have arrived.
 */
export function fetchRepository(request: FetchRequest): Promise<void> {
  const { root, url, ref, into, signal } = request;
  return withDiskSpace(root, signal, async (combinedSignal) => {
    const { outcome, lines } = await runProgram(
      "git",
      [...SAFE_CONFIG, `--git-dir=${join(root, ".git")}`, ...FETCH]
        .concat("--no-write-fetch-head", `--depth=${MAX_COMMITS}`)
        // Arguments after `--` are never options.
        .concat("--", url, `+${ref ?? "HEAD"}:${into}`),
      {
        directory: root,
        environment: environmentFor(request),
        signal: combinedSignal,
        idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
        onLine: (line) => {
          const progress = progressIn(line);
          if (progress !== undefined) request.onProgress(progress);
        },
      },
    );
    if (outcome === "cancelled") throw new SvcError("TIMEOUT", "Fetching was cancelled.");
    if (outcome !== "done") throw gitFailureError({ outcome, lines, ref });
  });
}

function environmentFor({ protocols }: FetchRequest): Readonly<Record<string, string | undefined>> {
  return {
    ...readConnectionEnvironment(),
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
    // For a local repository the git at the other end reads these too; its configuration is untrusted.
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    LC_ALL: "C",
  };
}

function progressIn(line: string): FetchProgress | undefined {
  const [, name, done, total] =
    /^(Receiving objects|Resolving deltas):\s+\d+% \((\d+)\/(\d+)\)/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const step = name === "Receiving objects" ? "receive" : "resolve";
  return { step, done: Number(done), total: Number(total) };
}
