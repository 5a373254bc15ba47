import { spawnSync } from "node:child_process";

import { rgPath } from "@vscode/ripgrep";
import { afterAll, expect, test, vi } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";

// Each call is a separate program with an indexing run.
vi.setConfig({ testTimeout: 30_000 });

const NAMES = "abcdefghijklmnop";
const here = createMachine({
  "src/log.ts": `export function write(text: string): void {
  open(text);
  open(text);
}
`,
  "src/main.ts": 'write("\u001b[2J");\n// Write, then rewrite.\n',
  "docs/open.md": "# Opening\n\nfirst\nsecond\nthird\nopen()\nfourth\nfifth\nopen()\n",
  "long.txt": `needle ${"x".repeat(400)}\n`,
  "many.txt": "many\n".repeat(1200),
  [`${NAMES}.txt`]: "C++ (really)\n",
});
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("grep", ...words);
}

test("each matching line is PATH:LINE:TEXT, in order, without control characters", async () => {
  expect(await call("write")).toEqual({
    code: 0,
    out: [
      "src/log.ts:1:export function write(text: string): void {",
      'src/main.ts:1:write("");',
      "src/main.ts:2:// Write, then rewrite.",
      "",
    ].join("\n"),
    err: "",
  });
});

test("--color always also colours output for a pager", async () => {
  expect((await call("--color", "always", "-w", "rewrite")).out).toBe(
    "\u001b[35msrc/main.ts\u001b[39m:\u001b[32m2\u001b[39m:// Write, then rewrite.\n",
  );
});

test("-w, -i and -F have their meanings of grep", async () => {
  expect((await call("-w", "-i", "WRITE", "--path", "src/main.ts")).out).toBe(
    'src/main.ts:1:write("");\nsrc/main.ts:2:// Write, then rewrite.\n',
  );
  expect((await call("-w", "rewrite|nothing")).out).toBe("src/main.ts:2:// Write, then rewrite.\n");
  expect((await call("-F", "C++ (")).out).toBe(`${NAMES}.txt:1:C++ (really)\n`);
});

test("context lines are shown once, and groups are separated", async () => {
  const { out } = await call("-C", "1", "open\\(", "--path", "{docs,src}/**");
  expect(out).toBe(
    [
      "docs/open.md-5-third",
      "docs/open.md:6:open()",
      "docs/open.md-7-fourth",
      "docs/open.md-8-fifth",
      "docs/open.md:9:open()",
      "--",
      "src/log.ts-1-export function write(text: string): void {",
      "src/log.ts:2:  open(text);",
      "src/log.ts:3:  open(text);",
      "src/log.ts-4-}",
      "",
    ].join("\n"),
  );
});

test("-l lists files, -c counts their lines, with any number of files", async () => {
  expect((await call("-l", "open")).out).toBe("docs/open.md\nsrc/log.ts\n");
  expect((await call("--files-with-matches", "open")).out).toBe("docs/open.md\nsrc/log.ts\n");
  expect((await call("-l", "-0", "open")).out).toBe("docs/open.md\0src/log.ts\0");
  expect((await call("-c", "--null", "rewrite|Opening")).out).toBe(
    "docs/open.md\x001\nsrc/main.ts\x001\n",
  );
  expect((await call("-0", "rewrite")).out).toBe("src/main.ts\x002:// Write, then rewrite.\n");
  expect((await call("-c", "open|many")).out).toBe("docs/open.md:2\nmany.txt:1200\nsrc/log.ts:2\n");
});

test("every line is printed, page after page, up to --limit; ripgrep finds the same", async () => {
  const { out } = await call("many|open|needle x{3}");
  const ripgrep = spawnSync(
    rgPath,
    ["--no-ignore-parent", "--sort", "path", "-n", "-M0", "many|open"],
    {
      cwd: here.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  expect(ripgrep.stdout.split("\n")).toHaveLength(1205);
  const lines = out.split("\n");
  expect(lines.filter((line) => !line.startsWith("long.txt")).join("\n")).toBe(ripgrep.stdout);
  expect(lines.find((line) => line.startsWith("long.txt"))).toMatch(
    /^long\.txt:1:needle x{293}…$/u,
  );
  expect((await call("many", "-n", "501")).out.match(/many$/gm)).toHaveLength(501);
});

test("no match is exit code 1; an invalid pattern is reported with its fault", async () => {
  expect(await call("nowhere")).toEqual({ code: 1, out: "", err: "" });
  const { code, err } = await call("open(");
  expect(code).toBe(2);
  expect(err).toContain("svc: The pattern is invalid: missing closing ): `");
  expect(err).not.toContain("(?m)");
});

test("--json has a record for each line, and the totals", async () => {
  const { out } = await call("open", "-C", "1", "--path", "src/*", "-n", "1", "--json");
  expect(JSON.parse(out)).toEqual({
    namespace: "project",
    generation: expect.any(Number),
    matches: [
      {
        path: "src/log.ts",
        line: 2,
        symbol: "write",
        text: "  open(text);",
        lines: [
          { line: 1, text: "export function write(text: string): void {" },
          { line: 2, text: "  open(text);" },
          { line: 3, text: "  open(text);" },
        ],
      },
    ],
    files: [],
    total_matches: 2,
    total_files: 1,
    complete: true,
  });
});

test("--format prints each match, with its column, or each file of -l and -c", async () => {
  const format = "{path}:{line}:{column}: {text} {symbol}";
  expect((await call("rewr[a-z]+", "--format", format)).out).toBe(
    "src/main.ts:2:16: // Write, then rewrite. \n",
  );
  expect((await call("-F", "rewrite", "--format", "{column}")).out).toBe("16\n");
  expect((await call("-c", "open", "--format", "{path} {matches}", "--path", "docs/")).out).toBe(
    "docs/open.md 2\n",
  );
});

test("--jsonl prints the records of --json one by one", async () => {
  const { out } = await call("open", "--jsonl");
  const { matches } = JSON.parse((await call("open", "--json")).out);
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(matches);
  expect((await call("-l", "rewrite", "--jsonl")).out).toBe('{"path":"src/main.ts","matches":1}\n');
  expect(await call("no such text", "--jsonl")).toEqual({ code: 1, out: "", err: "" });
  expect((await call("open", "--jsonl", "--json")).code).toBe(2);
});
