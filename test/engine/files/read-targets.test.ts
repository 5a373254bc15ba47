import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { ReadPart } from "../../../src/engine/api/read.ts";
import { readTargets } from "../../../src/engine/files/read-targets.ts";
import { indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

const SESSION = [
  "/** A session of one caller. */",
  "export class Session {",
  "  open(): void {",
  "    parseConfig();",
  "  }",
  "",
  "  close(): void {}",
  "}",
  "",
  "export function parseConfig(): number {",
  "  return 1;",
  "}",
  "",
].join("\n");

const GUIDE = [
  "# Guide",
  "",
  "Hello.",
  "",
  "## Getting started",
  "",
  "Run it.",
  "",
  "## Next",
  "",
  "More.",
  "",
].join("\n");

const FILES = {
  "src/session.ts": SESSION,
  "docs/guide.md": GUIDE,
  "src/other.py": "def parse_config():\n    return 2\n",
  "crlf.txt": "one\r\ntwo\r\n",
  "empty.txt": "",
  "100%_done.md": "percent\n",
};

async function indexed(files: Readonly<Record<string, string>> = FILES): Promise<IndexedTree> {
  const index = indexedTree(files);
  onTestFinished(index.dispose);
  await index.run();
  return index;
}

async function read(index: IndexedTree, targets: readonly string[], maxTokens = 2000) {
  const signal = new AbortController().signal;
  return readTargets(await index.queryContext(), { targets, maxTokens, principal: LOCAL, signal });
}

/** `path:start-end symbol` of the target, or its problem. */
async function call(target: string): Promise<string> {
  const { parts, problems } = await read(await indexed(), [target]);
  return [
    ...parts.map(({ path, startLine, endLine, symbol }) =>
      `${path}:${startLine}-${endLine} ${symbol}`.trimEnd(),
    ),
    ...problems.map(({ code, detail }) => `${code}: ${detail}`),
  ].join("\n");
}

test.each<[string, string]>([
  ["src/session.ts", "src/session.ts:1-12"],
  ["src/session.ts:3-5", "src/session.ts:3-5"],
  ["src/session.ts:4", "src/session.ts:4-4"],
  ["src/session.ts:11-99", "src/session.ts:11-12"],
  ["src/session.ts:5-3", "src/session.ts:3-5"],
  ["src/session.ts:0-2", "src/session.ts:1-2"],
  ["Session", "src/session.ts:1-8 Session"],
  ["Session.open", "src/session.ts:3-5 Session.open"],
  ["Session#open", "src/session.ts:3-5 Session.open"],
  ["Session::close", "src/session.ts:7-7 Session.close"],
  ["parseConfig()", "src/session.ts:10-12 parseConfig"],
  ["src/session.ts#parseConfig", "src/session.ts:10-12 parseConfig"],
  ["src/session.ts#L10-L12", "src/session.ts:10-12"],
  ["src/session.ts#Session.open", "src/session.ts:3-5 Session.open"],
  ["src/session.ts#PARSECONFIG", "src/session.ts:10-12 parseConfig"],
  ["docs/guide.md#Next", "docs/guide.md:9-11 Guide > Next"],
  ["docs/guide.md#getting started", "docs/guide.md:5-7 Guide > Getting started"],
  ["100%_done.md", "100%_done.md:1-1"],
  ["crlf.txt", "crlf.txt:1-2"],
  ["src/sesion.ts", 'PATH_NOT_FOUND: No file "src/sesion.ts". Nearest: src/session.ts.'],
  ["session.ts", 'PATH_NOT_FOUND: No file "session.ts". Nearest: src/session.ts.'],
  ["lib/session.ts", 'PATH_NOT_FOUND: No file "lib/session.ts". Nearest: src/session.ts.'],
  ["session.ts:3-4", 'PATH_NOT_FOUND: No file "session.ts". Nearest: src/session.ts.'],
  ["session.ts#open", 'PATH_NOT_FOUND: No file "session.ts". Nearest: src/session.ts.'],
  ["crlf.txt:3", "PATH_NOT_FOUND: crlf.txt has 2 lines; line 3 is after its end."],
  ["100%_done.md:3", "PATH_NOT_FOUND: 100%_done.md has 1 line; line 3 is after its end."],
  ["src/session.ts:40", "PATH_NOT_FOUND: src/session.ts has 12 lines; line 40 is after its end."],
  ["parseConfg", 'SYMBOL_NOT_FOUND: No symbol "parseConfg". Nearest: parseConfig.'],
  [
    "zzzzzz",
    'SYMBOL_NOT_FOUND: No symbol "zzzzzz". Try `search_context` (or `svc search`) with its words.',
  ],
  [
    "src/session.ts#opne",
    'SYMBOL_NOT_FOUND: src/session.ts does not define "opne". Nearest: open.',
  ],
  [
    "src/session.ts#zzzz",
    'SYMBOL_NOT_FOUND: src/session.ts does not define "zzzz". `outline` of the file lists its symbols.',
  ],
  ["%", 'SYMBOL_NOT_FOUND: No symbol "%". Try `search_context` (or `svc search`) with its words.'],
])("%j is %s", async (target, expected) => {
  expect(await call(target)).toBe(expected);
});

test.each([
  "../session.ts",
  "src/../../etc/passwd",
  "/etc/passwd",
  "/etc/passwd:1-3",
  "/etc/passwd#root",
  "..:1",
  "src/\0.ts",
  "out/secret.txt",
  "link.txt",
  "C:\\Windows\\win.ini",
])("%j leads out and refuses the whole call", async (target) => {
  const outside = tree({ "secret.txt": "secret\n" });
  onTestFinished(outside.dispose);
  const index = await indexed();
  symlinkSync(outside.path, join(index.root, "out"));
  symlinkSync(join(outside.path, "secret.txt"), join(index.root, "link.txt"));
  await expect(read(index, ["src/session.ts", target])).rejects.toThrow(
    expect.objectContaining({ code: "PATH_OUTSIDE_SOURCE" }),
  );
});

test("a part has its enclosing definitions, outermost first, and the length of its file", async () => {
  const { parts } = await read(await indexed(), ["src/session.ts:4", "Session.open", "Session"]);
  expect(parts).toMatchObject([
    {
      lines: ["    parseConfig();"],
      totalLines: 12,
      enclosing: ["class Session (1-8)", "method Session.open (3-5)"],
    },
    { enclosing: ["class Session (1-8)"] },
    { enclosing: [] },
  ]);
});

test("several targets are read in their order, and a bad one is reported separately", async () => {
  const { parts, problems } = await read(await indexed(), [
    "crlf.txt",
    "nothing/here.ts",
    "Session.close",
  ]);
  expect(parts.map(({ target, lines }) => [target, ...lines])).toEqual([
    ["crlf.txt", "one", "two"],
    ["Session.close", "  close(): void {}"],
  ]);
  expect(problems.map(({ target, code }) => [target, code])).toEqual([
    ["nothing/here.ts", "PATH_NOT_FOUND"],
  ]);
});

test("a part that does not fit is cut after a whole line, with the next line number", async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line number ${at + 1}`);
  const index = await indexed({ "a.txt": `${lines.join("\n")}\n` });
  const seen: string[] = [];
  let target: string | undefined = "a.txt";
  while (target !== undefined) {
    const { parts }: { parts: readonly ReadPart[] } = await read(index, [target], 100);
    const [part] = parts;
    if (part === undefined) throw new Error("the file is there");
    expect(part.lines.join("\n").length).toBeLessThanOrEqual(400);
    seen.push(...part.lines);
    target =
      part.truncatedAt === undefined ? undefined : `a.txt:${part.truncatedAt}-${part.totalLines}`;
  }
  expect(seen).toEqual(lines);
});

test("a file changed after indexing is read in its current state and marked", async () => {
  const index = await indexed();
  plant(index.root, { "crlf.txt": "new\n", "new.txt": "not indexed\n" });
  rmSync(join(index.root, "src/other.py"));
  const { parts, problems } = await read(index, [
    "crlf.txt",
    "new.txt",
    "src/session.ts",
    "src/other.py",
  ]);
  expect(parts.map(({ lines: [first], changed }) => [first, changed])).toEqual([
    ["new", true],
    ["not indexed", false],
    ["/** A session of one caller. */", false],
  ]);
  expect(problems).toHaveLength(1);
});

test("an empty file has no lines, and line 1 is not after its end", async () => {
  const { parts } = await read(await indexed(), ["empty.txt"]);
  expect(parts).toMatchObject([{ lines: [], totalLines: 0, truncatedAt: undefined }]);
});
