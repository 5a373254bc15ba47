import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { filesNamed, grade, KINDS, verdict, type Question } from "../../../bench/rivals/grade.ts";
import { TOOLS } from "../../../bench/rivals/tools.ts";

const QUESTIONS = join(import.meta.dirname, "../../../bench/rivals/questions.json");

const question: Question = {
  id: "q",
  repository: "shop",
  kind: "callers",
  name: "open",
  path: "src/store.ts",
  line: 3,
  files: ["src/a.ts", "src/b.ts"],
};

test("a path counts in any notation of a reply", () => {
  const known = new Set(["src/a.ts", "src/b.ts", "src/c.ts", "src/[id].ts"]);
  const reply = 'src/a.ts:12\n"filePath": "src/b.ts",\n./src/c.ts, (src/none.ts)';

  expect(filesNamed(reply, known)).toEqual(["src/a.ts", "src/b.ts", "src/c.ts"]);
});

test("the file that was asked about is neither right nor wrong", () => {
  const came = grade(question, ["src/store.ts", "src/a.ts", "src/c.ts"]);

  expect(came).toEqual({ right: ["src/a.ts"], wrong: ["src/c.ts"], missed: ["src/b.ts"] });
  expect(verdict(came)).toBe("1 of 2, 1 wrong");
  expect(verdict(grade(question, ["src/b.ts", "src/a.ts"]))).toBe("right");
  expect(verdict(grade(question, ["src/b.ts"]))).toBe("1 of 2");
});

test("where a name is defined is the file itself", () => {
  const defined: Question = { ...question, kind: "defined", files: ["src/store.ts"] };

  expect(verdict(grade(defined, ["src/store.ts"]))).toBe("right");
  expect(verdict(grade(defined, []))).toBe("0 of 1");
});

test("there are ten questions about each repository, each with an answer of its own", () => {
  const { questions }: { readonly questions: readonly Question[] } = JSON.parse(
    readFileSync(QUESTIONS, "utf8"),
  );

  const counts = Map.groupBy(questions, ({ repository }) => repository);
  expect([...counts].map(([name, of]) => [name, of.length])).toEqual([
    ["hono", 10],
    ["cli", 10],
  ]);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(20);
  for (const { kind, files } of questions) {
    expect(KINDS).toContain(kind);
    expect(files.length).toBeGreaterThan(0);
  }
});

test("of a reply of gitnexus only what was asked for is the answer", () => {
  const gitnexus = TOOLS.find(({ name }) => name === "gitnexus");
  const reply = JSON.stringify(
    {
      symbol: { filePath: "src/store.ts" },
      incoming: { calls: [{ filePath: "src/a.ts" }], imports: [{ filePath: "src/b.ts" }] },
      outgoing: { calls: [{ filePath: "src/c.ts" }] },
    },
    null,
    2,
  );
  const answer = (kind: Question["kind"]) =>
    gitnexus?.answer?.(`{"level":40}\n${reply}\n`, { ...question, kind });

  expect(answer("callers")).toBe('[[{"filePath":"src/a.ts"}]]');
  expect(answer("importers")).toBe('[[{"filePath":"src/b.ts"}]]');
  expect(answer("defined")).toBe('{"filePath":"src/store.ts"}');
});
