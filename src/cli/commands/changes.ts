import { SvcError } from "../../base/errors.ts";
import type { ChangesRequest, ChangesResult } from "../../engine/api/changes.ts";
import type { DriftResult } from "../../engine/api/drift.ts";
import type { CommitProgress } from "../../engine/api/why.ts";
import { changesRecord } from "../../tools/monitoring/change-record.ts";
import { driftRecord } from "../../tools/monitoring/drift-record.ts";
import { driftLine, driftNotes } from "../../tools/monitoring/drift-text.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { openProject } from "../open-project.ts";
import { runApiChanges } from "../api-changes.ts";
import { changeLine } from "../print/change.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { createProgress } from "../print/progress.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { timeOf } from "../since.ts";

/** Maximum number of changes in one request. */
const PAGE_SIZE = 200;
/** How long commits are read for the documentation; the next call continues. */
const MAX_READ_MS = 300_000;

export const command = defineCommand({
  description:
    "Shows changed files, the symbols in them that were added, removed, renamed or changed, the number of their users, and the matches of monitors. Without --since, shows the latest changes, newest last.\n\nWith --docs, shows names, flags and paths in the documentation that a commit removed from the code. With --api, shows which public definitions differ between two versions, and who uses them.",
  args: [
    {
      name: "path",
      suggests: "file",
      description: "File or folder (default: the project around the working directory).",
    },
  ],
  flags: {
    since: {
      type: "string",
      placeholder: "WHEN",
      description:
        "Show changes since a time such as 2d, yesterday or 2026-01-31T12:00:00Z, a commit, an index generation, or a cursor of --json.",
    },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    monitor: { type: "string", placeholder: "NAME", description: "Only matches of this monitor." },
    docs: {
      type: "boolean",
      description:
        "Show names, flags and paths in the documentation that the code no longer has, with the commit that removed each.",
    },
    api: {
      type: "boolean",
      description:
        "Compare the public definitions of two versions: --since with --at, or with the current files. --since A..B names both.",
    },
    at: {
      type: "string",
      placeholder: "REV",
      description: "With --api, the new version: a commit, branch or tag.",
    },
    exitCode: {
      type: "boolean",
      description: "With --api, exit with 1 if a change is breaking.",
    },
    limit: {
      type: "integer",
      short: "n",
      default: 50,
      min: 1,
      max: 10_000,
      placeholder: "N",
      description: "Maximum number of changes.",
    },
    namespace: {
      type: "string",
      placeholder: "NS",
      description:
        "Use this namespace. With --api, also look for users in the namespaces after it: NS,NS.",
    },
    all: {
      type: "boolean",
      description: "With --api, look for users in all namespaces.",
    },
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc changes --since main",
      description: "Show what the work tree changed since branch main.",
    },
    { run: "svc changes --since 2d", description: "Show the changes of the last two days." },
    {
      run: "svc changes --docs",
      description: "Show where the documentation is out of date.",
    },
    {
      run: "svc changes --api --since v1.2.0..v2.0.0 --all",
      description: "Show what a version broke, and who uses it in any indexed project.",
    },
  ],
  exitCodes: { 1: "With --api --exit-code: a change is breaking." },
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    requireOneKind(flags);
    if (flags.api) return runApiChanges(context, args.path, flags);
    requireOnlyWithApi(flags);
    const project = await openProject(context, { path: args.path, namespace: flags.namespace });
    const namespace = await ensureUpToDate(context, project);
    const { since, path, monitor, limit } = flags;
    const start = since === undefined ? undefined : timeOf(since);
    const caller = { path, namespace, principal: app.owner, signal };
    if (flags.docs) {
      const progress = createProgress(io);
      const onProgress = ({ read, total }: CommitProgress): void =>
        progress.update({ phase: "Reading commits", done: read, total });
      const found = await project.engine
        .drift({ ...caller, since: start, limit, waitMs: MAX_READ_MS, onProgress })
        .finally(progress.end);
      if (flags.json) printJson(io, driftRecord(found));
      else await withPager(context, flags.pager, (paged) => printDrift(paged.io, found));
      return 0;
    }
    const request = { ...caller, monitor, waitMs: 0 };
    const result = await upTo(limit, start, (page) =>
      project.engine.changes({ ...request, ...page }),
    );
    if (flags.json) printJson(io, changesRecord(result));
    else await withPager(context, flags.pager, (paged) => printChanges(paged.io, result));
    return 0;
  },
});

/** Throws USAGE for flags that ask for different things. */
function requireOneKind(flags: {
  readonly api: boolean;
  readonly docs: boolean;
  readonly monitor: string | undefined;
}): void {
  const [first, second] = (["api", "docs", "monitor"] as const).filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (first === undefined || second === undefined) return;
  throw new SvcError("USAGE", `--${first} and --${second} cannot be used together.`, {
    hint: "Omit one of them.",
  });
}

/** Throws USAGE for flags that only a comparison of versions has. */
function requireOnlyWithApi({
  at,
  all,
  exitCode,
}: {
  readonly at: string | undefined;
  readonly all: boolean;
  readonly exitCode: boolean;
}): void {
  const given = [at === undefined ? "" : "--at", all ? "--all" : "", exitCode ? "--exit-code" : ""];
  const flag = given.find((one) => one !== "");
  if (flag === undefined) return;
  throw new SvcError("USAGE", `${flag} needs --api.`, {
    hint: "Add --api, or leave it out.",
  });
}

/** Asks for one page after the other, so that no call takes long. */
async function upTo(
  limit: number,
  start: string | undefined,
  ask: (page: Pick<ChangesRequest, "since" | "limit">) => Promise<ChangesResult>,
): Promise<ChangesResult> {
  // The latest ones are one page.
  if (start === undefined) return ask({ since: start, limit });
  let result = await ask({ since: start, limit: Math.min(limit, PAGE_SIZE) });
  while (result.hasMore && result.changes.length < limit) {
    const left = limit - result.changes.length;
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const next = await ask({ since: result.nextCursor, limit: Math.min(left, PAGE_SIZE) });
    const { resetMs, compared } = result;
    result = { ...next, resetMs, compared, changes: [...result.changes, ...next.changes] };
  }
  return result;
}

function printChanges(io: Io, result: ChangesResult): void {
  const style = createStyle(io.color);
  reportReset(io, result);
  if (result.compared !== undefined) io.err(`${safeLine(result.compared)}\n`);
  for (const change of result.changes) io.out(`${changeLine(change, style)}\n`);
  if (result.changes.length === 0) {
    io.err(`Nothing changed.${result.hint === undefined ? "" : ` ${safeLine(result.hint)}`}\n`);
  }
  if (result.hasMore)
    io.err("There are more: raise --limit, or narrow them with PATH or --path.\n");
}

function printDrift(io: Io, result: DriftResult): void {
  for (const statement of result.statements) io.out(`${safeLine(driftLine(statement))}\n`);
  for (const note of driftNotes(result)) io.err(`${safeLine(note)}\n`);
}

/** Reports that earlier changes are no longer known. */
export function reportReset(io: Io, { resetMs }: ChangesResult): void {
  if (resetMs === undefined) return;
  io.err(`Changes are known from ${new Date(resetMs).toISOString()} on; earlier ones are not.\n`);
}
