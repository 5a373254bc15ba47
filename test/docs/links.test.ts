import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import { expect, test } from "vitest";

import { toSvcError } from "../../src/base/errors.ts";
import { loadPages } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { commandLines, headingAnchors, linksIn, sourcePathsIn } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = globSync(["*.md", "docs/**/*.md"], { cwd: ROOT })
  .map((file) => file.replaceAll("\\", "/"))
  .toSorted();
const TRANSCRIPTS = [
  "README.md",
  "docs/guide.md",
  "docs/server.md",
  "docs/client-authors.md",
  "docs/faq.md",
];

const documented = await loadPages(commands);

/** Reads a page and gives each problem its line: `docs/guide.md:12 ...`. */
function check(page: string, problemsIn: (text: string) => Iterable<[number, string]>): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return Array.from(problemsIn(text), ([line, problem]) => `${page}:${line} ${problem}`);
}

test.each(PAGES)("every relative link of %s leads somewhere", (page) => {
  const problems = check(page, function* brokenLinks(text) {
    for (const { line, target } of linksIn(text)) {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : posix.join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) {
        yield [line, `${target} does not exist`];
      } else if (anchor !== undefined && file.endsWith(".md")) {
        const anchors = headingAnchors(readFileSync(join(ROOT, file), "utf8"));
        if (!anchors.has(anchor)) yield [line, `${target}: no such heading`];
      }
    }
  });
  expect(problems).toEqual([]);
});

test.each(PAGES)("every source file that %s names exists", (page) => {
  const problems = check(page, function* missingFiles(text) {
    for (const { line, path } of sourcePathsIn(text)) {
      if (!existsSync(join(ROOT, path))) yield [line, `${path} does not exist`];
    }
  });
  expect(problems).toEqual([]);
});

test.each(TRANSCRIPTS)("svc understands every command line of %s", (page) => {
  const problems = check(page, function* wrongLines(text) {
    for (const { line, words } of commandLines(text)) {
      const problem = refusalOf(words);
      if (problem !== undefined) yield [line, `svc ${words.join(" ")}: ${problem}`];
    }
  });
  expect(problems).toEqual([]);
});

test("a command or a flag that does not exist is refused", () => {
  const lines = ["svc serach x", "svc search x --limt 3", "A=1 svc status --nope | head"];
  const text = ["```console", ...lines.map((line) => `$ ${line}`), "svc output", "```"].join("\n");
  const refused = commandLines(text).map(({ line, words }) => `${line} ${refusalOf(words)}`);
  expect(refused).toEqual([
    "2 there is no such command",
    "3 There is no flag --limt.",
    "4 There is no flag --nope.",
  ]);
});

test("command lines are found behind variables, inside $( ) and before pipes", () => {
  const text = [
    "```sh",
    'TOKEN=$(svc auth token create --name "my laptop")',
    "cd x && svc index . # all of it",
    "```",
    "```text",
    "svc not a command",
    "```",
  ].join("\n");
  expect(commandLines(text)).toEqual([
    { line: 2, words: ["auth", "token", "create", "--name", "my laptop"] },
    { line: 3, words: ["index", "."] },
  ]);
});

/** The reason why svc would refuse the words after its name; undefined if it would accept them. */
function refusalOf(words: readonly string[]): string | undefined {
  const [first = ""] = words;
  if (words.length === 1 && ["--help", "-h", "--version", "-V"].includes(first)) return undefined;
  const requested = first === "help" ? words.slice(1) : words;
  const page = documented
    .filter(({ path }) => path.every((name, at) => requested[at] === name))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
  if (page === undefined)
    return first === "help" && requested.length === 0 ? undefined : NO_COMMAND;
  const { path, command } = page;
  if (first === "help") return path.length === requested.length ? undefined : NO_COMMAND;
  if (command === undefined) return requested[path.length] === "--help" ? undefined : NO_COMMAND;
  try {
    parseCommandLine(command, requested.slice(path.length));
    return undefined;
  } catch (thrown) {
    return toSvcError(thrown).message;
  }
}

const NO_COMMAND = "there is no such command";
