import { SvcError } from "../../base/errors.ts";
import { hasQueryLength } from "../../base/query-length.ts";
import type { Passage, SearchResult } from "../../engine/api/search.ts";
import { passageRecord, searchRecord } from "../../tools/search/search-record.ts";
import { emptyIndexHint } from "../empty-index.ts";
import { openProject, type OpenedProject } from "../open-project.ts";
import { itemPrinter, JSON_LINES_FLAG, requireOneFormat } from "../output-flags.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import {
  AT_FLAG,
  defineCommand,
  INCLUDE_SECRETS_FLAG,
  JSON_FLAG,
  type CommandContext,
  MAX_TOKENS_FLAG,
} from "../command.ts";
import { argumentOrInput } from "../piped-argument.ts";
import { relevanceOf } from "../print/explanation.ts";
import { printJson } from "../print/json.ts";
import { linked } from "../print/link.ts";
import { printNotes, printPassages } from "../print/passages.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { formatFlag, type TemplateFields } from "../print/template.ts";
import { COLOR_FLAG, resolveColor } from "../result-output.ts";
import { SCOPE_FLAGS, searchScope } from "../search-scope.ts";

const NOTHING_FOUND = 1;
const EXAMPLE = 'svc search "where are tokens revoked"';
const FILE_KINDS = ["code", "docs", "tests", "config"] as const;

function fieldsOf({ fileOf }: Pick<OpenedProject, "fileOf">): TemplateFields<Passage> {
  return {
    namespace: ({ namespace = "" }) => namespace,
    path: ({ path }) => path,
    file: ({ path }) => fileOf(path) ?? path,
    line: ({ startLine }) => startLine,
    // A passage begins with its line.
    column: () => 1,
    end_line: ({ endLine }) => endLine,
    symbol: ({ symbol }) => symbol,
    kind: ({ kind }) => kind,
    language: ({ language }) => language,
    relevance: relevanceOf,
    score: ({ score }) => score,
    text: ({ text }) => safeLine(text.split("\n").find((line) => /\w/.test(line)) ?? "").trim(),
    lines: ({ text }) => text,
  };
}

