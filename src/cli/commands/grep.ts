import type { Engine, TextAnswer, TextMatch, TextRequest } from "../../engine/engine.ts";
import { bringUpToDate } from "../bring-up-to-date.ts";
import { defineCommand, INCLUDE_SECRETS_FLAG, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { printJson } from "../print/json.ts";
import { linked } from "../print/link.ts";
import { safeLine } from "../print/safe-text.ts";
import { hunksOf, type Hunk } from "../print/hunks.ts";
import { createStyle, type Style } from "../print/style.ts";
import { COLOR_FLAG, fileFinder, wantsColour } from "../result-output.ts";

const NOTHING_FOUND = 1;
/** Asked for at once; printed before the next are looked for. */
const PAGE = 500;

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
    { run: 'svc grep "TODO|FIXME"', shows: "Every line that has one of the two." },
    { run: "svc grep -F -w open --language go", shows: "The word `open` in files of Go." },
    { run: "svc grep -l 'import .*undici'", shows: "The files that import it." },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args, flags }, context) {
    const { app, io, signal } = context;
    const engine = await app.engine({
      root: args.path,
      namespace: flags.namespace,
      showsSecrets: flags.includeSecrets,
    });
    const namespace = await bringUpToDate(context, engine, {
      path: args.path,
      namespace: flags.namespace,
      sought: { command: "grep", text: args.pattern },
    });
    const { path, language } = flags;
    const asked = {
      pattern: args.pattern,
      isRegex: !flags.fixedStrings,
      caseSensitive: !flags.ignoreCase,
      wholeWord: flags.word,
      contextLines: flags.context,
      output: flags.files || flags.count ? ("files" as const) : ("matches" as const),
      path,
      language,
      namespace,
      caller: app.owner,
      signal,
    };
    const pages = pagesOf(engine, asked, flags.limit);
    const isEmpty = flags.json
      ? await printRecord(io, pages)
      : await printPages(io, pages, {
          ...flags,
          style: createStyle(wantsColour(io, flags.color)),
          fileOf: fileFinder(app, io, namespace),
        });
    return isEmpty ? NOTHING_FOUND : 0;
  },
});

/** Page after page, until there are no more or as many as were wanted. */
async function* pagesOf(
  engine: Engine,
  asked: Omit<TextRequest, "limit" | "cursor">,
  limit = Infinity,
): AsyncGenerator<TextAnswer> {
  let left = limit;
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const page = await engine.searchText({ ...asked, limit: Math.min(left, PAGE), cursor });
    yield page;
    left -= page.matches.length + page.files.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && left > 0);
}

interface Look {
  readonly count: boolean;
  readonly context: number;
  readonly style: Style;
  readonly fileOf: (path: string) => string | undefined;
}

/** Prints each page as it comes; true when there was nothing. */
async function printPages(io: Io, pages: AsyncIterable<TextAnswer>, look: Look): Promise<boolean> {
  const { style, fileOf } = look;
  let isEmpty = true;
  let last: Hunk | undefined;
  for await (const { matches, files, isPartial } of pages) {
    for (const { path, matches: lines } of files) {
      const number = look.count ? `:${style.green(String(lines))}` : "";
      io.out(`${linked(io, style.magenta(safeLine(path)), fileOf(path))}${number}\n`);
    }
    for (const hunk of hunksOf(matches)) {
      if (io.isTerminal) io.out(underHeading(hunk, last, { ...look, io }));
      else io.out(inLines(hunk, look.context > 0 && last !== undefined, style));
      last = hunk;
    }
    isEmpty &&= matches.length + files.length === 0;
    if (isPartial) io.err("The time ran out before every file was read; narrow it with --path.\n");
  }
  return isEmpty;
}

/** As people read it: the file once, then its lines. */
function underHeading(
  { path, lines }: Hunk,
  last: Hunk | undefined,
  { style, fileOf, io }: Pick<Look, "style" | "fileOf"> & { readonly io: Io },
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

function hasContext({ lines }: Hunk): boolean {
  return lines.some(({ isMatch }) => !isMatch);
}

/** As programs read it; what does not belong together is set apart as grep does. */
function inLines({ path, lines }: Hunk, isApart: boolean, style: Style): string {
  const file = style.magenta(safeLine(path));
  const shown = lines.map(({ line, text, isMatch }) => {
    const mark = isMatch ? ":" : "-";
    return `${file}${mark}${style.green(String(line))}${mark}${safeLine(text)}\n`;
  });
  return `${isApart ? "--\n" : ""}${shown.join("")}`;
}

/** Prints all pages as one record; true when there was nothing. */
async function printRecord(io: Io, pages: AsyncIterable<TextAnswer>): Promise<boolean> {
  const matches: unknown[] = [];
  const files: unknown[] = [];
  let last: TextAnswer | undefined;
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
