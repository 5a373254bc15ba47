// The tools, each queried in the form that suits it best: a tool for questions gets the question, a tool for text or
// names gets the distinctive words of the question.
import { join } from "node:path";

import { readReply } from "../../quality/reply.ts";
import { LIMIT, type Contender, type Spot } from "./contender.ts";
import { keywords, rankByWords, type Match } from "./keywords.ts";

/** An installed program, with its version. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

const QUESTION = "the question";
const DISTINCTIVE_WORDS =
  "the distinctive words of the question, any of them; we rank the files by the words they contain";

export function svc({ path, version }: Program): Contender {
  return {
    name: "svc",
    version,
    form: `${QUESTION} (\`search_context\`)`,
    index: ({ root }) => [path, "index", root],
    keeps: ({ env }) => join(env["SERVICE_HOME"] ?? "", "namespaces"),
    ask: (query, { root }) => [path, "search", query, root, "--limit", String(LIMIT)],
    filesIn: (output, _, spot) => named(output, spot),
    server: {
      start: ({ root }) => [path, "mcp", "--stdio", "--root", root],
      tool: "search_context",
      input: (query, limit) => ({ query, limit }),
    },
  };
}

export function ripgrep({ path, version }: Program): Contender {
  const flags = ["--no-require-git", "--hidden", "-i", "-o", "-H", "--no-line-number", "-F"];
  return {
    name: "ripgrep",
    version,
    form: DISTINCTIVE_WORDS,
    ask: (query, { root }) => [path, ...flags, ...keywords(query).flatMap(pattern), root],
    filesIn: (output, query, spot) => ranked(output, query, spot),
  };
}

export function codesearch({ path, version }: Program, csearch: string): Contender {
  return {
    name: "codesearch",
    version,
    form: DISTINCTIVE_WORDS,
    index: ({ root }) => [path, root],
    keeps: ({ env }) => env["CSEARCHINDEX"] ?? "",
    ask: (query) => [csearch, "-i", "-n", keywords(query).map(escaped).join("|")],
    filesIn: (output, query, spot) => ranked(output, query, spot),
  };
}

export function ctags({ path, version }: Program, readtags: string): Contender {
  return {
    name: "universal-ctags",
    version,
    form: "the distinctive words of the question, in names of definitions; we rank the files by the words they contain",
    index: (spot) => [path, "-R", "-f", tags(spot), spot.root],
    keeps: tags,
    ask: (query, spot) => [readtags, "-t", tags(spot), "-Q", namesWith(keywords(query)), "-l"],
    filesIn: (output, query, spot) => {
      const lines = output.split("\n").map((line) => line.split("\t"));
      const matches = lines.map(([text = "", file = ""]) => ({ path: file, text }));
      return rankedMatches(matches, query, spot);
    },
  };
}

export function probe({ path, version }: Program): Contender {
  const flags = ["--max-results", String(LIMIT), "--format", "json"];
  return {
    name: "probe",
    version,
    form: `${QUESTION}, without punctuation`,
    // This tool treats quotes, dashes and parentheses as operators.
    ask: (query, { root }) => [path, "search", withoutSigns(query), root, ...flags],
    filesIn: (output, _, spot) => named(output.slice(output.indexOf("{")), spot),
  };
}

export function codegraph({ path, version }: Program): Contender {
  return {
    name: "codegraph",
    version,
    form: `${QUESTION} (\`codegraph_explore\`)`,
    index: ({ root }) => [path, "init", "--yes", root],
    keeps: ({ root }) => join(root, ".codegraph"),
    ask: (query, { root }) => [path, "explore", query, "-p", root],
    filesIn: (output, _, spot) => named(output, spot),
    server: {
      start: ({ root }) => [path, "serve", "--mcp", "-p", root],
      tool: "codegraph_explore",
      input: (query, limit) => ({ query, maxFiles: limit }),
    },
  };
}

function withoutSigns(query: string): string {
  return query.replaceAll(/[^\p{L}\p{N}_]+/gu, " ").trim();
}

function tags({ state }: Spot): string {
  return join(state, "tags");
}

/** The files that a reply names, read by the general reader of replies. */
function named(text: string, { paths }: Spot): readonly string[] {
  const { mentions } = readReply({ content: [{ text }] }, paths);
  return mentions.map(({ path }) => path);
}

/** Lines of `path:text`, with or without a line number in between. */
function ranked(output: string, query: string, spot: Spot): readonly string[] {
  const matches = output.split("\n").map((line) => {
    const [path = "", ...text] = line.split(":");
    return { path, text: text.join(":") };
  });
  return rankedMatches(matches, query, spot);
}

function rankedMatches(
  matches: readonly Match[],
  query: string,
  { paths }: Spot,
): readonly string[] {
  const known = matches.flatMap(({ path, text }) => {
    const file = paths.find(path);
    return file === undefined ? [] : [{ path: file, text }];
  });
  return rankByWords(known, keywords(query), paths.size);
}

function pattern(word: string): readonly string[] {
  return ["-e", word];
}

function escaped(word: string): string {
  return word.replaceAll(/[^\p{L}\p{N}_ ]/gu, String.raw`\$&`);
}

/** A filter expression of readtags. */
function namesWith(words: readonly string[]): string {
  const tests = words.map((word) => `(substr? (downcase $name) ${JSON.stringify(word)})`);
  return `(or ${tests.join(" ")})`;
}
