import { expect, test } from "vitest";

import type { CandidateChunk } from "../../src/index/scoring/candidates.ts";
import { FileFlag, type FileFacts } from "../../src/index/types.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { titleGrader, type TitleGrade } from "../../src/search/titled-answers.ts";
import { topicOf } from "../../src/search/topic-questions.ts";

const tokenizer = createTokenizer();

function section(symbol: string, ...names: readonly string[]): CandidateChunk {
  const facts = { startLine: 1, endLine: 9, kind: "section", symbol, names } as const;
  return { facts, body: 0, names: 0, similarity: 0, bodyTerms: 0, namesTerms: 0 };
}

function gradeOf(
  question: string,
  file: Partial<FileFacts> & { readonly path: string },
  all: readonly CandidateChunk[] = [],
): TitleGrade | undefined {
  const query = parseQuery(question, tokenizer, { names: ["mailer"], topicOf });
  const facts = { language: "markdown", role: "docs", flags: 0, ...file } as const;
  return titleGrader(query)?.({ file: facts, all });
}

test("a section with the very name of the subject answers best", () => {
  const [other, own] = [section("Guide > Spider arguments"), section("Guide > Spiders")];
  const best = gradeOf("what is a spider", { path: "guide.md" }, [other, own]);
  expect(best?.chunk).toBe(own);
  const partial = gradeOf("what is a spider", { path: "guide.md" }, [section("Spider rules")]);
  expect(best?.grade).toBeGreaterThan(partial?.grade ?? 1);
});

test.each([
  ["docs/03-spiders.md", []],
  ["man/mailer-spider.7", []],
  ["spider/README.md", []],
  ["guide.md", [section("What is a spider?")]],
  ["guide.md", [section("Guide > Basics", "Basics", "Spiders")]],
])("the title is in the path %s or in a heading", (path, all) => {
  expect(gradeOf("what is a spider", { path }, all)?.grade).toBeGreaterThan(0.8);
});

test.each<[string, Partial<FileFacts> & { readonly path: string }]>([
  ["another page", { path: "docs/queues.md" }],
  ["code", { path: "src/spider.ts", role: "code" }],
  ["a copy of others", { path: "vendor/spider.md", flags: FileFlag.vendored }],
  ["a page with a longer title", { path: "docs/all-about-the-spider-web-and-more.md" }],
])("%s does not answer", (_, file) => {
  expect(gradeOf("what is a spider", file)?.grade).toBe(0);
});

test("pages with usual titles answer, those of the top folder best", () => {
  const grades = ["README.md", "web/assets/README.md", "CHANGELOG.md"].map(
    (path) => gradeOf("what does this project do", { path })?.grade ?? 1,
  );
  expect(grades).toEqual(grades.toSorted((one, other) => other - one));
  expect(new Set(grades).size).toBe(3);
  expect(grades[2]).toBe(0);
});

test("an overview is the beginning of its page", () => {
  const chunks = [section(""), section("Mailer > Features")];
  const best = gradeOf("what does this project do", { path: "README.md" }, chunks);
  expect(best?.chunk).toBe(chunks[0]);
});

test("posts and lists of changes answer last", () => {
  const heading = [section("Quick start")];
  expect(gradeOf("quick start", { path: "docs/blog/version-5.md" }, heading)?.grade).toBe(0);
  expect(gradeOf("quick start", { path: "docs/guide.md" }, heading)?.grade).toBeGreaterThan(0.8);
});

test("a query without a topic has no grades", () => {
  expect(gradeOf("parse the configuration", { path: "README.md" })).toBeUndefined();
});
