import { changeRecord } from "../../tools/monitoring/change-record.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { defineCommand } from "../command.ts";
import { keepNotesCurrent } from "../keep-notes-current.ts";
import { openProject } from "../open-project.ts";
import { changeLine } from "../print/change.ts";
import { safeJson } from "../print/json.ts";
import { createStyle } from "../print/style.ts";
import { reportReset } from "./changes.ts";

/** How long one request waits for changes. */
const WAIT_MS = 20_000;
const LIMIT = 200;

export const command = defineCommand({
  description:
    "Prints changes as they happen, one per line, until interrupted: files, and the symbols in them that were added, removed, renamed or changed.",
  args: [
    {
      name: "path",
      suggests: "file",
      description: "File or folder to watch (default: the project around the working directory).",
    },
  ],
  flags: {
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    monitor: { type: "string", placeholder: "NAME", description: "Only matches of this monitor." },
    namespace: { type: "string", placeholder: "NS", description: "Watch this namespace." },
    json: { type: "boolean", description: "Print each change as one line of JSON." },
  },
  examples: [
    { run: "svc watch", description: "Print changes in this project." },
    { run: "svc watch --json --path 'src/**'", description: "Print changes below src as JSON." },
  ],
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    const project = await openProject(context, { path: args.path, namespace: flags.namespace });
    const namespace = await ensureUpToDate(context, project);
    const { path, monitor, json } = flags;
    const request = { path, monitor, namespace, principal: app.owner, signal };
    let { nextCursor: since } = await project.engine.changes({ ...request, limit: 1, waitMs: 0 });
    io.err(`Watching "${namespace}".\n`);
    keepNotesCurrent(project.engine, { namespace, principal: app.owner, signal });
    const style = createStyle(io.color);
    while (!signal.aborted) {
      // eslint-disable-next-line no-await-in-loop -- one wait after the other
      const result = await project.engine.changes({
        ...request,
        since,
        limit: LIMIT,
        waitMs: WAIT_MS,
      });
      reportReset(io, result);
      for (const change of result.changes) {
        io.out(
          `${json ? safeJson(JSON.stringify(changeRecord(change))) : changeLine(change, style)}\n`,
        );
      }
      since = result.nextCursor;
    }
  },
});