export const command = defineCommand({
  description:
    "Finds the passages that best match a query: a question, words, a symbol, an error message or code. Searches PATH, or the project around the working directory, and indexes it first if necessary.\n\nOn a terminal, the results fit the window: the best have their lines, the others one line each.",
  args: [
    {
      name: "query",
      description: "Query of up to 10,000 characters; - or nothing reads it from standard input.",
    },
    {
      name: "path",
      suggests: "file",
      description: "File or folder to search (default: the project around the working directory).",
    },
  ],
  flags: {
    limit: {
      type: "integer",
      short: "n",
      default: 10,
      min: 1,
      max: 50,
      placeholder: "N",
      description: "Maximum number of files, each with up to four passages.",
    },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    language: { type: "string", placeholder: "LANG", description: "Only files in this language." },
    kind: {
      type: "list",
      choices: FILE_KINDS,
      placeholder: "KIND",
      description: "Only files of these kinds.",
    },
    ...SCOPE_FLAGS,
    at: AT_FLAG,
    allCopies: {
      type: "boolean",
      description: "Show copies and translations as separate results.",
    },
    explain: {
      type: "boolean",
      description: "Explain why each result matched; with --json, show the parts of its score.",
    },
    interactive: {
      type: "boolean",
      short: "i",
      description: "Search while you type, with a preview. Enter opens a result in your editor.",
    },
    full: {
      type: "boolean",
      description:
        "On a terminal, show the lines of every result, even if they do not fit the window.",
    },
    filesWithMatches: {
      type: "boolean",
      short: "l",
      description: "Print only the paths of the files, best first.",
    },
    null: {
      type: "boolean",
      short: "0",
      description: "End each path with a zero byte, for `xargs -0`.",
    },
    maxTokens: MAX_TOKENS_FLAG,
    includeSecrets: INCLUDE_SECRETS_FLAG,
    color: COLOR_FLAG,
    pager: PAGER_FLAG,
    format: formatFlag(Object.keys(fieldsOf({ fileOf: () => undefined }))),
    json: JSON_FLAG,
    jsonl: JSON_LINES_FLAG,
  },
  examples: [
    {
      run: EXAMPLE,
      description: "Find passages that answer a question.",
    },
    { run: "svc search parseConfig --kind code", description: "Find a definition and its users." },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args, flags }, context) {
    const { app, io } = context;
    const { json, jsonl, format, filesWithMatches, explain } = flags;
    requireOneFormat({ json, jsonl, format, filesWithMatches });
    if (flags.interactive) {
      requireNotInteractive(flags);
      const { runInteractive } = await import("../interactive/run-interactive.ts");
      const namespace = searchScope(flags, args.path);
      return runInteractive({ ...flags, namespace, query: args.query, folder: args.path }, context);
    }
    const query = await readQuery(args.query, context);
    const project = await openProject(context, {
      path: args.path,
      namespace: searchScope(flags, args.path),
      withDependencies: flags.dependencies,
      showsSecrets: flags.includeSecrets,
      positional: { command: "search", text: query },
    });
    const recordOf = explain ? explainedRecord : passageRecord;
    const printItem = itemPrinter(io, flags, { fields: fieldsOf(project), recordOf });
    const answer = await queryUpToDate(
      context,
      project,
      (where) =>
        project.engine.search({
          query,
          allowsShortQuery: true,
          limit: flags.limit,
          maxTokens: flags.maxTokens,
          language: flags.language,
          path: flags.path,
          kinds: flags.kind,
          allCopies: flags.allCopies,
          principal: app.owner,
          ...where,
        }),
      flags.at,
    );
    const { passages } = answer;
    const isNothing = passages.length === 0 && flags.at === undefined;
    const empty = isNothing
      ? await emptyIndexHint(context, project.engine, answer.namespace)
      : undefined;
    const result = empty === undefined ? answer : { ...answer, hint: empty };
    if (json) printJson(io, { ...searchRecord(query, result), results: passages.map(recordOf) });
    else if (printItem !== undefined) {
      if (!jsonl) printNotes(io, result, flags.at);
      passages.forEach(printItem);
    } else {
      const style = createStyle(resolveColor(io, flags.color));
      const options = { ...flags, style, fileOf: project.fileOf };
      await withPager(context, flags.pager && !flags.null, (paged) => {
        if (filesWithMatches) {
          printNotes(paged.io, result, flags.at);
          printPaths(paged.io, result, options);
        } else printPassages(paged.io, result, options);
      });
    }
    return passages.length === 0 ? NOTHING_FOUND : 0;
  },
});

/** Throws USAGE for flags that a search with `-i` does not take. */
function requireNotInteractive({
  at,
  dependencies,
}: {
  readonly at: string | undefined;
  readonly dependencies: boolean;
}): void {
  const hint = "Omit one of them.";
  if (at !== undefined)
    throw new SvcError("USAGE", "-i shows the current files and cannot be used with --at.", {
      hint,
    });
  if (dependencies) throw new SvcError("USAGE", "-i takes no --dependencies.", { hint });
}

/** A person may ask for `db`, although programs must send three characters. */
async function readQuery(value: string | undefined, context: CommandContext): Promise<string> {
  const query = await argumentOrInput({ name: "QUERY", value, example: EXAMPLE }, context);
  // Checked here, because indexing the project first may take long.
  if (hasQueryLength(query, 1)) return query;
  throw new SvcError("INVALID_QUERY", "query: must be up to 10,000 characters long.");
}

interface PathOptions extends Pick<OpenedProject, "fileOf"> {
  readonly null: boolean;
  readonly style: ReturnType<typeof createStyle>;
}

/** Prints each path once. */
function printPaths(
  io: CommandContext["io"],
  { passages }: SearchResult,
  { null: isNull, style, fileOf }: PathOptions,
): void {
  for (const path of new Set(passages.map((passage) => passage.path))) {
    const end = isNull ? "\0" : "\n";
    io.out(`${linked(io, style.magenta(safeLine(path)), fileOf(path))}${end}`);
  }
}

/** The record of a result with the parts of its score. */
function explainedRecord(passage: Passage): object {
  const { signals, matches } = passage;
  const { words, inNames, inText, inPath } = matches;
  const explained = { words, in_names: inNames, in_text: inText, in_path: inPath };
  return {
    ...passageRecord(passage),
    relevance: relevanceOf(passage),
    signals,
    matches: explained,
  };
}
