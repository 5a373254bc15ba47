import { placeOf } from "../../tools/place-of.ts";
import type { Engine } from "../../engine/api/engine.ts";
import type {
  TextMatch,
  TextSearchRequest,
  TextSearchResult,
} from "../../engine/api/search-text.ts";
import { namespaceMark } from "../../tools/search/namespace-mark.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, INCLUDE_SECRETS_FLAG, JSON_FLAG } from "../command.ts";
import { emptyIndexHint } from "../empty-index.ts";
import { GREP_FLAG_HINTS } from "../flag-hints.ts";
import type { Io } from "../io.ts";
import { openProject, type OpenedProject } from "../open-project.ts";
import { itemPrinter, JSON_LINES_FLAG, requireOneFormat } from "../output-flags.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { linked } from "../print/link.ts";
import { safeLine } from "../print/safe-text.ts";
import { groupLines, type LineGroup } from "../print/line-groups.ts";
import { createStyle, type Style } from "../print/style.ts";
import { formatFlag, type TemplateFields } from "../print/template.ts";
import { COLOR_FLAG, resolveColor } from "../result-output.ts";
import { SCOPE_FLAGS, searchScope } from "../search-scope.ts";

const NOTHING_FOUND = 1;
/** Results of one request; they are printed before the next request. */
const PAGE_SIZE = 500;
const PARTIAL =
  "The time limit was reached before svc had searched all files; narrow the search with --path.\n";

type FileMatches = TextSearchResult["files"][number];

function fieldsOf({ fileOf }: Pick<OpenedProject, "fileOf">): TemplateFields<TextMatch> {
  return {
    namespace: ({ namespace = "" }) => namespace,
    path: ({ path }) => path,
    file: ({ path }) => fileOf(path) ?? path,
    line: ({ line }) => line,
    column: ({ column = 1 }) => column,
    symbol: ({ symbol }) => symbol,
    text: (match) => safeLine(textOf(match)),
  };
}

export const command = defineCommand({
  description:
    "Prints every line that matches a regular expression. RE2 syntax; every pattern runs in linear time. The index selects the files that can match, and the lines come from the current files. Searches PATH, or the project around the working directory, and indexes it first if necessary.\n\nOn a terminal, lines are grouped by file, with the definition around each match. Otherwise each line is PATH:LINE:TEXT. Lines are cut after 300 characters.",
  args: [
    { name: "pattern", required: true, description: "Regular expression (RE2 syntax)." },
    {
      name: "path",
      suggests: "file",
      description: "File or folder to search (default: the project around the working directory).",
    },
  ],
  flags: {
    fixedStrings: {
      type: "boolean",
      short: "F",
      description: "Treat PATTERN as a literal string.",
    },
    ignoreCase: { type: "boolean", short: "i", description: "Ignore case." },
    word: { type: "boolean", short: "w", description: "Match whole words only." },
    filesWithMatches: {
      type: "boolean",
      short: "l",
      description: "Print only the paths of files with matches.",
    },
    count: {
      type: "boolean",
      short: "c",
      description: "Print only the number of matching lines of each file.",
    },
    null: {
      type: "boolean",
      short: "0",
      description: "End each path with a zero byte, for `xargs -0`.",
    },
    context: {
      type: "integer",
      short: "C",
      default: 0,
      min: 0,
      max: 20,
      placeholder: "N",
      description: "Show N lines before and after each match.",
    },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    language: { type: "string", placeholder: "LANG", description: "Only files in this language." },
    limit: {
      type: "integer",
      short: "n",
      min: 1,
      placeholder: "N",
      description: "Maximum number of lines, or of files with -l and -c; all by default.",
    },
    at: AT_FLAG,
    ...SCOPE_FLAGS,
    includeSecrets: INCLUDE_SECRETS_FLAG,
    color: COLOR_FLAG,
    pager: PAGER_FLAG,
    format: formatFlag(Object.keys(fieldsOf({ fileOf: () => undefined }))),
    json: JSON_FLAG,
    jsonl: JSON_LINES_FLAG,
  },
  examples: [
    { run: 'svc grep "TODO|FIXME"', description: "Find lines with either word." },
    { run: "svc grep -F -w open --language go", description: "Find the word `open` in Go files." },
    { run: "svc grep -w parseConfig --at v1.0", description: "Search the files of a tag." },
    { run: "svc grep -l 'import .*undici'", description: "List the files that import undici." },
  ],
  exitCodes: { 1: "Nothing was found." },
  flagHints: GREP_FLAG_HINTS,
  async run({ args, flags }, context) {
    const { app, io } = context;
    const { json, jsonl, format, filesWithMatches, count } = flags;
    requireOneFormat({ json, jsonl, format });
    const project = await openProject(context, {
      path: args.path,
      namespace: searchScope(flags, args.path),
      withDependencies: flags.dependencies,
      showsSecrets: flags.includeSecrets,
      positional: { command: "grep", text: args.pattern },
    });
    const areFiles = filesWithMatches || count;
    const printPage = pagePrinter(io, flags, { areFiles, fileOf: project.fileOf });
    const namespace = await ensureUpToDate(context, project);
    const { path, language, at } = flags;
    const request = {
      pattern: args.pattern,
      isRegex: !flags.fixedStrings,
      caseSensitive: !flags.ignoreCase,
      wholeWord: flags.word,
      contextLines: flags.context,
      output: areFiles ? ("files" as const) : ("matches" as const),
      showsColumns: format?.includes("{column}") === true,
      path,
      language,
      at,
      namespace,
      principal: app.owner,
    };
    const pages = (signal: AbortSignal): AsyncGenerator<TextSearchResult> =>
      pagesOf(project.engine, { ...request, signal }, flags.limit);
    let isEmpty: boolean | undefined;
    if (json) isEmpty = await printRecord(io, pages(context.signal));
    else if (printPage !== undefined)
      isEmpty = await printItems(io, pages(context.signal), printPage);
    else {
      const style = createStyle(resolveColor(io, flags.color));
      const options = { ...flags, style, fileOf: project.fileOf };
      isEmpty = await withPager(context, flags.pager && !flags.null, (paged) =>
        printPages(paged.io, pages(paged.signal), options),
      );
    }
    if (isEmpty !== true) return 0;
    const empty =
      at === undefined ? await emptyIndexHint(context, project.engine, namespace) : undefined;
    if (empty !== undefined) io.err(`No line matches. ${empty}\n`);
    return NOTHING_FOUND;
  },
});

