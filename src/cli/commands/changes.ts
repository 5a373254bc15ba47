import type { ChangesResult } from "../../engine/api/changes.ts";
import { changesRecord } from "../../tools/monitoring/change-record.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { openProject } from "../open-project.ts";
import { changeLine } from "../print/change.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";

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
        "Show changes since a cursor, a time such as 2026-01-31T12:00:00Z, an index generation, or a commit.",
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
      max: 200,
      placeholder: "N",
      description: "Maximum number of changes.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Use this namespace." },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc changes --since main",
      description: "Show what the work tree changed since branch main.",
    },
    { run: "svc changes --since 2026-01-31", description: "Show changes since a day." },
  ],
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    const project = await openProject(context, { path: args.path, namespace: flags.namespace });
    const namespace = await ensureUpToDate(context, project);
    const { since, path, monitor, limit } = flags;
    const request = { since, path, monitor, limit, namespace, waitMs: 0 };
    const result = await project.engine.changes({ ...request, principal: app.owner, signal });
    if (flags.json) printJson(io, changesRecord(result));
    else printChanges(io, result);
  },
});

function printChanges(io: Io, result: ChangesResult): void {
  const style = createStyle(io.color);
  reportReset(io, result);
  if (result.compared !== undefined) io.err(`${safeLine(result.compared)}\n`);
  for (const change of result.changes) io.out(`${changeLine(change, style)}\n`);
  if (result.changes.length === 0) io.err("Nothing changed.\n");
  if (result.hasMore) io.err(`There is more: svc changes --since ${result.nextCursor}\n`);
}

/** Reports that earlier changes are no longer known. */
export function reportReset(io: Io, { resetMs }: ChangesResult): void {
  if (resetMs === undefined) return;
  io.err(`Changes are known from ${new Date(resetMs).toISOString()} on; earlier ones are not.\n`);
}
