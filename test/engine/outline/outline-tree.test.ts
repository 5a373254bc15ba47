import { symlinkSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";

import type {
  FileOutline,
  FolderOutline,
  OutlineRequest,
} from "../../../src/engine/api/outline.ts";
import { outlineText } from "../../../src/engine/outline/outline-text.ts";
import { outlineOf } from "../../../src/engine/outline/outline-tree.ts";
import { rankFiles } from "../../../src/engine/outline/ranked-files.ts";
import { indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

const SESSION = [
  "/** A session. */",
  "export class Session {",
  "  #secret = 1;",
  "  open(path: string): void {}",
  "  private hide(): void {}",
  "}",
  "",
  "export function start(): Session {",
  "  return new Session();",
  "}",
  "",
].join("\n");

const FILES = {
  "src/session.ts": SESSION,
  "src/main.ts":
    'import { start } from "./session.ts";\nexport function main() {\n  start().open("a");\n}\n',
  "src/deep/er/user.ts":
    'import { start } from "../../session.ts";\nexport const user = () => start();\n',
  "test/session.test.ts":
    'import { start } from "../src/session.ts";\nexport const one = start();\n',
  "docs/guide.md": "# Guide\n\n## Install\n\nDo.\n\n# Next\n\nMore.\n",
  "README.md": "# Project\n",
  "data.json": '{"a": 1}\n',
  "empty.txt": "",
};

async function indexed(files: Readonly<Record<string, string>> = FILES): Promise<IndexedTree> {
  const index = indexedTree(files, { memory: true });
  onTestFinished(index.dispose);
  await index.run();
  return index;
}

async function outline(
  index: IndexedTree,
  path?: string,
  more: Partial<OutlineRequest> = {},
): Promise<FileOutline | FolderOutline> {
  const queryContext = await index.queryContext();
  const files = (at: string) => rankFiles(queryContext.reader, at);
  const signal = new AbortController().signal;
  const request = { path, maxTokens: 2000, principal: LOCAL, signal, ...more };
  return outlineOf({ ...queryContext, files }, request);
}

async function text(...asked: Parameters<typeof outline>): Promise<string> {
  return outlineText(await outline(...asked));
}

async function refusal(...asked: Parameters<typeof outline>): Promise<string> {
  return outline(...asked).then(
    () => "no error",
    ({ code, detail }: { code: string; detail: string }) => `${code}: ${detail}`,
  );
}

test("a small project is shown completely, the most important files first", async () => {
  expect(await text(await indexed())).toMatchInlineSnapshot(`
    ".  8 files, typescript, markdown, text
    src/  3 files, typescript
      session.ts
        function start(): Session  8-10
        open(path: string): void  4
        class Session  1-6
      main.ts
        function main()  2-4
      deep/er/
        user.ts
          const user = ()  2
    README.md, empty.txt, data.json
    docs/  1 file, markdown
      guide.md
    test/  1 file, typescript
      session.test.ts
        const one = start()  2"
  `);
});

test("a single folder is shown, down to the given depth", async () => {
  const index = await indexed();
  expect(await text(index, "src/deep/")).toMatchInlineSnapshot(`
    "src/deep/  1 file, typescript
    er/  1 file, typescript
      user.ts
        const user = ()  2"
  `);
  expect(await text(index, "./src", { depth: 1 })).toMatchInlineSnapshot(`
    "src/  3 files, typescript
    session.ts
      function start(): Session  8-10
      open(path: string): void  4
      class Session  1-6
    main.ts
      function main()  2-4
    deep/  1 file, typescript
    Left out: 1 file. More: path "src/deep", or more max_tokens or depth."
  `);
});

test.each<[string, OutlineRequest["depth"], readonly string[]]>([
  [
    "src/session.ts",
    undefined,
    [
      "src/session.ts  typescript, 10 lines",
      "class Session  1-6",
      "  #secret = 1  3",
      "  open(path: string): void  4",
      "  private hide(): void  5",
      "function start(): Session  8-10",
    ],
  ],
  [
    "src/session.ts",
    1,
    [
      "src/session.ts  typescript, 10 lines",
      "class Session  1-6",
      "function start(): Session  8-10",
    ],
  ],
  [
    "docs/guide.md",
    undefined,
    ["docs/guide.md  markdown, 9 lines", "Guide  1-5", "  Install  3-5", "Next  7-9"],
  ],
  ["data.json", undefined, ["data.json  json, 1 line", "a  1"]],
  ["empty.txt", undefined, ["empty.txt  text, 0 lines, 0 bytes, no symbols"]],
])("the outline of %s to the depth of %s", async (path, depth, expected) => {
  expect((await text(await indexed(), path, { depth })).split("\n")).toEqual(expected);
});

test("a changed file, or one not in the index yet, is shown in its current state", async () => {
  const index = await indexed();
  plant(index.root, {
    "src/session.ts": `\n${SESSION.replace("start", "begin")}`,
    "new.ts": SESSION,
  });
  const changed = await outline(index, "src/session.ts");
  expect(changed).toMatchObject({ changed: true, lines: 11 });
  expect(outlineText(changed)).toMatch(/^src\/session\.ts .*changed since indexing\n/);
  expect(outlineText(changed)).toContain("function begin(): Session  9-11");
  expect(await text(index, "new.ts")).toContain("function start(): Session  8-10");
  expect(await text(index)).toContain("function begin(): Session  9-11");
});

test.each([
  "../session.ts",
  "src/../../etc/passwd",
  "/etc/passwd",
  "/",
  "..",
  "C:\\Windows",
  "\\\\server\\share",
  "src\\..\\..\\etc",
  "src/\0.ts",
  "out",
  "out/secret.ts",
  "link.ts",
])("%j leads out of the source", async (path) => {
  const outside = tree({ "secret.ts": SESSION });
  onTestFinished(outside.dispose);
  const index = await indexed();
  symlinkSync(outside.path, join(index.root, "out"));
  symlinkSync(join(outside.path, "secret.ts"), join(index.root, "link.ts"));
  expect(await refusal(index, path)).toMatch(/^PATH_OUTSIDE_SOURCE: /);
});

test.each<[string, string]>([
  [
    "session.ts",
    'PATH_NOT_FOUND: No file "session.ts". Nearest: src/session.ts, test/session.test.ts.',
  ],
  // Not the folder with the most similar name.
  [
    "src/deep.ts",
    'PATH_NOT_FOUND: No file "src/deep.ts". In the same folder: src/main.ts, src/session.ts.',
  ],
  ["scr/deep", 'PATH_NOT_FOUND: No file or folder "scr/deep". Nearest: src/deep.'],
  ["er", 'PATH_NOT_FOUND: No file or folder "er". Nearest: src/deep/er.'],
  [
    "nothing",
    'PATH_NOT_FOUND: No file "nothing". Paths are relative to the source root, with `/`; `outline` lists them.',
  ],
  [
    ".env",
    "PATH_NOT_FOUND: .env has the name of a secrets file and is not shown. Open it with another program.",
  ],
])("%s is refused: %s", async (path, expected) => {
  const index = await indexed({ ...FILES, ".env": "KEY=1\n" });
  expect(await refusal(index, path)).toBe(expected);
});

test("without room, private symbols are left out first, then nested ones, with a note", async () => {
  const methods = Array.from({ length: 20 }, (_, at) => [
    `  private hidden${at}(): void {}`,
    `  shown${at}(some: string, more: number): void {}`,
  ]);
  const lines = ["export class Large {", ...methods.flat(), "}", "export const last = 1;", ""];
  const index = await indexed({ "a.ts": lines.join("\n") });
  expect(await outline(index, "a.ts")).toMatchObject({ omitted: 0 });
  const without = await outline(index, "a.ts", { maxTokens: 300 });
  expect(without).toMatchObject({ omitted: 20 });
  expect(outlineText(without)).not.toContain("hidden");
  const short = await text(index, "a.ts", { maxTokens: 100 });
  expect(short).toContain("class Large  1-42\n  shown0(");
  expect(short).toContain("const last = 1  43");
  expect(short).toMatch(/\n\d+ symbols left out: .*$/);
});

test("max_tokens is a hard limit, everything is shown or counted, and the most important file is shown", async () => {
  const files: Record<string, string> = { ...FILES };
  for (let at = 0; at < 120; at += 1) {
    files[`lib/folder${at % 60}/file${at}.ts`] =
      `import { start } from "../../src/session.ts";\nexport function user${at}(): void {\n  start();\n}\n`;
  }
  const index = await indexed(files);
  const asked = fc.record({
    path: fc.constantFrom(undefined, "", ".", "lib", "src", "lib/folder7", "src/session.ts"),
    maxTokens: fc.integer({ min: 100, max: 4000 }),
    depth: fc.constantFrom(undefined, 1, 2, 5),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, ...more }) => {
      const answer = await outline(index, path, more);
      const shown = outlineText(answer);
      expect(shown.length + 1).toBeLessThanOrEqual(more.maxTokens * 4);
      if (answer.kind === "file") return;
      const listed = answer.folders.flatMap((folder) => folder.shown);
      expect(new Set(listed.map((file) => file.path)).size).toBe(listed.length);
      expect(listed.length + answer.omitted.files).toBe(answer.files);
    }),
    { numRuns: 40 },
  );
  const map = await text(index, undefined, { maxTokens: 300 });
  expect(map).toMatch(
    /^\. {2}128 files, typescript\nsrc\/ {2}3 files, typescript\n {2}session\.ts\n/,
  );
  expect(map).toMatch(/\nLeft out: \d+ files\. More: path "\w+", or more max_tokens or depth\.$/);
});

