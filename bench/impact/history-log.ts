// The history of a mirror, read once: the ancestors of each commit, and the last change of each file.
import { LOG_ARGUMENTS, parseLog, type LoggedCommit } from "./commits.ts";
import { runGit } from "./history-tree.ts";

export class HistoryLog {
  /** Newest first. */
  readonly commits: readonly LoggedCommit[];
  readonly #byId: ReadonlyMap<string, LoggedCommit>;

  constructor(commits: readonly LoggedCommit[]) {
    this.commits = commits;
    this.#byId = new Map(commits.map((commit) => [commit.id, commit]));
  }

  static read(mirror: string, tip: string): HistoryLog {
    return new HistoryLog(parseLog(runGit(["--git-dir", mirror, ...LOG_ARGUMENTS, tip])));
  }

  /** The time of the last change of each file, in seconds since 1970, by a commit or its ancestors. */
  changeTimes(commit: string): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const { time, changes } of this.#upTo(commit)) {
      for (const { path } of changes) times.set(path, Math.max(time, times.get(path) ?? 0));
    }
    return times;
  }

  /** A commit and all its ancestors. */
  *#upTo(commit: string): Generator<LoggedCommit> {
    const seen = new Set([commit]);
    // Iterating a set includes elements that are added meanwhile.
    for (const id of seen) {
      const logged = this.#byId.get(id);
      if (logged === undefined) continue;
      yield logged;
      for (const parent of logged.parents) seen.add(parent);
    }
  }
}
