import { SvcError } from "../../base/errors.ts";
import { hasQueryLength } from "../../base/query-length.ts";
import type { Passage, SearchResult } from "../../engine/api/search.ts";
import { correctionNote } from "../../tools/search/correction-note.ts";
import { searchRecord } from "../../tools/search/search-record.ts";
import type { Io } from "../io.ts";
import { openProject, type OpenedProject } from "../open-project.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import {
  defineCommand,
  INCLUDE_SECRETS_FLAG,
  JSON_FLAG,
  type CommandContext,
  MAX_TOKENS_FLAG,
} from "../command.ts";
import { argumentOrInput } from "../piped-argument.ts";
import { fitResults, linesIn, terminalRows } from "../print/fit-results.ts";
import { printJson } from "../print/json.ts";
import { linked } from "../print/link.ts";
import { safeText } from "../print/safe-text.ts";
import { createStyle, type Style } from "../print/style.ts";
import { COLOR_FLAG, resolveColor } from "../result-output.ts";

const NOTHING_FOUND = 1;
/** Maximum signals that `--explain` names. */
const MAX_EXPLAINED_SIGNALS = 10;
/** Of a window: for the prompt, and for notes. */
const RESERVED_ROWS = 2;
const EXAMPLE = 'svc search "where are tokens revoked"';
const FILE_KINDS = ["code", "docs", "tests", "config"] as const;

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
    namespace: { type: "string", placeholder: "NS", description: "Search this namespace." },
    limit: {
      type: "integer",
      short: "n",
      default: 10,
      min: 1,
      max: 50,
      placeholder: "N",
      description: "Maximum number of files, each with up to four passages.",
    },
    maxTokens: MAX_TOKENS_FLAG,
    language: { type: "string", placeholder: "LANG", description: "Only files in this language." },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    kind: {
      type: "list",
      choices: FILE_KINDS,
      placeholder: "KIND",
      description: "Only files of these kinds.",
    },
    explain: { type: "boolean", description: "Show how each score was computed." },
    full: {
      type: "boolean",
      description: "On a terminal, show the lines of every result, also beyond the window.",
    },
    includeSecrets: INCLUDE_SECRETS_FLAG,
    color: COLOR_FLAG,
    json: JSON_FLAG,
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
    const query = await readQuery(args.query, context);
    const project = await openProject(context, {
      path: args.path,
      namespace: flags.namespace,
      showsSecrets: flags.includeSecrets,
      positional: { command: "search", text: query },
    });
    const result = await queryUpToDate(context, project, (where) =>
      project.engine.search({
        query,
        allowsShortQuery: true,
        limit: flags.limit,
        maxTokens: flags.maxTokens,
        language: flags.language,
        path: flags.path,
        kinds: flags.kind,
        principal: app.owner,
        ...where,
      }),
    );
    if (flags.json) printJson(io, searchRecord(query, result));
    else printPassages(context, result, { ...flags, fileOf: project.fileOf });
    return result.passages.length === 0 ? NOTHING_FOUND : 0;
  },
});

/** A person may ask for `db`, although programs must send three characters. */
async function readQuery(value: string | undefined, context: CommandContext): Promise<string> {
  const query = await argumentOrInput({ name: "QUERY", value, example: EXAMPLE }, context);
  // Checked here, because indexing the project first may take long.
  if (hasQueryLength(query, 1)) return query;
  throw new SvcError("INVALID_QUERY", "query: must be up to 10,000 characters long.");
}

interface PrintOptions extends Pick<OpenedProject, "fileOf"> {
  readonly explain: boolean;
  /** Whether to show everything on a terminal, too. */
  readonly full: boolean;
  readonly color: "auto" | "always" | "never" | undefined;
}

function printPassages(
  { io }: CommandContext,
  result: SearchResult,
  { explain, full, color, fileOf }: PrintOptions,
): void {
  const { passages, namespace, isWeak } = result;
  const note = correctionNote(result);
  if (note !== "") io.err(`${note}\n`);
  if (passages.length === 0) {
    io.err(`No results in "${namespace}". Try other words or fewer filters.\n`);
    return;
  }
  if (isWeak) io.err("No good match; nearest results:\n");
  const style = createStyle(resolveColor(io, color));
  const results = passages.map((passage) => ({
    heads: [
      locationOf(passage, { io, style, fileOf }),
      ...(explain ? [style.dim(`  ${explanation(passage)}`)] : []),
    ],
    lines: passage.text === "" ? [] : indented(safeText(passage.text)).split("\n"),
  }));
  const fitted =
    io.isTerminal && !full
      ? fitResults(
          results.map(({ heads, lines }) => ({
            head: terminalRows(heads, io.columns),
            text: terminalRows(lines, io.columns),
          })),
          io.rows - RESERVED_ROWS - Number(note !== "") - Number(isWeak),
        )
      : undefined;
  for (const [at, { heads, lines }] of results.slice(0, fitted?.text.length).entries()) {
    const rows = fitted?.text[at];
    const shown = rows === undefined ? lines : linesIn(lines, rows, io.columns);
    io.out([...heads, ...shown].map((line) => `${line}\n`).join(""));
  }
  if (fitted?.isComplete === false) io.err(style.dim("--full shows every line.\n"));
}

function locationOf(
  { path, startLine, endLine, symbol, changed }: Passage,
  { io, style, fileOf }: Pick<PrintOptions, "fileOf"> & { readonly io: Io; readonly style: Style },
): string {
  const lines = style.green(`${startLine}-${endLine}`);
  const name = symbol === "" ? "" : `  ${style.bold(safeText(symbol))}`;
  const state = changed ? style.yellow("  changed since indexing") : "";
  const location = `${style.magenta(safeText(path))}:${lines}`;
  return `${linked(io, location, fileOf(path))}${name}${state}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** The signals with the largest absolute values, largest first, and the sum of the others. */
function explanation({ score, signals }: Passage): string {
  const all = Object.entries(signals).toSorted(
    ([, one], [, other]) => Math.abs(other) - Math.abs(one),
  );
  const parts = all
    .slice(0, MAX_EXPLAINED_SIGNALS)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`);
  const others = all.slice(MAX_EXPLAINED_SIGNALS);
  if (others.length > 0) {
    const sum = others.reduce((total, [, value]) => total + value, 0);
    parts.push(`${others.length} others ${sum.toFixed(2)}`);
  }
  return `score ${score.toFixed(2)} = ${parts.join(", ")}`;
}
