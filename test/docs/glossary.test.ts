import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { glossaryEntries } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/glossary.md"), "utf8");

test("every term of the glossary has a meaning and a file that exists", () => {
  const entries = glossaryEntries(PAGE);
  expect(entries).toHaveLength(PAGE.match(/^- /gm)?.length ?? -1);
  const wrong = entries.filter(
    ({ meaning, path }) => meaning === "" || !existsSync(join(ROOT, path)),
  );
  expect(wrong).toEqual([]);
});

test("the glossary has each term once, in alphabetical order", () => {
  const terms = glossaryEntries(PAGE).map(({ term }) => term.toLowerCase());
  expect(terms).toEqual([...new Set(terms)].toSorted());
});

test("an entry is read although its lines are wrapped, and one without a file is none", () => {
  const page = "- **chunk**: A piece\n  of a file. `src/chunk/chunk.ts`\n- **term**: A stem.\n";
  expect(glossaryEntries(page)).toEqual([
    { term: "chunk", meaning: "A piece of a file.", path: "src/chunk/chunk.ts" },
  ]);
});
