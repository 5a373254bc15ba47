import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { expect, test } from "vitest";

import { pairsOf, type Pair } from "../../../scripts/embeddings/pairs.ts";
import { languageOf } from "../../../src/scan/classify.ts";
import { sharedGrammars } from "../../chunk/helpers.ts";

async function pairs(path: string, text: string): Promise<Pair[]> {
  const language = languageOf(path, text);
  expect(language).toBeDefined();
  return pairsOf({ path, language: language ?? "", text }, await sharedGrammars());
}

const LANGUAGES = join(import.meta.dirname, "../../../src/parse/languages");
/** Prose and data have no useful comments, and that of the TSX fixture has only two words. */
const WITHOUT_COMMENTS =
  /^(?:asciidoc|bibtex|csv|graphql|html|json|markdown|org|pod|rst|tex|toml|tsx|yaml)\//;
const fixtures = globSync("*/fixture/*", { cwd: LANGUAGES })
  .filter((path) => !path.endsWith(".golden") && !WITHOUT_COMMENTS.test(path))
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

test.each(fixtures)("%s has comments with code that does not hold them", async (fixture) => {
  const text = readFileSync(join(LANGUAGES, fixture), "utf8");
  // The last ending hides some of the files from the tools of the project.
  const found = await pairs(basename(fixture).replace(/\.txt$/, ""), text);
  const comments = found.filter(({ kind }) => kind === "comment");
  expect(comments.length).toBeGreaterThan(0);
  for (const { question, answer } of comments) {
    expect(question).toMatch(/^[A-Z].*\.$/);
    expect(answer).not.toContain(question);
  }
});

test("the name of a function without a comment is taken out of its code", async () => {
  const text =
    "function parseHTTPHeader(text) {\n  const a = 1;\n  if (!a)\n    return parseHTTPHeader(a);\n  return a;\n}\n";
  expect(await pairs("a.js", text)).toEqual([
    {
      kind: "name",
      question: "parse http header",
      answer: text.trim().replaceAll("parseHTTPHeader", "_"),
    },
  ]);
});

test("short functions, and names of one word, of tests and of Python itself, are skipped", async () => {
  const body = "    a = 1\n    b = 2\n    c = 3\n    return a + b + c\n";
  const names = ["parse", "test_parse_header", "__get_item__"];
  const text = names.map((name) => `def ${name}():\n${body}`).join("\n\n");
  expect(await pairs("a.py", `${text}\n\ndef parse_header():\n    return read_header()\n`)).toEqual(
    [],
  );
});

test("a section answers its heading with its parent, without the sections below", async () => {
  const words = "Some words about how it is done, and some more about why it is done like that. ";
  const text = `# Guide\n\n${words}\n\nInstall\n-------\n\n${words}${words}\n\n### On Windows\n\nShort.\n`;
  expect(await pairs("a.md", text)).toEqual([
    { kind: "heading", question: "Guide Install", answer: `${words}${words}`.trim() },
  ]);
});

test("an answer has up to 1600 characters", async () => {
  const text = `/** Holds the numbers that are known. */\nexport const known = [\n${"  1234567,\n".repeat(300)}];\n`;
  const [pair] = await pairs("a.ts", text);
  expect(pair?.answer).toHaveLength(1600);
});
