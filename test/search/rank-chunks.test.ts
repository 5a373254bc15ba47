import { describe, expect, test } from "vitest";

import { MAX_CHUNKS_PER_FILE } from "../../src/search/weights.ts";
import { indexOf, pathsOf, sharedIndexes, TOKENS } from "./searchable.ts";

const indexOfShared = sharedIndexes();

function sectionOf(title: string): string {
  return `<h2>${title}</h2>\n${"<p>How to revoke a token of a session.</p>\n".repeat(24)}`;
}

test("a passage points at the lines of the definition and names it", async () => {
  expect((await (await indexOfShared(TOKENS)).search("revokeToken"))[0]).toMatchObject({
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

describe("chunks of a file", () => {
  const body = Array.from({ length: 12 }, (_, at) => `  const step${at} = token.step(${at});`);
  const MANY = {
    "src/tokens.ts": Array.from({ length: 6 }, (_, at) =>
      [`export function revokeToken${at}(token: Token): void {`, ...body, "}", ""].join("\n"),
    ).join("\n"),
    "src/other.ts": "export function endSession(token: Token): void {\n  token.revoke();\n}\n",
  };

  test("an answer has several, only a few, each once", async () => {
    const { files } = await (await indexOfShared(MANY)).ranking("revoke a token", 10);
    const chunks = files.find(({ file }) => file.path === "src/tokens.ts")?.chunks ?? [];
    expect(chunks).toHaveLength(MAX_CHUNKS_PER_FILE);
    expect(new Set(chunks.map(({ chunk }) => chunk.startLine)).size).toBe(MAX_CHUNKS_PER_FILE);
    expect(files.some(({ file }) => file.path === "src/other.ts")).toBe(true);
  });

  test("a passage that a document has twice is shown once", async () => {
    const manual = ["Tokens", "Sessions", "Tokens"].map(sectionOf).join("");
    const indexed = await indexOfShared({ "docs/manual.html": manual });
    const [file] = (await indexed.ranking("revoke a token", 10)).files;
    const symbols = file?.chunks.map(({ chunk }) => chunk.symbol);
    expect(symbols?.toSorted()).toEqual(["Sessions", "Tokens"]);
  });

  test("neighbours are shown as one passage", async () => {
    const passages = await (await indexOfShared(MANY)).search("revoke a token");
    expect(pathsOf(passages).toSorted()).toEqual(["src/other.ts", "src/tokens.ts"]);
    const tokens = passages.find(({ path }) => path === "src/tokens.ts");
    expect((tokens?.endLine ?? 0) - (tokens?.startLine ?? 0)).toBeGreaterThan(40);
  });

  test("the best has the score of the file, no other has a higher one, and all are sorted", async () => {
    const indexed = await indexOfShared(MANY);
    const { files } = await indexed.ranking("revoke token2", 10);
    expect(files.length).toBeGreaterThan(1);
    for (const { score, chunks } of files) {
      expect(chunks[0]?.score).toBe(score);
      const scores = chunks.map((one) => one.score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    }
    const shown = (await indexed.search("revoke token2")).map(({ score }) => score);
    expect(shown).toEqual(shown.toSorted((one, other) => other - one));
  });

  test("a file of one chunk is shown once", async () => {
    const passages = await (await indexOfShared(TOKENS)).search("revoke token");
    expect(passages.map(({ path }) => path)).toEqual(pathsOf(passages));
  });
});

describe("only the path has the word", () => {
  test("the file is found, and its beginning or best part shown", async () => {
    const indexed = await indexOf({
      "src/zebra.ts": "export const stripes = 40;\n",
      "src/horse.ts": "export const stripes = 0;\n",
    });
    const [first] = await indexed.search("zebra");
    expect(first).toMatchObject({ path: "src/zebra.ts", startLine: 1, endLine: 1 });
    expect(first?.text).toBe("export const stripes = 40;");
  });

  test("a file without text is skipped", async () => {
    const indexed = await indexOf({ "zebra.md": "\n \n", "zebra/horse.md": "A horse.\n" });
    expect(pathsOf(await indexed.search("zebra"))).toEqual(["zebra/horse.md"]);
  });
});
