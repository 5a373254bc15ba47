import type { CommitProgress } from "../../engine/api/why.ts";
import { whyRecord } from "../../tools/monitoring/why-record.ts";
import { whyTexts } from "../../tools/monitoring/why-text.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { openProject } from "../open-project.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { createProgress } from "../print/progress.ts";
import { safeText } from "../print/safe-text.ts";
import { pathIn } from "../shell-paths.ts";

const NOTHING_FOUND = 1;
/** A person at a shell can stop waiting; a large history is read in some minutes. */
const WAIT_MS = 3_600_000;

export const command = defineCommand({
  description:
    "Shows why code is as it is: the commits that wrote a line or changed a definition, with their messages, patches and issues. Follows renames and moves between files. A question in words searches the messages and changed lines of all commits.",
  args: [
    {
      name: "question",
      required: true,
      suggests: "file",
      description: "PATH:12, PATH:10-40, NAME, PATH#NAME, PATH, or a question in words.",
    },
  ],
  flags: {
    as: {
      type: "string",
      choices: ["place", "words"],
      placeholder: "KIND",
      description:
        "Read the question as a place or definition, or as words; by default as words if it names neither.",
    },
    limit: {
      type: "integer",
      short: "n",
      default: 10,
      min: 1,
      max: 100,
      placeholder: "N",
      description: "Maximum number of commits.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Use this namespace." },
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc why src/base/log.ts:40", description: "Show which commit wrote a line, and why." },
    { run: "svc why Session.open", description: "Show the commits that changed a definition." },
    {
      run: 'svc why "when did we stop retrying uploads?"',
      description: "Find commits by their messages and changed lines.",
    },
  ],
  exitCodes: { 1: "No commit was found." },
  async run({ args: { question }, flags }, context) {
    const { app, io } = context;
    const { as: kind, limit } = flags;
    const path = kind === "words" || /\s/.test(question) ? undefined : pathIn(question);
    const project = await openProject(context, {
      path,
      isOfIndex: true,
      namespace: flags.namespace,
    });
    const progress = createProgress(io);
    const request = {
      question,
      kind,
      limit,
      waitMs: WAIT_MS,
      principal: app.owner,
      onProgress: ({ read, total }: CommitProgress) =>
        progress.update({ phase: "Reading commits", done: read, total }),
    };
    const result = await queryUpToDate(context, project, (where) =>
      project.engine.why({ ...request, ...where }),
    ).finally(progress.end);
    if (flags.json) printJson(io, whyRecord(result));
    else {
      await withPager(context, flags.pager, (paged) => {
        paged.io.out(`${whyTexts(result).map(safeText).join("\n\n")}\n`);
      });
    }
    return result.commits.length === 0 ? NOTHING_FOUND : 0;
  },
});
