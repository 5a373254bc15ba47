import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { Passage, SearchRequest } from "../../src/engine/engine.ts";
import { searchPassages } from "../../src/engine/search-passages.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rank } from "../../src/search/rank.ts";
import { indexedTree, type IndexedTree } from "../helpers/indexed-tree.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { plant } from "../helpers/tree.ts";

async function search(
  indexed: IndexedTree,
  query: string,
  limits: Partial<SearchRequest> = {},
): Promise<readonly Passage[]> {
  const request: SearchRequest = {
    query,
    limit: 10,
    maxTokens: 2000,
    caller: LOCAL,
    signal: new AbortController().signal,
    ...limits,
  };
  return (await searchPassages(await indexed.sight(), request)).passages;
}

/** Paths of the answer to a question over these files, best first. */
async function call(
  files: Readonly<Record<string, string>>,
  query: string,
  limits: Partial<SearchRequest> = {},
): Promise<string[]> {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  await indexed.run();
  return (await search(indexed, query, limits)).map(({ path }) => path);
}

const TOKENS = {
  "src/tokens.ts": [
    "/** Revokes an access token. */",
    "export function revokeToken(id: string): void {",
    "  store.delete(id);",
    "}",
  ].join("\n"),
  "src/session.ts": [
    "export function endSession(session: Session): void {",
    "  revokeToken(session.token);",
    "  revokeToken(session.refreshToken);",
    "}",
  ].join("\n"),
  "test/tokens.test.ts": [
    'test("revokeToken revokes the token", () => {',
    "  revokeToken(token);",
    "  revokeToken(token);",
    "  expect(revokeToken).toBeDefined();",
    "});",
  ].join("\n"),
  "docs/tokens.md": "# Tokens\n\nHow to revoke a token: call revokeToken with its id.\n",
  "src/weather.ts": "export function forecast(): string {\n  return 'rain';\n}\n",
};

test("the definition stands before those who mention it", async () => {
  const paths = await call(TOKENS, "revokeToken");
  expect(paths[0]).toBe("src/tokens.ts");
  expect(paths).not.toContain("src/weather.ts");
});

test("a passage points at the lines of the definition and names it", async () => {
  const indexed = indexedTree(TOKENS);
  onTestFinished(indexed.dispose);
  await indexed.run();
  expect((await search(indexed, "revokeToken"))[0]).toMatchObject({
    path: "src/tokens.ts",
    startLine: 1,
    endLine: 4,
    symbol: "revokeToken",
    kind: "code",
    language: "typescript",
    changed: false,
    text: TOKENS["src/tokens.ts"],
  });
});

function place(paths: readonly string[]): number {
  return paths.indexOf("test/tokens.test.ts");
}

test("tests stand behind code unless the question asks for them", async () => {
  const plain = await call(TOKENS, "revoke token");
  expect(place(plain)).toBeGreaterThan(plain.indexOf("src/tokens.ts"));
  const asked = await call(TOKENS, "tests of revoke token");
  expect(place(asked)).toBeLessThan(place(plain));
});

test("documentation stands before code where the question asks for it", async () => {
  const plain = await call(TOKENS, "revoke a token");
  const asked = await call(TOKENS, "documentation guide how to revoke a token");
  expect(asked.indexOf("docs/tokens.md")).toBeLessThan(plain.indexOf("docs/tokens.md"));
});

test("a file whose name is the question stands first", async () => {
  const files = Object.fromEntries(
    ["parser", "scanner", "printer"].map((name) => [
      `src/${name}.ts`,
      "export const rules = [scanner, parser, printer];\n",
    ]),
  );
  expect((await call(files, "scanner"))[0]).toBe("src/scanner.ts");
  expect((await call(files, "what is in src/printer.ts"))[0]).toBe("src/printer.ts");
});

test("a name is found by a part of it, in whatever way it is written", async () => {
  const files = {
    "a.py": "def parse_http_header(line):\n    return line\n",
    "b.ts": "export function parseHttpHeader(line: string) {\n  return line;\n}\n",
    "c.go": "package c\n\nfunc ParseHTTPHeader(line string) string {\n\treturn line\n}\n",
    "d.ts": "export const other = 1;\n",
  };
  const paths = await call(files, "http header");
  expect(paths.toSorted()).toEqual(["a.py", "b.ts", "c.go"]);
});

const MIXED = {
  "src/a.ts": "export const needle = 1;\n",
  "src/deep/b.ts": "export const needle = 2;\n",
  "src/c.py": "needle = 3\n",
  "lib/d.js": "export const needle = 4;\n",
  "docs/e.md": "# Needle\n\nThe needle.\n",
  "test/f.test.ts": "test('needle', () => {});\n",
  "needle.yaml": "needle: 5\n",
};