/** Yields pages until there are no more or the limit is reached. */
async function* pagesOf(
  engine: Engine,
  request: Omit<TextSearchRequest, "limit" | "cursor">,
  limit = Infinity,
): AsyncGenerator<TextSearchResult> {
  let left = limit;
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const page = await engine.searchText({ ...request, limit: Math.min(left, PAGE_SIZE), cursor });
    yield page;
    left -= page.matches.length + page.files.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && left > 0);
}

interface PrintOptions extends Pick<OpenedProject, "fileOf"> {
  readonly count: boolean;
  /** Whether a zero byte ends each path. */
  readonly null: boolean;
  readonly context: number;
  readonly style: Style;
}

/** Prints each page as it comes; true if nothing was found. */
async function printPages(
  io: Io,
  pages: AsyncIterable<TextSearchResult>,
  options: PrintOptions,
): Promise<boolean> {
  const { style, fileOf } = options;
  let isEmpty = true;
  let last: LineGroup | undefined;
  for await (const { matches, files, missing = [], ...page } of pages) {
    if (isEmpty) for (const sentence of missing) io.err(`${sentence}\n`);
    for (const { path, matches: lines } of files) {
      const count = `${options.null ? "\0" : ":"}${style.green(String(lines))}\n`;
      const end = options.count ? count : options.null ? "\0" : "\n";
      io.out(`${linked(io, style.magenta(safeLine(path)), fileOf(path))}${end}`);
    }
    for (const hunk of groupLines(matches)) {
      if (io.isTerminal && !options.null) io.out(underHeading(hunk, last, { ...options, io }));
      else io.out(inLines(hunk, options.context > 0 && last !== undefined, options));
      last = hunk;
    }
    isEmpty &&= matches.length + files.length === 0;
    for (const note of notesOf(page)) io.err(note);
    // A pager reads only what its user wants to see.
    await io.flush();
  }
  return isEmpty;
}

function notesOf({
  isPartial,
  hint,
}: Pick<TextSearchResult, "isPartial" | "hint">): readonly string[] {
  return [...(isPartial ? [PARTIAL] : []), ...(hint === undefined ? [] : [`${safeLine(hint)}\n`])];
}

