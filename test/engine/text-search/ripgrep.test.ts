// search_text finds the same lines as ripgrep, on real projects.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { rgPath } from "@vscode/ripgrep";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createEngine } from "../../../src/engine/create-engine.ts";
import type { Engine } from "../../../src/engine/api/engine.ts";
import type { TextSearchRequest, TextSearchResult } from "../../../src/engine/api/search-text.ts";
import { request } from "../../helpers/project.ts";
import { realProject } from "../../helpers/real-project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { tree } from "../../helpers/tree.ts";
import { PATTERN_GROUPS } from "./patterns.ts";

type Question = Pick<TextSearchRequest, "pattern" | "isRegex" | "caseSensitive" | "wholeWord">;

const QUESTIONS: readonly Question[] = PATTERN_GROUPS.flatMap(({ isRegex, flags, patterns }) =>
  patterns.map((pattern) => ({
    pattern,
    isRegex,
    caseSensitive: !flags.includes("i"),
    wholeWord: flags.includes("w"),
  })),
);
/** One file in this many of each project: opening all of them 280 times would take a tenth of the time of all tests. */
const SHARES = [
  ["webpack", 8],
  ["svc", 10],
] as const;

/** Lines that a sample of the files may lack: with them, nearly all questions find something. */
const RARE_LINES = [
  "if (process.env.NODE_ENV !== 'test') throw new WebpackError(`${sideEffects}`);",
  "process.env.node_env = NEW WEBPACKERROR(",
  "© é ü \u212a ✓ → … don't XXX “quoted” Αθήνα straße 漢字漢字 À",
  "Kelvin \u212a\u212a\u212a\u212a\u212a\u212a\u212a, long \u017f\u017f\u017f\u017f\u017f\u017f\u017f",
  "Über den Wolken, Größe 1e3, ÉTÉ été",
  String.raw`const separator = "\u2028";`,
  "import base from src/base, with a$b and list...args",
  "trailing blanks  ",
  "trailing tab\t",
  "ends with $",
  // Three characters or fewer, for RE2 and not for V8.
  "a\u2028b",
  "😀😀",
  "^ begins with a caret",
  "aaab abab a..b a--za 😀 AB",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709 deadbeef abcdefabcdef 2024-02-29",
];

/** More than any answer has. */
const EVERYTHING = 1_000_000;

const EVERY_LINE: Question = {
  pattern: "",
  isRegex: true,
  caseSensitive: true,
  wholeWord: false,
};

const PAGED: Question = { ...EVERY_LINE, pattern: "hash|error" };

const ASKED: readonly Question[] = [...QUESTIONS, EVERY_LINE, PAGED];

const place = tree({ "home/": "", "data/": "", "root/": "" });
const root = join(place.path, "root");
/** The output of ripgrep for each question. */
const answers = join(place.path, "answers");
let engine: Engine;
let files: readonly string[] = [];

beforeAll(async () => {
  // A hundred large files would be two thirds of all lines, for each of the questions.
  realProject(root, 20_000);
  cpSync(join(import.meta.dirname, "../../../src"), join(root, "svc"), { recursive: true });
  for (const [project, share] of SHARES) {
    for (const [at, path] of filesBelow(join(root, project)).entries()) {
      if (at % share > 0) rmSync(path);
    }
  }
  writeFileSync(join(root, "rare.txt"), RARE_LINES.join("\n"));
  engine = createEngine({
    dataDirectory: join(place.path, "data"),
    home: join(place.path, "home"),
    logger: recordingLogger().logger,
    workspace: () => root,
  });
  await engine.index(request());
  const listed = await ask({ ...EVERY_LINE, output: "files" });
  files = listed.files.map(({ path }) => path);
  await askRipgrep();
}, 120_000);

afterAll(async () => {
  await engine.close();
  place.dispose();
});

