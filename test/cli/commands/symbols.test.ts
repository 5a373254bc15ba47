import { join } from "node:path";

import { afterAll, expect, test, vi } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";
import { plant } from "../../helpers/tree.ts";

// Each call is a separate program with an indexing run.
vi.setConfig({ testTimeout: 30_000 });

const here = createMachine({
  "src/session.ts":
    "/** A session. */\nexport class Session {\n  open(path: string): void {}\n}\nexport function opener(): void {}\n",
  "src/evil.js": "function wombat(a = '\u001b[2J\u202e') {}\n",
});
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("symbols", ...words);
}

test("a definition is one line, and standard error names similar symbols", async () => {
  expect(await call("open")).toEqual({
    code: 0,
    out: "method open(path: string): void  src/session.ts:3-3 in Session\n",
    err: "Similar names: opener.\n",
  });
});

test("no result is exit code 1, with a message on standard error", async () => {
  expect(await call("qqqqq")).toEqual({
    code: 1,
    out: "",
    err: 'No symbol "qqqqq" in "project".\n',
  });
  expect((await call("Session", "--kind", "method")).code).toBe(1);
});

test("likely symbols are found, with a note that the name differs", async () => {
  expect(await call("Sesion")).toEqual({
    code: 0,
    out: "class Session — A session.  src/session.ts:1-4\n",
    err: 'No symbol "Sesion"; nearest:\n',
  });
});

test("--json has a record for each definition", async () => {
  const { code, out } = await call("Session.open", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    name: "Session.open",
    namespace: "project",
    generation: expect.any(Number),
    symbols: [
      {
        path: "src/session.ts",
        start_line: 3,
        end_line: 3,
        name_line: 3,
        name: "open",
        qualified_name: "Session.open",
        kind: "method",
        access: "exported",
        language: "typescript",
        signature: "open(path: string): void",
        documentation: "",
        match: "qualified",
        used_in_files: 0,
      },
    ],
    total: 2,
    nearest: false,
    similar: ["opener"],
    next_cursor: expect.any(String),
  });
  const none = await call("qqqqq", "--json");
  expect([none.code, JSON.parse(none.out)]).toMatchObject([1, { symbols: [], total: 0 }]);
});

test("filters narrow the results", async () => {
  expect((await call("open", "--language", "python")).code).toBe(1);
  expect((await call("open", "--path", "lib/")).code).toBe(1);
  const { out, err } = await call("ope", "--limit", "1");
  expect(out.split("\n")).toHaveLength(2);
  expect(err).toBe("2 in total; use --limit to show more.\n");
});

test("escape sequences in a file never reach the terminal", async () => {
  const { out } = await call("wombat");
  expect(out).toMatch(/^function wombat\(/);
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test("an answer at a shell is always up to date, and of the named folder", async () => {
  plant(here.root, { "src/new.ts": "export function numbat(): void {}\n" });
  expect((await call("numbat")).out).toBe("function numbat(): void  src/new.ts:1-1\n");
  const other = join(here.home, "other");
  plant(other, { "a.py": "def echidna():\n    pass\n" });
  expect((await call("echidna", other)).out).toBe(`function echidna()  ${other}/a.py:1-2\n`);
  expect((await call("echidna")).code).toBe(1);
});

test.each<[string[], RegExp]>([
  [["open", "--limit", "101"], /--limit.*100/],
  [["open", "--kind", "widget"], /--kind/],
  [["open", "--language", "pyhton"], /python/],
  [["open", "nowhere"], /"nowhere" does not exist/],
  [[], /name/i],
])("%j exits with 2 and reports the problem", async (words, said) => {
  const { code, out, err } = await call(...words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
});

test("--format and --jsonl print definitions one by one", async () => {
  const format = "{path}:{line}:{column}: {text} {kind} {qualified_name} {used_in_files}";
  expect((await call("Session.open", "--format", format)).out).toBe(
    "src/session.ts:3:3: open(path: string): void method Session.open 0\n",
  );
  const { symbols } = JSON.parse((await call("open", "--json")).out);
  const { out } = await call("open", "--jsonl");
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(symbols);
  expect((await call("open", "--format", "{nme}")).err).toContain("Did you mean {name}?");
});

test("the name comes from standard input", async () => {
  expect((await here.piped("opener\n", "symbols", "-")).out).toContain("function opener");
});
