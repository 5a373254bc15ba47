import { stripVTControlCharacters } from "node:util";

import { expect, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";
import { commands, type SampleContext } from "./sample-commands.ts";

/** The page that these words print. */
async function call(words: readonly string[], columns = 80, color = false): Promise<string> {
  const io = createMemoryIo({ columns, color });
  const signal = new AbortController().signal;
  const context = () => ({ io, signal });
  const options = { commands, io, version: "1.2.3", debug: false, signal, context };
  expect(await runCli<SampleContext>(words, options)).toBe(0);
  expect(io.stderr()).toBe("");
  return io.stdout();
}

test("the overview lists the commands under their headings", async () => {
  expect(await call([])).toMatchInlineSnapshot(`
    "svc 1.2.3. Local search for code and documentation, for you and your coding
    agent.

    Usage
      svc COMMAND [flags]

    Find
      find  Find what answers a question.
      show  Show files.

    Access
      auth  Manage keys and tokens.

    Run \`svc\` alone in a project to see what to do next.
    Run \`svc help COMMAND\` for the flags and examples of a command.
    \`svc --version\` prints the version; \`svc --licenses\` prints third-party
    licences.
    "
  `);
});

test("a group lists every command below it by its whole name", async () => {
  expect(await call(["auth"])).toMatchInlineSnapshot(`
    "Manage keys and tokens.

    Usage
      svc auth COMMAND [flags]

    Commands
      auth keys create   Create an API key.
      auth token create  Create an access token.

    Run \`svc help COMMAND\` for the flags and examples of a command.
    "
  `);
});

test("a command's page is complete", async () => {
  expect(await call(["find", "--help"])).toMatchInlineSnapshot(`
    "Find what answers a question.

    The best answers come first.

    The folder is indexed if it is not yet.

    Usage
      svc find QUERY [PATH] [flags]

    Arguments
      QUERY  What to look for.
      PATH   The folder to look in.

    Flags
      -n, --limit N             The most results (from 1 to 50; default 10).
          --offset N            Results to pass over. The first has the number 0.
      -k, --kind KIND,...       Kinds of files (one of code, docs, tests).
          --path-glob GLOB,...  Files to look in.
          --sort BY             The order (one of score, path; default score).
          --namespace NS        Where to look.
      -e, --explain             Say why each was found.
          --no-snippets         Leave the text out.
      -j, --json                Print the result as JSON.
      -h, --help                Show help; -h shows a summary.

    Examples
      svc find "token expiry"
          Where tokens expire.

    Exit codes
      1  Nothing was found.
    "
  `);
});

test("-h shows a summary: the first sentence about each flag, without examples", async () => {
  expect(await call(["find", "-h"])).toMatchInlineSnapshot(`
    "Find what answers a question.

    Usage
      svc find QUERY [PATH] [flags]

    Arguments
      QUERY  What to look for.
      PATH   The folder to look in.

    Flags
      -n, --limit N             The most results (from 1 to 50; default 10).
          --offset N            Results to pass over.
      -k, --kind KIND,...       Kinds of files (one of code, docs, tests).
          --path-glob GLOB,...  Files to look in.
          --sort BY             The order (one of score, path; default score).
          --namespace NS        Where to look.
      -e, --explain             Say why each was found.
          --no-snippets         Leave the text out.
      -j, --json                Print the result as JSON.
      -h, --help                Show help; -h shows a summary.

    \`svc find --help\` shows all details, with examples.
    "
  `);
  expect(await call(["find", "-jh"])).toBe(await call(["find", "-h"]));
  expect(await call(["find", "-h", "--help"])).toBe(await call(["find", "--help"]));
});

test("help that is longer than the window goes to the pager", async () => {
  const io = createMemoryIo({ isTerminal: true, rows: 5, pager: "true" });
  const signal = new AbortController().signal;
  const context = () => ({ io, signal });
  const options = { commands, io, version: "1.2.3", debug: false, signal, context };
  await runCli<SampleContext>(["find", "-h"], options);
  expect(io.stdout()).toContain("Usage");
  const before = io.stdout();
  await runCli<SampleContext>(["find", "--help"], options);
  expect(io.stdout()).toBe(before);
});

test.each([
  [["--help"], []],
  [["-h"], []],
  [["help"], []],
  [["help", "help"], []],
  [
    ["help", "find"],
    ["find", "--help"],
  ],
  [
    ["--help", "find"],
    ["find", "--help"],
  ],
  [["help", "auth"], ["auth"]],
  [["auth", "--help"], ["auth"]],
  [
    ["help", "auth", "keys", "create"],
    ["auth", "keys", "create", "--help"],
  ],
])("%j prints the page of %j", async (words, same) => {
  expect(await call(words)).toBe(await call(same));
});

test("no line is wider than the terminal", async () => {
  for (const columns of [40, 60, 72, 80, 100]) {
    const pages = [await call(["find", "--help"], columns), await call([], columns)];
    const page = pages.join("\n");
    expect(Math.max(...page.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

test("on a narrow terminal texts go below the names", async () => {
  expect(await call(["find", "--help"], 40)).toContain(`
  -n, --limit N
      The most results (from 1 to 50;
      default 10).
`);
});

test("colours change nothing but the colour", async () => {
  const coloured = await call(["find", "--help"], 80, true);
  expect(coloured).toContain("\u001b[1mUsage\u001b[22m");
  expect(stripVTControlCharacters(coloured)).toBe(await call(["find", "--help"]));
});