/** In their order by path. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

function ask(more: Question & Partial<TextSearchRequest>): ReturnType<Engine["searchText"]> {
  const base = { contextLines: 0, output: "matches", limit: EVERYTHING } as const;
  return engine.searchText({ ...request(), ...base, ...more });
}

test.each(QUESTIONS)(
  "$pattern (regex $isRegex, case $caseSensitive, word $wholeWord)",
  async (question) => {
    const { matches, isComplete, totalMatches } = await ask(question);
    const found = matches.map(({ path, line }) => `${path}:${line}`);
    const expected = ripgrep(question);
    expect(difference(found, expected)).toEqual({ tooMany: [], missing: [] });
    const count = expected.length;
    expect([isComplete, totalMatches, found.length]).toEqual([true, count, count]);
  },
);

test("the searched files are those of both projects, and most of their lines", () => {
  expect(files.filter((path) => path.startsWith("svc/")).length).toBeGreaterThan(80);
  expect(files.filter((path) => path.startsWith("webpack/")).length).toBeGreaterThan(80);
  expect(ripgrep(EVERY_LINE).length).toBeGreaterThan(18_000);
});

test("nearly all questions find something", () => {
  const unanswered = QUESTIONS.filter((question) => ripgrep(question).length === 0);
  expect(unanswered.map(({ pattern }) => pattern)).toContain("no such text anywhere");
  // The set of searched files changes with the sources of svc.
  expect(unanswered.length).toBeLessThan(10);
});

test("the pages together are the whole result", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: TextSearchResult = await ask({ ...PAGED, limit: 97, cursor });
    seen.push(...page.matches.map(({ path, line }) => `${path}:${line}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(difference(seen, ripgrep(PAGED))).toEqual({ tooMany: [], missing: [] });
});

/** A few lines that only one side has. */
function difference(
  found: readonly string[],
  expected: readonly string[],
): { tooMany: readonly string[]; missing: readonly string[] } {
  const isEqual =
    found.length === expected.length && found.every((one, at) => one === expected[at]);
  if (isEqual) return { tooMany: [], missing: [] };
  const [ours, theirs] = [new Set(found), new Set(expected)];
  return {
    tooMany: found.filter((one) => !theirs.has(one)).slice(0, 5),
    missing: expected.filter((one) => !ours.has(one)).slice(0, 5),
  };
}

/**
 * Has ripgrep answer all questions about the files of the index. A shell starts the runs, because starting one from the
 * large process of this test takes longer than the run.
 */
async function askRipgrep(): Promise<void> {
  mkdirSync(answers);
  const runs = ASKED.map((question, at) => {
    const words = [rgPath, ...ripgrepWords(question)].map(quoted).join(" ");
    // 1: no results.
    return `${words} -- "$@" > ${quoted(join(answers, String(at)))} || [ $? -eq 1 ]`;
  });
  const script = join(answers, "script");
  writeFileSync(script, runs.join("\n"));
  await promisify(execFile)("sh", ["-e", script, ...files], { cwd: root });
}

/** `path:line` of every line that ripgrep finds in the files of the index. */
function ripgrep(question: Question): readonly string[] {
  const answer = readFileSync(join(answers, String(ASKED.indexOf(question))), "utf8");
  const places = answer.matchAll(/^([^\0\n]+)\0(\d+):/gm);
  return Array.from(places, ([, path, line]) => `${path}:${line}`).filter(
    (one, at, all) => one !== all[at - 1],
  );
}

function ripgrepWords({ pattern, isRegex, caseSensitive, wholeWord }: Question): readonly string[] {
  const source = isRegex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Word boundaries as in RE2; ripgrep's Unicode boundaries are wider.
  const bounded = wholeWord ? `\\b(?:${source})\\b` : source;
  return [
    "--no-config",
    // With one thread the lines come in the order of the files.
    "--threads=1",
    "--no-ignore",
    "--hidden",
    "--text",
    "--crlf",
    "--color=never",
    "--line-number",
    "--with-filename",
    "--null",
    "--no-heading",
    "--max-columns=1",
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    "--regexp",
    inRustsWords(bounded),
  ];
}

/** As one word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const ASCII: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r " };

/**
 * An expression of RE2 in the syntax of Rust's regex. There, `\w`, `\d`, `\s` and `\b` cover all of Unicode, classes
 * may be nested, a class cannot contain a plain bracket, and `\Q` is unknown.
 */
function inRustsWords(source: string): string {
  const tokens = /\\Q[^]*?\\E|\\[^]|\[:\^?[a-z]+:\]|\[\^?\]?|[^]/g;
  let isInClass = false;
  const words = Array.from(source.matchAll(tokens), ([token]) => {
    if (token.startsWith("\\Q")) return token.slice(2, -2).replace(/\W/g, "\\$&");
    if (/^\\[dwsDWS]$/.test(token)) return asciiSet(token.slice(1), isInClass);
    if (/^\\[bB]$/.test(token)) return `(?-u:${token})`;
    if (token.startsWith("\\") || token.startsWith("[:")) return token;
    if (token.startsWith("[") && !isInClass) {
      isInClass = true;
      return token.replace("]", "\\]");
    }
    if (!isInClass) return token;
    if (token.endsWith("]")) isInClass = false;
    return token.replace(/^[[&~]/, "\\$&");
  });
  return words.join("");
}

function asciiSet(letter: string, isInClass: boolean): string {
  const members = ASCII[letter.toLowerCase()] ?? "";
  const isNegated = letter !== letter.toLowerCase();
  return isInClass && !isNegated ? members : `[${isNegated ? "^" : ""}${members}]`;
}