/** The format for a terminal: the path once, then the lines. */
function underHeading(
  hunk: LineGroup,
  last: LineGroup | undefined,
  { style, fileOf, io }: Pick<PrintOptions, "style" | "fileOf"> & { readonly io: Io },
): string {
  const { path, lines } = hunk;
  const isSameFile = path === last?.path && hunk.namespace === last.namespace;
  const shownPath = linked(io, style.magenta(safeLine(path)), fileOf(path));
  const mark = namespaceMark(hunk);
  const heading = isSameFile ? "" : `${shownPath}${mark === "" ? "" : style.dim(mark)}\n`;
  const gap = last === undefined || (isSameFile && !hasContext(last)) ? "" : "\n";
  const shown = lines.map(({ line, text, isMatch, symbol }) => {
    const name = symbol === "" ? "" : `  ${style.dim(`[${safeLine(symbol)}]`)}`;
    return `${style.green(String(line))}${isMatch ? ":" : "-"}${safeLine(text)}${name}\n`;
  });
  return gap + heading + shown.join("");
}

function hasContext({ lines }: LineGroup): boolean {
  return lines.some(({ isMatch }) => !isMatch);
}

/** The format for programs: PATH:LINE:TEXT, with `--` between groups as in grep. */
function inLines(
  { path, lines }: LineGroup,
  isNewGroup: boolean,
  options: Pick<PrintOptions, "style" | "null">,
): string {
  const { style } = options;
  const file = style.magenta(safeLine(path));
  const shown = lines.map(({ line, text, isMatch }) => {
    const mark = isMatch ? ":" : "-";
    const end = options.null ? "\0" : mark;
    return `${file}${end}${style.green(String(line))}${mark}${safeLine(text)}\n`;
  });
  return `${isNewGroup ? "--\n" : ""}${shown.join("")}`;
}

/** Prints all pages as one JSON record; true if nothing was found. */
async function printRecord(io: Io, pages: AsyncIterable<TextSearchResult>): Promise<boolean> {
  const matches: unknown[] = [];
  const files: unknown[] = [];
  let last: TextSearchResult | undefined;
  for await (const page of pages) {
    matches.push(...page.matches.map(recordOf));
    files.push(...page.files);
    last = page;
  }
  printJson(io, {
    namespace: last?.namespace,
    generation: last?.generation,
    matches,
    files,
    total_matches: last?.totalMatches,
    total_files: last?.totalFiles,
    complete: last?.isComplete,
  });
  return matches.length + files.length === 0;
}

/** Returns how `--jsonl` or `--format` prints a page: its matches, or its files with -l and -c. */
function pagePrinter(
  io: Io,
  flags: { readonly jsonl: boolean; readonly format: string | undefined },
  { areFiles, fileOf }: Pick<OpenedProject, "fileOf"> & { readonly areFiles: boolean },
): ((page: TextSearchResult) => void) | undefined {
  if (areFiles) {
    const print = itemPrinter<FileMatches>(io, flags, {
      fields: {
        namespace: ({ namespace = "" }) => namespace,
        path: ({ path }) => path,
        file: ({ path }) => fileOf(path) ?? path,
        matches: ({ matches }) => matches,
      },
      recordOf: (file) => file,
    });
    return print && (({ files }) => files.forEach(print));
  }
  const print = itemPrinter(io, flags, { fields: fieldsOf({ fileOf }), recordOf });
  return print && (({ matches }) => matches.forEach(print));
}

/** Prints each page as it comes; true if nothing was found. */
async function printItems(
  io: Io,
  pages: AsyncIterable<TextSearchResult>,
  printPage: (page: TextSearchResult) => void,
): Promise<boolean> {
  let isEmpty = true;
  for await (const page of pages) {
    if (isEmpty) for (const sentence of page.missing ?? []) io.err(`${sentence}\n`);
    printPage(page);
    isEmpty &&= page.matches.length + page.files.length === 0;
    if (page.isPartial) io.err(PARTIAL);
  }
  return isEmpty;
}

function textOf({ line, lines }: TextMatch): string {
  return lines.find((one) => one.line === line)?.text ?? "";
}

function recordOf(match: TextMatch): unknown {
  const { namespace, path, line, symbol, lines } = match;
  const text = textOf(match);
  const around = lines.map((one) => ({ line: one.line, text: one.text }));
  const own = namespace === undefined ? {} : { namespace };
  return {
    ...own,
    path,
    line,
    ...placeOf(match),
    symbol,
    text,
    ...(lines.length > 1 ? { lines: around } : {}),
  };
}
