import { rmSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { SearchRequest } from "../../src/engine/api/search.ts";
import { RANKING_FEATURES } from "../../src/search/ranking-model.ts";
import { RERANK_DEPTH } from "../../src/search/weights.ts";
import { plant } from "../helpers/tree.ts";
import { indexOf, MIXED, pathsOf, sharedIndexes, TOKENS, type Files } from "./searchable.ts";

const indexOfShared = sharedIndexes();

/** Returns the paths of the answer to a query over these files, best first. */
async function rankedPaths(
  files: Files,
  query: string,
  limits: Partial<SearchRequest> = {},
): Promise<readonly string[]> {
  return pathsOf(await (await indexOfShared(files)).search(query, limits));
}

const BOTH = { ...TOKENS, ...MIXED };

function place(paths: readonly string[]): number {
  return paths.indexOf("test/tokens.test.ts");
}

describe("the order", () => {
  test("the definition is ranked before files that mention it", async () => {
    const paths = await rankedPaths(TOKENS, "revokeToken");
    expect(paths[0]).toBe("src/tokens.ts");
    expect(paths.indexOf("src/session.ts")).toBeGreaterThan(0);
  });

  test("tests are ranked after code unless the query asks for them", async () => {
    const plain = await rankedPaths(TOKENS, "revoke token");
    expect(place(plain)).toBeGreaterThan(plain.indexOf("src/tokens.ts"));
    const paths = await rankedPaths(TOKENS, "tests of revoke token");
    expect(place(paths)).toBeLessThanOrEqual(place(plain));
    expect(place(paths)).toBeGreaterThanOrEqual(0);
  });

  test("documentation is ranked before code if the query asks for it", async () => {
    const plain = await rankedPaths(TOKENS, "revoke a token");
    const paths = await rankedPaths(TOKENS, "documentation guide how to revoke a token");
    expect(paths.indexOf("docs/tokens.md")).toBeLessThanOrEqual(plain.indexOf("docs/tokens.md"));
    expect(paths).toContain("docs/tokens.md");
  });

  test("a file whose name is the query comes first", async () => {
    const files = Object.fromEntries(
      ["parser", "scanner", "printer"].map((name) => [
        `src/${name}.ts`,
        "export const rules = [scanner, parser, printer];\n",
      ]),
    );
    expect((await rankedPaths(files, "scanner"))[0]).toBe("src/scanner.ts");
    expect((await rankedPaths(files, "what is in src/printer.ts"))[0]).toBe("src/printer.ts");
  });

  test("a name is found by a part of it, in any naming style", async () => {
    const files = {
      "a.py": "def parse_http_header(line):\n    return line\n",
      "b.ts": "export function parseHttpHeader(line: string) {\n  return line;\n}\n",
      "c.go": "package c\n\nfunc ParseHTTPHeader(line string) string {\n\treturn line\n}\n",
    };
    expect((await rankedPaths(files, "http header")).toSorted()).toEqual(["a.py", "b.ts", "c.go"]);
  });

  test("files with equal scores are sorted by path, in whatever order they were indexed", async () => {
    const same = "The aardvark sleeps.\n";
    const paths = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    const indexed = await indexOf({ "d.md": same, "b.md": same });
    plant(indexed.root, { "e.md": same, "a.md": same });
    await indexed.run();
    plant(indexed.root, { "c.md": same });
    await indexed.run();
    const { files: found } = await indexed.ranking("where does the aardvark sleep", 10);
    expect(found.map(({ file }) => file.path)).toEqual(paths);
    expect(new Set(found.map(({ score }) => score)).size).toBe(1);
  });

  test("code and documentation are in one ranking, best first", async () => {
    const passages = await (await indexOfShared(TOKENS)).search("revoke a token");
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(pathsOf(passages)).toEqual(expect.arrayContaining(["src/tokens.ts", "docs/tokens.md"]));
    expect(new Set(passages.map(({ kind }) => kind))).toEqual(new Set(["code", "docs", "tests"]));
  });
});

test("the same query has the same answer, from this index and from another of the same files", async () => {
  const answers = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const indexed = await indexOf(BOTH);
    for (let again = 0; again < 2; again += 1) {
      answers.add(JSON.stringify(await indexed.search("revoke needle token")));
    }
  }
  expect(answers.size).toBe(1);
});

test("removed or replaced text is never found again", async () => {
  const indexed = await indexOf({
    "a.md": "The aardvark sleeps.\n",
    "b.md": "The aardvark eats.\n",
    "c.md": "The badger digs.\n",
  });
  rmSync(join(indexed.root, "a.md"));
  plant(indexed.root, { "b.md": "The zebra runs.\n" });
  await indexed.run();
  expect(pathsOf(await indexed.search("aardvark"))).not.toContain("a.md");
  expect((await indexed.search("zebra"))[0]).toMatchObject({ path: "b.md", changed: false });
});

test("the score of a file is the sum of its signals, apart from negligible ones", async () => {
  const indexed = await indexOfShared(BOTH);
  for (const question of ["revokeToken", "needle", "tests of the session in src/session.ts"]) {
    const { files: found } = await indexed.ranking(question, 10);
    expect(found.length).toBeGreaterThan(1);
    for (const { score, signals } of found) {
      const sum = Object.values(signals).reduce((total, value) => total + value, 0);
      expect(Math.abs(score - sum)).toBeLessThan(0.0005 * RANKING_FEATURES.length);
      const unknown = Object.keys(signals).filter((name) => !RANKING_FEATURES.includes(name));
      expect(unknown).toEqual([]);
    }
  }
});

/** Returns sixty files that have much in common. */
function manyAlike(): Files {
  const words = ["revoke", "token", "session", "needle", "store"];
  return Object.fromEntries(
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
}

test("a shorter answer is the beginning of a longer one", async () => {
  const indexed = await indexOf({ ...manyAlike(), ...TOKENS, ...MIXED });
  for (const question of ["revoke token", "needle", "token0 store", "tests of session"]) {
    const { files: all } = await indexed.ranking(question, RERANK_DEPTH);
    expect(all.length).toBeGreaterThan(20);
    for (const limit of [1, 2, 5, 20]) {
      expect((await indexed.ranking(question, limit)).files).toEqual(all.slice(0, limit));
    }
  }
});

test("as many files are returned as requested, if there are enough", async () => {
  const indexed = await indexOf(manyAlike());
  const { files: found } = await indexed.ranking("revoke token session needle store", 55);
  expect(found).toHaveLength(55);
  expect(new Set(found.map(({ file }) => file.path)).size).toBe(55);
});

test("concurrent queries have the same answers as separate ones", async () => {
  const indexed = await indexOfShared(BOTH);
  const questions = ["revoke token", "needle", "forecast rain", "session"];
  const alone = [];
  for (const question of questions) alone.push(await indexed.search(question));
  expect(await Promise.all(questions.map((question) => indexed.search(question)))).toEqual(alone);
});

test("a query of only stop words, and one without words, are answered", async () => {
  expect(
    await rankedPaths({ "a.md": "What is it and how does it do that?\n" }, "how does it do that"),
  ).toEqual(["a.md"]);
  expect(await rankedPaths(TOKENS, "???")).toEqual([]);
});
