// The parts of a page that the tests of the documentation need. Lines are 1-based.

interface Line {
  readonly line: number;
  readonly text: string;
  /** The language of the fenced block that the line is in; undefined outside of one. */
  readonly fence: string | undefined;
}

/** The lines of a page, without those that open and close its blocks. */
function linesOf(page: string): Line[] {
  const lines: Line[] = [];
  let fence: string | undefined;
  for (const [at, text] of page.split("\n").entries()) {
    const mark = /^\s*```(\w*)/.exec(text);
    if (mark === null) lines.push({ line: at + 1, text, fence });
    else fence = fence === undefined ? (mark[1] ?? "") : undefined;
  }
  return lines;
}

interface Block {
  /** Its first one. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page, in its order. */
export function fencedBlocks(page: string): Block[] {
  return Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), (match) => {
    const [, language = "", text = ""] = match;
    return { line: page.slice(0, match.index).split("\n").length + 1, language, text };
  });
}

/** Links to files and headings, without those to other sites. */
export function linksIn(page: string): { line: number; target: string }[] {
  return linesOf(page)
    .filter(({ fence }) => fence === undefined)
    .flatMap(({ line, text }) => {
      const prose = text.replaceAll(/`[^`]*`(?!\])/g, "");
      const targets = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
      return targets
        .filter((target) => !/^[a-z]+:/i.test(target))
        .map((target) => ({ line, target }));
    });
}

/** Paths such as `src/app.ts`, without patterns (`src/**`), placeholders and examples marked BAD. */
export function sourcePathsIn(page: string): { line: number; path: string }[] {
  return linesOf(page)
    .filter(({ text }) => !/\bBAD\b/.test(text))
    .flatMap(({ line, text }) =>
      // Quotations are about the files of the quoted person.
      Array.from(
        text.replaceAll(/“[^”]*”/g, "").matchAll(/(?<![\w~./*-])src\/[^\s`"'()[\]|,;:#]*/g),
        ([path]) => path,
      )
        .filter((path) => !/[*<>{}…]/.test(path))
        .map((path) => ({ line, path: path.replace(/[.\\]+$/, "") })),
    );
}

/** The anchors of a page's headings, as GitHub makes them. */
export function headingAnchors(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text, fence } of linesOf(page)) {
    const heading = fence === undefined ? /^#{1,6} (.+)$/.exec(text)?.[1] : undefined;
    if (heading === undefined) continue;
    const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
    const anchor = kept.trim().replaceAll(" ", "-");
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

/**
 * The words after `svc` of each command in a `sh` block, and of each command after a `$` in a `console` block, whose
 * other lines are output.
 */
export function commandLines(page: string): { line: number; words: string[] }[] {
  return linesOf(page).flatMap(({ line, text, fence }) => {
    const typed = fence === "console" ? /^\s*\$ (.*)$/.exec(text)?.[1] : text;
    if (typed === undefined || (fence !== "console" && fence !== "sh")) return [];
    return simpleCommands(typed).flatMap((words) => {
      const start = words.findIndex((word) => !/^\w+=/.test(word));
      return words[start] === "svc" ? [{ line, words: words.slice(start + 1) }] : [];
    });
  });
}

/** Quoted pieces and plain runs of one word; or the characters between words. */
const TOKEN =
  /(?<word>(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\|&;<>()#]|(?<!\s)(?<!^)#)+)|(?<end>[|&;()#])|./gy;

/** Enough shell syntax to separate commands: quotes, `|`, `&&`, `;`, `$( )`, comments. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  // The text before `$(` belongs to the command around it.
  for (const { groups } of line.replaceAll("$(", " ; ").matchAll(TOKEN)) {
    if (groups?.["end"] === "#") break;
    if (groups?.["end"] !== undefined) commands.push([]);
    const word = groups?.["word"];
    if (word !== undefined) commands.at(-1)?.push(unquoted(word));
  }
  return commands.filter((words) => words.length > 0);
}

function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, "$1$2$3");
}

interface GlossaryEntry {
  readonly term: string;
  readonly meaning: string;
  /** Path from the root of the project, with `/`. */
  readonly path: string;
}

/** The list items of the form ``- **term**: Meaning. `path` ``; an item may be wrapped. */
export function glossaryEntries(page: string): GlossaryEntry[] {
  return page
    .split(/^- /m)
    .slice(1)
    .flatMap((item) => {
      const found = /^\*\*([^*]+)\*\*: (.*) `([^`\s]+)`$/.exec(item.trim().replaceAll(/\s+/g, " "));
      if (found === null) return [];
      const [, term = "", meaning = "", path = ""] = found;
      return [{ term, meaning, path }];
    });
}
