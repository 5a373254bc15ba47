import { expect, test } from "vitest";

import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import { withTextUses } from "../../../src/parse/references/text-uses.ts";

function usesIn(path: string, language: string, text: string): readonly string[] {
  const file = { path, language, text, symbols: [] };
  return withTextUses(NO_REFERENCES, file).uses.map(({ line, name }) => `${line} ${name}`);
}

test("the uses of templates, of languages without a grammar, and of shared names", () => {
  expect(usesIn("a.erb", "html", "<%= title %>")).toEqual(["1 title"]);
  expect(usesIn("a.sh", "bash", "run_it")).toEqual(["1 run_it"]);
  expect(usesIn("a.js", "javascript", "process.env.API_KEY")).toHaveLength(1);
  expect(usesIn("a.md", "markdown", "<%= title %>")).toEqual([]);
});

test("they are in the order of the lines", () => {
  const file = { path: "a.erb", language: "html", text: "\n\n<%= title %>", symbols: [] };
  const own = {
    name: "own",
    line: 2,
    role: "value",
    owner: -1,
    target: -1,
    binding: -1,
    receiver: "",
  } as const;
  const later = { ...own, name: "later", line: 4 };
  const { uses } = withTextUses({ ...NO_REFERENCES, uses: [own, later] }, file);
  expect(uses.map(({ name }) => name)).toEqual(["own", "title", "later"]);
});

test("a text of more than a million characters is data", () => {
  expect(usesIn("a.erb", "html", "<%= name %>".repeat(100_000))).toEqual([]);
});
