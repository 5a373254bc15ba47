// The commits behind the lines that `svc read --why` prints.

import { SvcError } from "../base/errors.ts";
import type { ReadPart } from "../engine/api/read.ts";
import type { WhyResult } from "../engine/api/why.ts";
import { commitRecord } from "../tools/monitoring/why-record.ts";
import { whyLine } from "../tools/monitoring/why-text.ts";

/** Maximum number of commits for each part; `svc why` shows more. */
export const MAX_COMMITS_BEHIND = 5;

/** The facts about the lines of a part. */
export interface CommitsBehind {
  /** `src/a.ts:10-40`. */
  readonly place: string;
  /** The commits, or why there are none. */
  readonly history: WhyResult | SvcError;
}

/** `why` explains a place. Throws what it throws, but for problems of one place. */
export async function commitsBehind(
  parts: readonly Pick<ReadPart, "path" | "startLine" | "endLine">[],
  why: (place: string) => Promise<WhyResult>,
): Promise<readonly CommitsBehind[]> {
  const behind: CommitsBehind[] = [];
  for (const { path, startLine, endLine } of parts) {
    const place = `${path}:${startLine}-${endLine}`;
    // oxlint-disable-next-line no-await-in-loop -- each runs several processes of git
    const history = await why(place).catch((thrown: unknown) => {
      if (thrown instanceof SvcError && thrown.code !== "TIMEOUT") return thrown;
      throw thrown;
    });
    behind.push({ place, history });
  }
  return behind;
}

/** A line for each commit, below the place. */
export function commitsBehindText({ place, history }: CommitsBehind): string {
  const head = `Commits behind ${place}:`;
  if (history instanceof SvcError) return `${head}\n  ${history.detail}`;
  const { commits, moreCommits, target, partial } = history;
  const open = target?.uncommitted.length ?? 0;
  const lines = [
    ...(open === 0 ? [] : [`${open} ${open === 1 ? "line is" : "lines are"} not committed yet`]),
    ...commits.map(whyLine),
    ...(moreCommits === 0 ? [] : [`${moreCommits} more: svc why ${place}`]),
    ...partial,
  ];
  return [head, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** The commits of a part as JSON, without messages and patches. */
export function commitsBehindRecord({ history }: CommitsBehind): Readonly<Record<string, unknown>> {
  if (history instanceof SvcError) return { commits: [], problem: history.detail };
  const { commits, moreCommits } = history;
  const short = commits.map((commit) => commitRecord({ ...commit, body: "", path: "", hunk: "" }));
  return { commits: short, more_commits: moreCommits };
}
