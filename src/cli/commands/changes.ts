import type { ChangesRequest, ChangesResult } from "../../engine/api/changes.ts";
import { changesRecord } from "../../tools/monitoring/change-record.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { openProject } from "../open-project.ts";
import { changeLine } from "../print/change.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { timeOf } from "../since.ts";

/** Of one request. */
const PAGE_SIZE = 200;

export const command = defineCommand({
  description:
    "Shows changed files, the symbols in them that were added, removed, renamed or changed, the number of their users, and the matches of monitors. Without --since, shows the latest changes, newest last.",
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
    limit: {
      type: "integer",
      short: "n",
      default: 50,
      min: 1,
      max: 10_000,
      placeholder: "N",
      description: "Maximum number of changes.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Use this namespace." },
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc changes --since main",
      description: "Show what the work tree changed since branch main.",
    },
    { run: "svc changes --since 2d", description: "Show the changes of the last two days." },
  ],
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    const project = await openProject(context, { path: args.path, namespace: flags.namespace });
    const namespace = await ensureUpToDate(context, project);
    const { since, path, monitor, limit } = flags;
    const request = { path, monitor, namespace, waitMs: 0, principal: app.owner, signal };
    const start = since === undefined ? undefined : timeOf(since);
    const result = await upTo(limit, start, (page) =>
      project.engine.changes({ ...request, ...page }),
    );
    if (flags.json) printJson(io, changesRecord(result));
    else await withPager(context, flags.pager, (paged) => printChanges(paged.io, result));
  },
});

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
  if (result.changes.length === 0) io.err("Nothing changed.\n");
  if (result.hasMore)
    io.err("There are more: raise --limit, or narrow them with PATH or --path.\n");
}

/** Reports that earlier changes are no longer known. */
export function reportReset(io: Io, { resetMs }: ChangesResult): void {
  if (resetMs === undefined) return;
  io.err(`Changes are known from ${new Date(resetMs).toISOString()} on; earlier ones are not.\n`);
}
