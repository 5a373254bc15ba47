import type { RelatedGroup, RelatedResult } from "../../engine/api/related.ts";
import { FILE_RELATIONS, relatedTexts } from "../../tools/analysis/find-related.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { openProject } from "../open-project.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { pathIn } from "../shell-paths.ts";

const NOTHING_FOUND = 1;

export const command = defineCommand({
  description:
    "Shows what is related to a file, some of its lines, or a definition: similar code, its tests, the documentation that names it, and the files that change together with it in the git history.",
  args: [
    { name: "target", required: true, suggests: "file", description: "PATH, PATH:10-40 or NAME." },
  ],
  flags: {
    relation: {
      type: "string",
      short: "r",
      choices: FILE_RELATIONS,
      placeholder: "KIND",
      description: "Only this kind.",
    },
    limit: {
      type: "integer",
      short: "n",
      default: 10,
      min: 1,
      max: 50,
      placeholder: "N",
      description: "Maximum number of results.",
    },
    at: AT_FLAG,
    namespace: { type: "string", placeholder: "NS", description: "Search this namespace." },
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc related src/base/log.ts", description: "Show what is related to a file." },
    { run: "svc related Session.open -r tests", description: "Find the tests of a method." },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args: { target }, flags }, context) {
    const { app, io } = context;
    const project = await openProject(context, {
      path: pathIn(target),
      isOfIndex: true,
      namespace: flags.namespace,
    });
    const { relation, limit } = flags;
    const result = await queryUpToDate(
      context,
      project,
      (where) =>
        project.engine.related({ target, relation, limit, principal: app.owner, ...where }),
      flags.at,
    );
    if (flags.json) printJson(io, jsonOf(result));
    else {
      await withPager(context, flags.pager, (paged) => {
        for (const text of relatedTexts(result)) paged.io.out(`${safeText(text)}\n`);
      });
    }
    return result.groups.every(({ items }) => items.length === 0) ? NOTHING_FOUND : 0;
  },
});

function jsonOf(result: RelatedResult): unknown {
  const { namespace, generation, path, startLine, endLine, symbol, groups } = result;
  const target = { path, start_line: startLine, end_line: endLine, symbol };
  return { namespace, generation, target, groups: groups.map(recordOf) };
}

function recordOf({ relation, items, problem }: RelatedGroup): unknown {
  return {
    relation,
    items: items.map((item) => ({
      path: item.path,
      ...(item.startLine === 0 ? {} : { start_line: item.startLine, end_line: item.endLine }),
      symbol: item.symbol,
      why: item.why,
    })),
    ...(problem === undefined ? {} : { problem }),
  };
}
