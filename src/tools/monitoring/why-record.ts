// The history of a place or a question as JSON: the structured output of list_changes with `why`, and the output of
// `svc why --json`.

import type { WhyCommit, WhyResult, WhyTarget } from "../../engine/api/why.ts";

type Facts = Record<string, unknown>;

export function whyRecord(result: WhyResult): Facts {
  const { namespace, generation, kind, target, commits, moreCommits, partial } = result;
  return {
    namespace,
    generation,
    kind,
    ...(target === undefined ? {} : { target: targetRecord(target) }),
    commits: commits.map(commitRecord),
    more_commits: moreCommits,
    ...(partial.length === 0 ? {} : { partial }),
  };
}

function targetRecord(target: WhyTarget): Facts {
  const { path, startLine, endLine, symbol, uncommitted, others } = target;
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    ...(symbol === "" ? {} : { symbol }),
    ...(uncommitted.length === 0 ? {} : { uncommitted_lines: uncommitted }),
    ...(others.length === 0
      ? {}
      : {
          others: others.map((other) => ({
            path: other.path,
            line: other.startLine,
            symbol: other.qualifiedName,
          })),
        }),
  };
}

/** Leaves out members that do not apply. */
export function commitRecord(commit: WhyCommit): Facts {
  const { id, author, authoredAt, subject, body, why, issues, merged, reverts, revertedBy } =
    commit;
  const { isFormatting, path, hunk, touched } = commit;
  return {
    commit: id,
    ...(authoredAt === "" ? {} : { date: authoredAt }),
    author,
    subject,
    ...(body === "" ? {} : { body }),
    ...(why.length === 0 ? {} : { why }),
    ...(issues.length === 0 ? {} : { issues }),
    ...(merged === undefined ? {} : { merged }),
    ...(reverts === undefined ? {} : { reverts }),
    ...(revertedBy === undefined ? {} : { reverted_by: revertedBy }),
    ...(isFormatting ? { formatting_only: true } : {}),
    ...(path === "" ? {} : { path }),
    ...(hunk === "" ? {} : { hunk }),
    ...(touched.length === 0 ? {} : { touched }),
  };
}
