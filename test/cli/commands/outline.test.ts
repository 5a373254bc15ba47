import { afterAll, expect, test, vi } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";
import { plant } from "../../helpers/tree.ts";

// Each call is a separate program with an indexing run.
vi.setConfig({ testTimeout: 30_000 });

const here = createMachine({
  "src/session.ts": "/** A session. */\nexport class Session {\n  open(): void {}\n}\n",
  "README.md": "# Project \u001b[2J\u202ewombat\n",
});
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("outline", ...words);
}

test("a map of the project, and the tree of a file", async () => {
  expect(await call()).toEqual({
    code: 0,
    out: ".  2 files, typescript, markdown\nsrc/  1 file, typescript\n  session.ts\n    class Session  1-4\n    open(): void  3\nREADME.md\n",
    err: "",
  });
  expect((await call("src/session.ts", "--depth", "1")).out).toBe(
    "src/session.ts  typescript, 4 lines\nclass Session  1-4\n",
  );
});

test("--json has folders with files with symbols", async () => {
  const symbol = {
    name: "open",
    qualified_name: "Session.open",
    kind: "method",
    access: "exported",
    signature: "open(): void",
    start_line: 3,
    end_line: 3,
  };
  const session = {
    ...symbol,
    name: "Session",
    qualified_name: "Session",
    kind: "class",
    signature: "export class Session",
    start_line: 1,
    end_line: 4,
    depth: 0,
  };
  const { out } = await call("--json");
  expect(JSON.parse(out)).toEqual({
    namespace: "project",
    generation: expect.any(Number),
    kind: "folder",
    path: "",
    files: 2,
    languages: ["typescript", "markdown"],
    folders: [
      {
        path: "src",
        files: 1,
        languages: ["typescript"],
        shown: [
          {
            path: "src/session.ts",
            language: "typescript",
            symbols: [session, { ...symbol, depth: 0 }],
          },
        ],
      },
      {
        path: "",
        files: 1,
        languages: ["markdown"],
        shown: [{ path: "README.md", language: "markdown", symbols: [] }],
      },
    ],
    left_out: { files: 0, folders: 0 },
  });
  const file = await call("src/session.ts", "--json");
  expect(JSON.parse(file.out)).toEqual({
    namespace: "project",
    generation: expect.any(Number),
    kind: "file",
    path: "src/session.ts",
    language: "typescript",
    lines: 4,
    bytes: 61,
    symbols: [session, { ...symbol, depth: 1 }],
    left_out: 0,
  });
});

test("escape sequences in a file never reach the terminal", async () => {
  const { out } = await call("README.md");
  expect(out).toContain("wombat");
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test("an answer at a shell is always up to date", async () => {
  plant(here.root, { "src/new.ts": "export function numbat(): void {}\n" });
  expect((await call("src/new.ts")).out).toContain("function numbat(): void  1\n");
});

test.each<[string[], RegExp]>([
  [["nowhere"], /No file "nowhere"/],
  [["../x"], /leads out of the source/],
  [["--depth", "0"], /--depth/],
  [["--max-tokens", "20001"], /--max-tokens.*20000/],
  [["a", "b"], /b/],
])("%j exits with 2 and reports the problem", async (words, said) => {
  const { code, out, err } = await call(...words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
});

test("--query begins with what a question is about", async () => {
  expect((await call("--query", "wombat project")).out).toMatch(/^\..*\nREADME\.md\n/);
  const file = await call("src/session.ts", "--query", "wombat");
  expect([file.code, file.err]).toEqual([2, expect.stringContaining("a query orders folders")]);
  expect((await call("--query", "x")).err).toContain("query: ");
});

test("--markdown prints a map within the tokens, always the same, and excludes --json", async () => {
  const { code, out } = await here.svc("outline", "--markdown", "--max-tokens", "200");
  expect(code).toBe(0);
  expect(out).toMatch(/^# project\n\n\d+ files?/);
  expect(out.length).toBeLessThanOrEqual(800);
  expect((await here.svc("outline", "--markdown", "--max-tokens", "200")).out).toBe(out);
  expect((await here.svc("outline", "--markdown", "--json")).code).toBe(2);
});