test.each<[string, Partial<SearchRequest>, string[]]>([
  [
    "a glob without a slash, in any folder",
    { path: "*.ts" },
    ["src/a.ts", "src/deep/b.ts", "test/f.test.ts"],
  ],
  ["a glob with a slash, from the root", { path: "src/*.ts" }, ["src/a.ts"]],
  ["two stars", { path: "src/**/*.ts" }, ["src/a.ts", "src/deep/b.ts"]],
  ["a folder", { path: "src" }, ["src/a.ts", "src/c.py", "src/deep/b.ts"]],
  ["a folder with a slash", { path: "src/" }, ["src/a.ts", "src/c.py", "src/deep/b.ts"]],
  ["./ before a folder", { path: "./src/deep/" }, ["src/deep/b.ts"]],
  ["a folder anywhere", { path: "deep/" }, ["src/deep/b.ts"]],
  ["one file", { path: "src/c.py" }, ["src/c.py"]],
  ["braces", { path: "*.{py,js}" }, ["lib/d.js", "src/c.py"]],
  [
    "braces within braces",
    { path: "{src/{c.py,deep/*},lib/*}" },
    ["lib/d.js", "src/c.py", "src/deep/b.ts"],
  ],
  ["not", { path: "!*.ts" }, ["docs/e.md", "lib/d.js", "needle.yaml", "src/c.py"]],
  ["not a folder", { path: "!{src,test}/" }, ["docs/e.md", "lib/d.js", "needle.yaml"]],
  ["nothing that fits", { path: "nowhere/" }, []],
  ["a language, in any case", { language: "Python" }, ["src/c.py"]],
  ["a kind", { kinds: ["docs"] }, ["docs/e.md"]],
  ["several kinds", { kinds: ["tests", "config"] }, ["needle.yaml", "test/f.test.ts"]],
  [
    "all of them at once",
    { path: "src/", language: "typescript", kinds: ["code"] },
    ["src/a.ts", "src/deep/b.ts"],
  ],
])("the answer is limited to %s", async (_, limits, expected) => {
  expect((await call(MIXED, "needle", limits)).toSorted()).toEqual(expected);
});

test("a glob of many braces is read in no time", async () => {
  const path = `${"{a,b}".repeat(100)}*.ts`;
  expect(await call(MIXED, "needle", { path })).toEqual([]);
});

test("the same question has the same answer, from this index and from another of the same files", async () => {
  const answers = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const indexed = indexedTree({ ...TOKENS, ...MIXED });
    onTestFinished(indexed.dispose);
    await indexed.run();
    for (let again = 0; again < 2; again += 1) {
      answers.add(JSON.stringify(await search(indexed, "revoke needle token")));
    }
  }
  expect(answers.size).toBe(1);
});

test("what was removed or replaced is never found again", async () => {
  const indexed = indexedTree({
    "a.md": "The aardvark sleeps.\n",
    "b.md": "The aardvark eats.\n",
    "c.md": "The badger digs.\n",
  });
  onTestFinished(indexed.dispose);
  await indexed.run();
  rmSync(join(indexed.root, "a.md"));
  plant(indexed.root, { "b.md": "The zebra runs.\n" });
  await indexed.run();
  expect(await search(indexed, "aardvark")).toEqual([]);
  expect((await search(indexed, "zebra")).map(({ path }) => path)).toEqual(["b.md"]);
});

test("the score is the sum of its signals times what the file is for", async () => {
  const indexed = indexedTree(TOKENS);
  onTestFinished(indexed.dispose);
  await indexed.run();
  for (const { score, signals } of await search(indexed, "revokeToken")) {
    const { prior = 0, ...parts } = signals;
    const sum = Object.values(parts).reduce((total, value) => total + value, 0);
    expect(score).toBeCloseTo(sum * prior, 2);
  }
});

test("a shorter answer is the beginning of a longer one", async () => {
  const words = ["revoke", "token", "session", "needle", "store"];
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => {
      const name = words[at % 5] ?? "";
      const folder = ["src", "test", "docs", "examples"][at % 4];
      const body = words.slice(0, (at % 7) + 1).join(" ");
      return [
        `${folder}/${at}/${name}.ts`,
        `export function ${name}${at % 3}() {\n  // ${body}\n}\n`,
      ];
    }),
  );
  const indexed = indexedTree({ ...files, ...TOKENS, ...MIXED });
  onTestFinished(indexed.dispose);
  await indexed.run();
  const { reader, tokenizer } = await indexed.sight();
  for (const question of ["revoke token", "needle", "token0 store", "tests of session"]) {
    const query = parseQuery(question, tokenizer);
    const all = await rank(reader, query, { limit: 1000 });
    expect(all.length).toBeGreaterThan(20);
    for (const limit of [1, 2, 5, 20]) {
      expect(await rank(reader, query, { limit })).toEqual(all.slice(0, limit));
    }
  }
});

test("questions that are asked at the same time have the answers that they have alone", async () => {
  const indexed = indexedTree({ ...TOKENS, ...MIXED });
  onTestFinished(indexed.dispose);
  await indexed.run();
  const questions = ["revoke token", "needle", "forecast rain", "session"];
  const alone = [];
  for (const question of questions) alone.push(await search(indexed, question));
  expect(await Promise.all(questions.map((question) => search(indexed, question)))).toEqual(alone);
});

test("a question of stop words alone, and one of no words, are answered", async () => {
  expect(
    await call({ "a.md": "What is it and how does it do that?\n" }, "how does it do that"),
  ).toEqual(["a.md"]);
  expect(await call(TOKENS, "???")).toEqual([]);
});
