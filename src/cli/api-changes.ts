// `svc changes --api`: compares the public definitions of two versions.

import { SvcError } from "../base/errors.ts";
import type { ApiChangesResult } from "../engine/api/api-changes.ts";
import { apiChangesRecord } from "../tools/monitoring/api-change-record.ts";
import {
  apiChangeLines,
  apiGroups,
  apiHeadline,
  apiNotes,
} from "../tools/monitoring/api-change-text.ts";
import { versionRange, type VersionRange } from "../tools/monitoring/version-range.ts";
import { ensureUpToDate } from "./bring-up-to-date.ts";
import type { CommandContext } from "./command.ts";
import type { Io } from "./io.ts";
import { openProject } from "./open-project.ts";
import { withPager } from "./pager.ts";
import { printJson } from "./print/json.ts";
import { createRunProgress } from "./print/progress.ts";
import { safeLine } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";
import { searchScope } from "./search-scope.ts";

interface ApiFlags {
  readonly since: string | undefined;
  readonly at: string | undefined;
  readonly path: string | undefined;
  readonly limit: number;
  readonly namespace: string | undefined;
  readonly all: boolean;
  readonly exitCode: boolean;
  readonly json: boolean;
  readonly pager: boolean;
}

const BREAKING = 1;

/** Returns the exit code. */
export async function runApiChanges(
  context: CommandContext,
  path: string | undefined,
  flags: ApiFlags,
): Promise<number> {
  const { app, io, signal } = context;
  const { since, at } = versionsOf(flags);
  const scope = searchScope(flags, path);
  const project = await openProject(context, { path, namespace: scope });
  const namespace = await ensureUpToDate(context, project);
  const progress = createRunProgress(io);
  const limits = { path: flags.path, limit: flags.limit, onIndexing: progress.update };
  const result = await project.engine
    .apiChanges({ since, at, ...limits, namespace, principal: app.owner, signal })
    .finally(progress.end);
  if (flags.json) printJson(io, apiChangesRecord(result));
  else await withPager(context, flags.pager, (paged) => print(paged.io, result));
  return flags.exitCode && result.breaking > 0 ? BREAKING : 0;
}

/** `A..B` gives both versions, as in git. */
function versionsOf({ since, at }: Pick<ApiFlags, "since" | "at">): VersionRange {
  const range = rangeOf(since);
  if (range.at !== undefined && at !== undefined) {
    throw new SvcError("USAGE", "--since A..B and --at both name the new version.", {
      hint: "Omit one of them.",
    });
  }
  return { ...range, at: range.at ?? at };
}

function rangeOf(since: string | undefined): VersionRange {
  try {
    return versionRange(since);
  } catch (cause) {
    throw new SvcError("USAGE", "--api compares with the version that --since names.", {
      hint: "Give a commit, branch or tag: --since v1.2.0, or --since v1.2.0..v2.0.0.",
      cause,
    });
  }
}

function print(io: Io, result: ApiChangesResult): void {
  const style = createStyle(io.color);
  io.err(`${safeLine(apiHeadline(result))}\n`);
  for (const { title, changes } of apiGroups(result)) {
    io.out(`${style.bold(title)}\n`);
    for (const change of changes)
      for (const line of apiChangeLines(change)) io.out(`  ${safeLine(line)}\n`);
  }
  for (const note of apiNotes(result)) io.err(`${safeLine(note)}\n`);
}
