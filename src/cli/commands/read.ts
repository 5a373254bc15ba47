import { ERRORS, SvcError } from "../../base/errors.ts";
import { placeOf } from "../../tools/place-of.ts";
import type { ReadPart, ReadResult } from "../../engine/api/read.ts";
import { outdatedRecord } from "../../tools/outdated-note.ts";
import { readTexts } from "../../tools/analysis/read-context.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, INCLUDE_SECRETS_FLAG, JSON_FLAG } from "../command.ts";
import {
  commitsBehind,
  commitsBehindRecord,
  commitsBehindText,
  MAX_COMMITS_BEHIND,
  type CommitsBehind,
} from "../commits-behind.ts";
import { withCommands } from "../commands-of-tools.ts";
import { openProject } from "../open-project.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { pathIn } from "../shell-paths.ts";

export const command = defineCommand({
  description:
    "Prints the source of places: whole files, lines, definitions, or sections of a document. Each part begins with its location. On a terminal, lines have numbers. svc reports places that it cannot read on standard error, and prints the others.",
  args: [
    {
      name: "targets",
      required: true,
      variadic: true,
      suggests: "file",
      description: "PATH, PATH:10-40, NAME, PATH#NAME, PATH#HEADING, or a place: manual.pdf:p12.",
    },
  ],
  flags: {
    lineNumbers: {
      type: "boolean",
      short: "N",
      description: "Print line numbers even if the output is not a terminal.",
    },
    maxTokens: {
      type: "integer",
      default: 20_000,
      min: 100,
      max: 20_000,
      placeholder: "N",
      description: "Maximum size of the answer in tokens.",
    },
    at: AT_FLAG,
    why: {
      type: "boolean",
      description:
        "Also print the commits that wrote the lines, one line each. Cannot be used with --at.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Use this namespace." },
    includeSecrets: INCLUDE_SECRETS_FLAG,
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc read Session.open", description: "Print the source of a method." },
    {
      run: "svc read Session.open --at main~20",
      description: "Print the source of a method as it was 20 commits ago.",
    },
    {
      run: "svc read src/main.ts:10-40 --why",
      description: "Print lines, and the commits that wrote them.",
    },
    {
      run: "svc read src/main.ts:10-40 README.md#install",
      description: "Print some lines of a file, and a section of a document.",
    },
  ],
  exitCodes: { 1: "A name was not found." },
  async run({ args: { targets }, flags }, context) {
    const { app, io } = context;
    const { maxTokens, at, why } = flags;
    if (why && at !== undefined) {
      throw new SvcError("USAGE", "--why and --at cannot be used together.", {
        hint: "`svc why` and `svc read --why` explain the work tree.",
      });
    }
    const project = await openProject(context, {
      path: pathIn(targets[0]),
      isOfIndex: true,
      namespace: flags.namespace,
      showsSecrets: flags.includeSecrets,
    });
    const result = await queryUpToDate(context, project, (where) =>
      project.engine.read({ targets, maxTokens, at, principal: app.owner, ...where }),
    );
    const request = { kind: "place", limit: MAX_COMMITS_BEHIND, waitMs: 0 } as const;
    const behind = await commitsBehind(why ? result.parts : [], (question) =>
      queryUpToDate(context, project, (where) =>
        project.engine.why({ ...request, question, principal: app.owner, ...where }),
      ),
    );
    const { parts, problems } = result;
    const code = problems[0] === undefined ? undefined : ERRORS[problems[0].code].exit;
    if (flags.json) {
      printJson(io, jsonOf(result, behind));
      return code;
    }
    // Without a part, `readTexts` throws the problem.
    const shown = parts.length === 0 ? result : { ...result, problems: [] };
    const lineNumbers = flags.lineNumbers || io.isTerminal;
    const limitName = "--max-tokens";
    await withPager(context, flags.pager, (paged) => {
      for (const text of readTexts(shown, { tokens: maxTokens, lineNumbers, limitName }))
        paged.io.out(`${safeText(text)}\n`);
      for (const part of behind) paged.io.out(`${safeText(commitsBehindText(part))}\n`);
    });
    for (const { detail } of problems) io.err(`svc: ${safeText(withCommands(detail))}\n`);
    return code;
  },
});

/** `behind`: of each part, or empty. */
function jsonOf(
  { namespace, parts, problems }: ReadResult,
  behind: readonly CommitsBehind[],
): unknown {
  const whys = behind.map((part) => ({ why: commitsBehindRecord(part) }));
  return {
    namespace,
    parts: parts.map((part, at) => ({ ...recordOf(part), ...whys[at] })),
    problems: problems.map(({ target, code, detail }) => ({ target, code, detail })),
  };
}

function recordOf(part: ReadPart): Readonly<Record<string, unknown>> {
  const { target, path, startLine, endLine, totalLines, symbol, lines, changed } = part;
  return {
    target,
    path,
    start_line: startLine,
    end_line: endLine,
    ...placeOf(part),
    total_lines: totalLines,
    symbol,
    text: lines.join("\n"),
    changed,
    ...outdatedRecord(part),
    ...(part.truncatedAt === undefined ? {} : { truncated_at: part.truncatedAt }),
  };
}