test("of a folder and of a file, only their own files are ranked, as among all of them", async () => {
  const { reader } = await (await indexed(FILES)).queryContext();
  const all = await rankFiles(reader);
  const inFolder = all.files.filter(({ path }) => path.startsWith("src/"));
  expect(inFolder.length).toBeGreaterThan(1);
  expect((await rankFiles(reader, "src")).files).toEqual(inFolder);
  const [first] = inFolder;
  expect((await rankFiles(reader, first?.path)).files).toEqual([first]);
  expect((await rankFiles(reader, "sr")).files).toEqual([]);
});

test("a large folder is outlined without reading most of its files", async () => {
  const functions = Array.from({ length: 15 }, (_, at) => `export function call${at}() {}\n`);
  const files = Array.from({ length: 150 }, (_, at) => [`f${at}.ts`, functions.join("")]);
  const index = await indexed(Object.fromEntries(files));
  const context = await index.queryContext();
  const read = vi.spyOn(context.texts, "read");
  const prefetch = vi.spyOn(context.texts, "prefetch");
  const answer = await outlineOf(
    { ...context, files: () => rankFiles(context.reader) },
    { maxTokens: 600, principal: LOCAL, signal: new AbortController().signal },
  );
  const length = outlineText(answer).length;
  expect(length).toBeGreaterThan(2000);
  // Each at most once, and those that can have symbols in 2,400 characters.
  expect(read.mock.calls.length).toBeGreaterThan(10);
  expect(read.mock.calls.length).toBeLessThan(45);
  // In a database or a commit, reading one file takes as long as reading many.
  const ready = new Set(prefetch.mock.calls.flat(2));
  expect(read.mock.calls.filter(([path]) => !ready.has(path))).toEqual([]);
  expect(prefetch.mock.calls.length).toBeLessThan(3);
});

test("a query about a file is an error", async () => {
  const index = await indexed();
  expect(await refusal(index, "src/session.ts", { query: "uploads" })).toBe(
    'INVALID_PARAMS: "src/session.ts" is a file, and a query orders folders. Leave out the query, or name a folder.',
  );
});
