// The one place that has another machine asked for a repository: git, the user's own, with the user's own way to
// connect (ssh keys, credential helpers, proxies). It fetches objects into a clone of svc's, and nothing else: files
// are checked out elsewhere, by a git that reads no configuration. A repository's content decides nothing here.

import { join } from "node:path";

import { withDiskSpace } from "../base/disk-space.ts";
import { SvcError } from "../base/errors.ts";
import { runProgram } from "../base/run-program.ts";
import { readConnectionEnvironment } from "../config/settings.ts";
import { gitFailureError } from "./git-failure-error.ts";

export interface FetchRequest {
  /** A work tree with its own `.git`. */
  readonly root: string;
  readonly url: string;
  /** A branch, a tag or a commit; the branch that the repository puts first by default. */
  readonly ref: string | undefined;
  /** What git may use to connect. */
  readonly protocols: readonly string[];
  /** The ref of the clone that is to point at what was fetched. */
  readonly into: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FetchProgress) => void;
  /** How long git may say nothing; 5 minutes by default. */
  readonly idleTimeoutMs?: number;
}

/** Objects, as git counts them. */
export interface FetchProgress {
  readonly step: "receive" | "resolve";
  readonly done: number;
  readonly total: number;
}

/** As many commits as the files that change together are learned from. */
const MAX_COMMITS = 3000;
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Options of git, before its command. Whatever a hook, a monitor or a prompt could be started by is off. */
const SAFE_CONFIG = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.askPass", ""],
  // Objects stay the pack they came in: fewer files, and progress from the first of them.
  ["fetch.unpackLimit", "1"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["transfer.bundleURI", "false"],
  // A connection that stalls is given up.
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
const FETCH = ["fetch", "--progress", "--force", "--no-tags", "--no-recurse-submodules"];

/**
 * Fetches one ref. Throws FETCH_FAILED with the way to mend it, TIMEOUT when it was cancelled, and STORAGE_FULL. The
 * clone is as before then: git moves its ref only when all objects are there.
 */
export function fetchRepository(request: FetchRequest): Promise<void> {
  const { root, url, ref, into, signal } = request;
  return withDiskSpace(root, signal, async (both) => {
    const { outcome, lines } = await runProgram(
      "git",
      [...SAFE_CONFIG, `--git-dir=${join(root, ".git")}`, ...FETCH]
        .concat("--no-write-fetch-head", `--depth=${MAX_COMMITS}`)
        // Nothing behind it is an option.
        .concat("--", url, `+${ref ?? "HEAD"}:${into}`),
      {
        directory: root,
        environment: environmentFor(request),
        signal: both,
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
    // Read by the other end of a local repository as well, whose configuration is a stranger's.
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
