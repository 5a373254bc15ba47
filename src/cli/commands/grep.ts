import type {
  Engine,
  TextSearchResult,
  TextMatch,
  TextSearchRequest,
} from "../../engine/engine.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, INCLUDE_SECRETS_FLAG, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { printJson } from "../print/json.ts";
import { linked } from "../print/link.ts";
import { safeLine } from "../print/safe-text.ts";
import { groupLines, type LineGroup } from "../print/line-groups.ts";
import { createStyle, type Style } from "../print/style.ts";
import { COLOR_FLAG, fileFinder, resolveColor } from "../result-output.ts";

const NOTHING_FOUND = 1;
/** Asked for at once; printed before the next are looked for. */
const PAGE_SIZE = 500;

export const command = defineCommand({
  description:
    "Lists every line that matches a regular expression (RE2 syntax, so that no pattern takes for ever), read from the files as they are now. The index tells which files can match. Looks in PATH, else in the project around the working directory, which is indexed first if it is not yet.\n\nOn a terminal lines stand below their files, with the definition around them; elsewhere each is PATH:LINE:TEXT, as other programs expect it. Lines are cut after 300 characters.",
  args: [
    { name: "pattern", required: true, description: "A regular expression." },
    { name: "path", suggests: "folder", description: "Folder to look in." },
  ],
  flags: {
    fixedStrings: { type: "boolean", short: "F", description: "Take the pattern as it stands." },
    ignoreCase: { type: "boolean", short: "i", description: "Do not tell A from a." },
    word: { type: "boolean", short: "w", description: "Only where no word goes on around it." },
    files: { type: "boolean", short: "l", description: "List the files only." },
    count: { type: "boolean", short: "c", description: "Count the lines of each file." },
    context: {
      type: "integer",
      short: "C",
      default: 0,
      min: 0,
      max: 20,
      placeholder: "N",
      description: "Show lines around each.",
    },
    path: { type: "string", placeholder: "GLOB", description: "Only files whose path fits." },
    language: { type: "string", placeholder: "LANG", description: "Only files in this language." },
    limit: {
      type: "integer",
      short: "n",
      min: 1,
      placeholder: "N",
      description: "Lines, or files, at most; all by default.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Look in this namespace." },
    includeSecrets: INCLUDE_SECRETS_FLAG,
    color: COLOR_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: 'svc grep "TODO|FIXME"', description: "Every line that has one of the two." },
    { run: "svc grep -F -w open --language go", description: "The word `open` in files of Go." },
    { run: "svc grep -l 'import .*undici'", description: "The files that import it." },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    const engine = await app.engine({
      root: args.path,
      namespace: flags.namespace,
      showsSecrets: flags.includeSecrets,
    });
    const namespace = await ensureUpToDate(context, engine, {
      path: args.path,
      namespace: flags.namespace,
      positional: { command: "grep", text: args.pattern },
    });
    const { path, language } = flags;
    const request = {
      pattern: args.pattern,
      isRegex: !flags.fixedStrings,
      caseSensitive: !flags.ignoreCase,
      wholeWord: flags.word,
      contextLines: flags.context,
      output: flags.files || flags.count ? ("files" as const) : ("matches" as const),
      path,
      language,
      namespace,
      principal: app.owner,
      signal,
    };
    const pages = pagesOf(engine, request, flags.limit);
    const isEmpty = flags.json
      ? await printRecord(io, pages)
      : await printPages(io, pages, {
          ...flags,
          style: createStyle(resolveColor(io, flags.color)),
          fileOf: fileFinder(app, io, namespace),
        });
    return isEmpty ? NOTHING_FOUND : 0;
  },
});

/** Page after page, until there are no more or as many as were wanted. */
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

interface PrintOptions {
  readonly count: boolean;
  readonly context: number;
  readonly style: Style;
  readonly fileOf: (path: string) => string | undefined;
}

/** Prints each page as it comes; true when there was nothing. */
async function printPages(
  io: Io,
  pages: AsyncIterable<TextSearchResult>,
  options: PrintOptions,
): Promise<boolean> {
  const { style, fileOf } = options;
  let isEmpty = true;
  let last: LineGroup | undefined;
  for await (const { matches, files, isPartial } of pages) {
    for (const { path, matches: lines } of files) {
      const number = options.count ? `:${style.green(String(lines))}` : "";
      io.out(`${linked(io, style.magenta(safeLine(path)), fileOf(path))}${number}\n`);
    }
    for (const hunk of groupLines(matches)) {
      if (io.isTerminal) io.out(underHeading(hunk, last, { ...options, io }));
      else io.out(inLines(hunk, options.context > 0 && last !== undefined, style));
      last = hunk;
    }
    isEmpty &&= matches.length + files.length === 0;
    if (isPartial) io.err("The time ran out before every file was read; narrow it with --path.\n");
  }
  return isEmpty;
}

/** As people read it: the file once, then its lines. */
function underHeading(
  { path, lines }: LineGroup,
  last: LineGroup | undefined,
  { style, fileOf, io }: Pick<PrintOptions, "style" | "fileOf"> & { readonly io: Io },
): string {
  const isSameFile = path === last?.path;
  const heading = isSameFile ? "" : `${linked(io, style.magenta(safeLine(path)), fileOf(path))}\n`;
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

/** As programs read it; what does not belong together is set apart as grep does. */
function inLines({ path, lines }: LineGroup, isApart: boolean, style: Style): string {
  const file = style.magenta(safeLine(path));
  const shown = lines.map(({ line, text, isMatch }) => {
    const mark = isMatch ? ":" : "-";
    return `${file}${mark}${style.green(String(line))}${mark}${safeLine(text)}\n`;
  });
  return `${isApart ? "--\n" : ""}${shown.join("")}`;
}

/** Prints all pages as one record; true when there was nothing. */
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

function recordOf({ path, line, symbol, lines }: TextMatch): unknown {
  const text = lines.find((one) => one.line === line)?.text ?? "";
  const around = lines.map((one) => ({ line: one.line, text: one.text }));
  return { path, line, symbol, text, ...(lines.length > 1 ? { lines: around } : {}) };
}
